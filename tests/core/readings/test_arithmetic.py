"""The arithmetic of one cell as the lines that show it."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.analysis import arithmetic
from core.readings.arithmetic import as_text


def test_text_of_a_short_sum_is_full_and_has_real_minus_signs() -> None:
    record = arithmetic.dot_terms(np.array([0.12, 0.31]), np.array([0.8, -0.05]))
    assert as_text(record, "q3·k1") == "q3·k1 = 0.120 × 0.800 + 0.310 × −0.0500\n      = 0.0805"


def test_the_text_of_a_projection_ends_with_its_bias() -> None:
    record = arithmetic.projection_terms(np.array([2.0, -1.0]), np.array([3.0, 4.0]), bias=0.5)
    text = as_text(record, "q1[0]")
    assert text.splitlines()[0] == "q1[0] = 2.00 × 3.00 + −1.00 × 4.00 + 0.500 (bias)"


def test_a_long_sum_shows_its_eight_largest_terms_and_what_the_rest_add() -> None:
    a = np.array([0.001, *range(1, 12)])
    text = as_text(arithmetic.dot_terms(a, np.ones(12)), "s").splitlines()[0]
    assert text.startswith("s = [11] 11.0 × 1.00 + [10] 10.0 × 1.00 + ") and text.count("×") == 8
    assert text.endswith("+ … and 4 smaller terms adding 6.00")
    many = arithmetic.dot_terms(np.ones(1024), np.ones(1024))
    assert "and 1,016 smaller terms adding 1,016" in as_text(many, "s")
    assert "and 1 smaller term adding" in as_text(arithmetic.dot_terms(np.ones(9), np.ones(9)), "s")


def test_softmax_text_by_hand() -> None:
    record = arithmetic.softmax_terms(np.array([0.0, math.log(3), -np.inf]), 1)
    assert as_text(record, "w") == (
        "w = exp(1.10 − 1.10) ÷ (exp(0 − 1.10) + exp(1.10 − 1.10) + exp(−∞))\n"
        "  = 1.00 ÷ (0.333 + 1.00 + 0)\n"
        "  = 1.00 ÷ 1.33\n"
        "  = 0.750"
    )
    below_zero = arithmetic.softmax_terms(np.array([-1.0, -2.0]), 0)
    assert "exp(−2.00 − (−1.00))" in as_text(below_zero, "w")


@given(st.integers(0, 2**16), st.integers(1, 30))
def test_no_row_of_scores_is_written_as_nan(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    row = np.where(rng.random(size) < 0.3, -np.inf, rng.normal(size=size) * 5)
    assert "nan" not in as_text(arithmetic.softmax_terms(row, 0), "weight")


def test_a_fully_masked_row_says_so() -> None:
    record = arithmetic.softmax_terms(np.full(3, -np.inf), 1, value=0.0)
    assert as_text(record, "w").startswith("w = 0 (every key is masked, so the weight is set to 0)")


def test_scaling_and_mask_by_hand() -> None:
    assert as_text(arithmetic.scaling_terms(3.0, 4, value=1.5), "s").splitlines() == [
        "s = 3.00 ÷ √4",
        "  = 3.00 ÷ 2.00",
        "  = 1.50",
        "the model's value: 1.50, difference 0",
    ]
    assert as_text(arithmetic.mask_terms(1.5, False), "s") == "s = −∞ (masked: it was 1.50)"
