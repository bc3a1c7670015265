"""The arithmetic of one cell: sums worked by hand, float32 products of real sizes, and the text that shows them."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis import arithmetic

SIZES = st.sampled_from([1, 2, 8, 9, 64, 1024])
SEEDS = st.integers(0, 2**16)


def vectors(seed: int, size: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(2, size)).astype(np.float32)


def numbers_in(text: str) -> list[float]:
    return [float(part.replace(",", "").replace("−", "-")) for part in re.findall(r"−?\d[\d,]*(?:\.\d+)?", text)]


def test_dot_terms_by_hand() -> None:
    record = arithmetic.dot_terms(np.array([0.12, 0.31]), np.array([0.8, -0.05]), value=0.0805)
    assert record.products.tolist() == pytest.approx([0.096, -0.0155])
    assert record.total == pytest.approx(0.0805) and record.agrees
    assert record.difference == pytest.approx(0, abs=1e-12)


def test_text_of_a_short_sum_is_full_and_has_real_minus_signs() -> None:
    record = arithmetic.dot_terms(np.array([0.12, 0.31]), np.array([0.8, -0.05]))
    assert arithmetic.as_text(record, "q3·k1", digits=2) == "q3·k1 = 0.12 × 0.80 + 0.31 × −0.050\n      = 0.081"


def test_projection_adds_its_bias() -> None:
    record = arithmetic.projection_terms(np.array([2.0, -1.0]), np.array([3.0, 4.0]), bias=0.5)
    assert record.total == 2.5
    text = arithmetic.as_text(record, "q1[0]", digits=2)
    assert text.splitlines()[0] == "q1[0] = 2.0 × 3.0 + −1.0 × 4.0 + 0.50 (bias)"


def test_mix_by_hand() -> None:
    assert arithmetic.mix_terms(np.array([0.25, 0.75]), np.array([4.0, -4.0])).total == -2


def test_a_long_sum_shows_its_eight_largest_terms_and_what_the_rest_add() -> None:
    a = np.array([0.001, *range(1, 12)])
    text = arithmetic.as_text(arithmetic.dot_terms(a, np.ones(12)), "s", digits=3).splitlines()[0]
    assert text.startswith("s = [11] 11.0 × 1.00 + [10] 10.0 × 1.00 + ") and text.count("×") == 8
    assert text.endswith("+ … and 4 smaller terms adding 6.00")
    many = arithmetic.dot_terms(np.ones(1024), np.ones(1024))
    assert "and 1,016 smaller terms adding 1,016" in arithmetic.as_text(many, "s")
    assert "and 1 smaller term adding" in arithmetic.as_text(arithmetic.dot_terms(np.ones(9), np.ones(9)), "s")


@given(SEEDS, SIZES)
def test_float32_products_agree_with_the_terms_in_float64(seed: int, size: int) -> None:
    a, b = vectors(seed, size)
    record = arithmetic.projection_terms(a, b, bias=0.25, value=float(np.float32(a @ b) + np.float32(0.25)))
    assert record.agrees and len(record.products) == size
    assert record.total == pytest.approx(math.fsum(record.products) + 0.25, abs=1e-9)
    assert not arithmetic.projection_terms(a, b, value=record.total + record.size).agrees


@given(SEEDS, st.integers(1, 30), st.booleans())
def test_softmax_terms_give_the_softmax(seed: int, size: int, subtract_max: bool) -> None:
    rng = np.random.default_rng(seed)
    row = np.where(rng.random(size) < 0.3, -np.inf, rng.normal(size=size) * 5)
    expected = np.exp(row) / np.exp(row).sum() if np.isfinite(row).any() else np.zeros(size)
    records = [
        arithmetic.softmax_terms(row, j, subtract_max, value=float(np.float32(expected[j]))) for j in range(size)
    ]
    assert [record.total for record in records] == pytest.approx(expected.tolist())
    assert all(record.agrees for record in records)
    assert "nan" not in arithmetic.as_text(records[0], "weight")


def test_softmax_text_by_hand() -> None:
    record = arithmetic.softmax_terms(np.array([0.0, math.log(3), -np.inf]), 1)
    assert arithmetic.as_text(record, "w") == (
        "w = exp(1.10 − 1.10) ÷ (exp(0 − 1.10) + exp(1.10 − 1.10) + exp(−∞))\n"
        "  = 1.00 ÷ (0.333 + 1.00 + 0)\n"
        "  = 1.00 ÷ 1.33\n"
        "  = 0.750"
    )
    plain = arithmetic.softmax_terms(np.array([-1.0, -2.0]), 0, subtract_max=False)
    assert arithmetic.as_text(plain, "w").startswith("w = exp(−1.00) ÷ (exp(−1.00) + exp(−2.00))\n")
    below_zero = arithmetic.softmax_terms(np.array([-1.0, -2.0]), 0)
    assert "exp(−2.00 − (−1.00))" in arithmetic.as_text(below_zero, "w")


def test_a_fully_masked_row_has_weight_zero_and_says_so() -> None:
    record = arithmetic.softmax_terms(np.full(3, -np.inf), 1, value=0.0)
    assert record.total == 0 and record.agrees
    assert arithmetic.as_text(record, "w").startswith("w = 0 (every key is masked, so the weight is set to 0)")


def test_scaled_and_masked_by_hand() -> None:
    record = arithmetic.scaled(3.0, 4, value=1.5)
    assert record.total == 1.5 and record.difference == 0
    assert arithmetic.as_text(record, "s").splitlines() == [
        "s = 3.00 ÷ √4",
        "  = 3.00 ÷ 2.00",
        "  = 1.50",
        "the model's value: 1.50, difference 0",
    ]
    assert arithmetic.masked(1.5, True).total == 1.5
    hidden = arithmetic.masked(1.5, False, value=-np.inf)
    assert hidden.total == -math.inf and hidden.difference == 0 and hidden.agrees
    assert not arithmetic.masked(1.5, False, value=1.5).agrees
    assert arithmetic.as_text(arithmetic.masked(1.5, False), "s") == "s = −∞ (masked: it was 1.50)"


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (0.12, "0.120"),
        (-0.05, "−0.0500"),
        (0.9996, "1.00"),
        (12345.6, "12,346"),
        (-3.1e-6, "−3.10·10⁻⁶"),
        (1e300, "1.00·10³⁰⁰"),
        (-math.inf, "−∞"),
    ],
)
def test_numbers_are_written_to_three_digits(x: float, text: str) -> None:
    assert arithmetic.number(x) == text


@given(st.floats(-1e5, 1e5), st.integers(1, 8))
def test_a_written_number_is_the_number_to_its_digits(x: float, digits: int) -> None:
    text = arithmetic.number(x, digits)
    assert "-" not in text
    if "10" not in text or "·" not in text:
        assert numbers_in(text)[0] == pytest.approx(x, rel=0.51 * 10 ** (1 - digits))


def test_mistakes_are_named() -> None:
    with pytest.raises(ValueError, match=r"\(2,\) and \(3,\)"):
        arithmetic.dot_terms(np.ones(2), np.ones(3))
    with pytest.raises(ValueError, match="d_k must be at least 1, not 0"):
        arithmetic.scaled(1.0, 0)
    with pytest.raises(ValueError, match="key 2 is not one of the keys 0 to 1"):
        arithmetic.softmax_terms(np.ones(2), 2)
    with pytest.raises(ValueError, match=r"exp\(1000\) is too large"):
        arithmetic.softmax_terms(np.array([1000.0, 0.0]), 0, subtract_max=False)
