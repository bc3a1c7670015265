"""The arithmetic of one cell: sums worked by hand, and float32 products of real sizes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis import arithmetic

SIZES = st.sampled_from([1, 2, 8, 9, 64, 1024])
SEEDS = st.integers(0, 2**16)


def vectors(seed: int, size: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(2, size)).astype(np.float32)


def test_dot_terms_by_hand() -> None:
    record = arithmetic.dot_terms(np.array([0.12, 0.31]), np.array([0.8, -0.05]), value=0.0805)
    assert record.products.tolist() == pytest.approx([0.096, -0.0155])
    assert record.total == pytest.approx(0.0805) and record.agrees
    assert record.difference == pytest.approx(0, abs=1e-12)


def test_projection_adds_its_bias() -> None:
    record = arithmetic.projection_terms(np.array([2.0, -1.0]), np.array([3.0, 4.0]), bias=0.5)
    assert record.total == 2.5


def test_mix_by_hand() -> None:
    assert arithmetic.mix_terms(np.array([0.25, 0.75]), np.array([4.0, -4.0])).total == -2


@given(SEEDS, SIZES)
def test_float32_products_agree_with_the_terms_in_float64(seed: int, size: int) -> None:
    a, b = vectors(seed, size)
    record = arithmetic.projection_terms(a, b, bias=0.25, value=float(np.float32(a @ b) + np.float32(0.25)))
    assert record.agrees and len(record.products) == size
    assert record.total == pytest.approx(math.fsum(record.products) + 0.25, abs=1e-9)
    assert not arithmetic.projection_terms(a, b, value=record.total + record.size).agrees


@given(SEEDS, st.integers(1, 30))
def test_softmax_terms_give_the_softmax(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    row = np.where(rng.random(size) < 0.3, -np.inf, rng.normal(size=size) * 5)
    expected = np.exp(row) / np.exp(row).sum() if np.isfinite(row).any() else np.zeros(size)
    records = [arithmetic.softmax_terms(row, j, value=float(np.float32(expected[j]))) for j in range(size)]
    assert [record.total for record in records] == pytest.approx(expected.tolist())
    assert all(record.agrees for record in records)


def test_a_fully_masked_row_has_weight_zero() -> None:
    record = arithmetic.softmax_terms(np.full(3, -np.inf), 1, value=0.0)
    assert record.total == 0 and record.agrees


def test_scaling_and_mask_by_hand() -> None:
    record = arithmetic.scaling_terms(3.0, 4, value=1.5)
    assert record.total == 1.5 and record.difference == 0
    assert arithmetic.mask_terms(1.5, True).total == 1.5
    hidden = arithmetic.mask_terms(1.5, False, value=-np.inf)
    assert hidden.total == -math.inf and hidden.difference == 0 and hidden.agrees
    assert not arithmetic.mask_terms(1.5, False, value=1.5).agrees


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match=r"\(2,\) and \(3,\)"):
        arithmetic.dot_terms(np.ones(2), np.ones(3))
    with pytest.raises(ValueError, match="d_k must be at least 1, not 0"):
        arithmetic.scaling_terms(1.0, 0)
    with pytest.raises(ValueError, match="key 2 is not one of the keys 0 to 1"):
        arithmetic.softmax_terms(np.ones(2), 2)
    assert arithmetic.softmax_terms(np.array([1000.0, 0.0]), 0).total == 1.0  # exp(1000) alone would overflow
