"""Symmetric and antisymmetric parts: one case by hand, and what must hold for every matrix."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.symmetry import split


def test_split_by_hand() -> None:
    parts = split(np.array([[1, 4], [2, 0]], dtype=np.float32))
    assert parts.symmetric.tolist() == [[1, 3], [3, 0]]
    assert parts.antisymmetric.tolist() == [[0, 1], [-1, 0]]
    assert parts.symmetric_share == pytest.approx(19 / 21) and parts.antisymmetric_share == pytest.approx(2 / 21)


@given(st.integers(0, 2**16), st.integers(1, 9), st.sampled_from([0.0, 1e-6, 1.0, 1e6]))
def test_the_parts_are_what_they_say_and_add_up(seed: int, size: int, scale: float) -> None:
    scores = (np.random.default_rng(seed).normal(size=(size, size)) * scale).astype(np.float32)
    parts = split(scores)
    assert np.array_equal(parts.symmetric, parts.symmetric.T)
    assert np.array_equal(parts.antisymmetric, -parts.antisymmetric.T)
    assert np.allclose(parts.symmetric + parts.antisymmetric, scores, rtol=1e-5, atol=1e-6 * scale)
    assert parts.symmetric_share + parts.antisymmetric_share == pytest.approx(1)
    assert 0 <= parts.antisymmetric_share <= 1


def test_the_extremes() -> None:
    assert split(np.zeros((3, 3))).symmetric_share == 1
    assert split(np.array([[0, 2], [-2, 0]])).antisymmetric_share == 1


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match=r"\(2, 3\)"):
        split(np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"1 of the 4 scores of shape \(2, 2\) are not finite"):
        split(np.array([[0, -np.inf], [1, 1]]))
