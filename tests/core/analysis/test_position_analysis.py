"""What is measured on tables of positions: against loops, hand-worked cases and theory."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.readings.words import number
from core.topics.positions.analysis.encodings import (
    by_distance,
    closest,
    score_by_distance,
    shift,
    theory_by_distance,
    turning,
    wavelength,
    wavelength_in_theory,
)
from core.topics.positions.encodings import Encoding, dot_products, encode, moved_penalties, shifted
from core.topics.positions.readings.measures import (
    read_angles,
    read_closest,
    read_distances,
    read_long,
    read_moved,
    read_pair,
    read_shift,
    read_turned,
    read_waves,
)
from tests.core import oracles

SHAPES = st.tuples(st.integers(2, 40), st.integers(1, 12), st.sampled_from([1.01, 100.0, 10000.0, 1e9]))


def test_by_distance_is_the_loop_over_pairs() -> None:
    square = np.arange(25.0).reshape(5, 5)
    square = square + square.T
    found = by_distance(square)
    for distance in range(5):
        values = [square[p, p - distance] for p in range(distance, 5)]
        assert found.pairs[distance] == len(values)
        assert found.mean[distance] == pytest.approx(np.mean(values))
        assert found.spread[distance] == pytest.approx(np.std(values))


@given(SHAPES)
@settings(max_examples=30)
def test_dot_products_of_waves_are_the_sum_of_cosines_of_the_distance(shape: tuple[int, int, float]) -> None:
    length, pairs, base = shape
    for kind in ("sinusoidal", "rotary"):
        found = dot_products(Encoding(kind, length, 2 * pairs, base))
        assert found.theory is not None
        np.testing.assert_allclose(found.measured.mean, found.theory, atol=1e-4)
        assert found.measured.spread.max() < 1e-4
        assert found.measured.mean[0] == pytest.approx(pairs, abs=1e-4)


@pytest.mark.parametrize("width", [64, 1024])
def test_an_untrained_learned_table_keeps_to_theory_within_its_standard_error(width: int) -> None:
    found = dot_products(Encoding("learned", 512, width, seed=11))
    assert found.theory is not None
    error = found.measured.spread / np.sqrt(found.measured.pairs)
    many = found.measured.pairs > 30
    off = np.abs(found.measured.mean - found.theory)[many] / error[many]
    assert off.max() < 5 and np.mean(off < 2) > 0.9
    np.testing.assert_allclose(found.measured.spread[1:300].mean(), 1 / np.sqrt(width), rtol=0.02)
    assert found.measured.spread[0] == pytest.approx(np.sqrt(2 / width), rel=0.2)


def test_alibi_and_none_keep_to_theory() -> None:
    for kind in ("alibi", "none"):
        found = dot_products(Encoding(kind, 33, head=2, heads=6))
        assert found.theory is not None
        np.testing.assert_allclose(found.measured.mean, found.theory, atol=1e-6)
        assert found.measured.spread.max() < 1e-6
    assert not moved_penalties(Encoding("alibi", 33, head=2, heads=6), 4).any()


def test_where_the_formula_says_nothing_there_is_no_theory() -> None:
    assert theory_by_distance("binary", 8, 8, 10.0, 0.0) is None
    assert theory_by_distance("sinusoidal", 8, 7, 10.0, 0.0) is None


@given(st.integers(1, 39), st.integers(1, 8), st.sampled_from([1.01, 50.0, 10000.0]))
@settings(max_examples=30)
def test_one_matrix_shifts_every_position_of_the_waves(k: int, pairs: int, base: float) -> None:
    matrix = turning(k, 2 * pairs, base)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(2 * pairs), atol=1e-12)
    table = oracles.sinusoidal(40, 2 * pairs, base)
    np.testing.assert_allclose(table[:-k] @ matrix.T, table[k:], atol=1e-10)
    found = shifted(Encoding("sinusoidal", 40, 2 * pairs, base), k)
    assert found.errors_constructed is not None and found.errors_constructed.max() < 1e-5
    assert found.errors_fitted.max() < 1e-4 and found.rows == 40 - k
    said = f"One matrix turns every position into the one {k} further on: the two pictures agree."
    assert read_shift("sinusoidal", found, k, 2 * pairs)[0] == said


def test_a_fit_is_the_least_squares_solution() -> None:
    table = np.random.default_rng(3).standard_normal((30, 4))
    found = shift(table, 2)
    before, after = table[:-2], table[2:]
    gradient = (before @ found.fitted.T - after).T @ before
    np.testing.assert_allclose(gradient, 0, atol=1e-9)
    np.testing.assert_allclose(found.errors_fitted, np.abs(before @ found.fitted.T - after).max(1))
    assert found.constructed is None and found.errors_constructed is None
    half = np.linalg.lstsq(before[::2], after[::2], rcond=None)[0]
    np.testing.assert_allclose(found.errors_unseen, np.abs(before[1::2] @ half - after[1::2]).max(1))
    assert found.unseen == found.errors_unseen.max() and shift(table[:3], 2).unseen is None


@pytest.mark.parametrize(("kind", "width"), [("binary", 8), ("learned", 8)])
def test_other_tables_have_no_such_matrix(kind: str, width: int) -> None:
    found = shifted(Encoding(kind, 64, width), 3)
    assert found.errors_fitted.max() > 0.3
    headline, below = read_shift(kind, found, 3, width)
    assert headline == "No matrix turns every position into the one 3 further on."
    assert below == f"The best one still errs by up to {number(found.errors_fitted.max())}."


def test_a_fit_that_is_free_to_be_perfect_is_found_out() -> None:
    found = shifted(Encoding("learned", 32, 64), 3)
    assert found.errors_fitted.max() < 1e-4 and found.unseen is not None and found.unseen > 0.1
    headline, below = read_shift("learned", found, 3, 64)
    assert headline == (
        "One matrix fits all these positions, but only by heart: fitted on every second one, it misses the others."
    )
    assert "only because 64 columns leave it free" in below
    exact = read_shift("binary", shift(np.ones((9, 2)), 3), 3, 2)
    assert exact[0] == "One matrix turns each of these 6 positions into the one 3 further on." and len(exact) == 2


@pytest.mark.parametrize("k", [0, 8, 9])
def test_a_shift_out_of_the_table_is_refused(k: int) -> None:
    with pytest.raises(ValueError, match=f"a shift by {k} needs more than {k} positions, and there are 8"):
        shift(np.zeros((8, 2)), k)


@pytest.mark.parametrize("kind", ["sinusoidal", "rotary", "binary"])
def test_wave_lengths_are_what_theory_says(kind: str) -> None:
    table = encode(Encoding(kind, 512, 16, 20.0))
    for dimension in range(6):
        said = wavelength_in_theory(kind, dimension, 16, 20.0)
        assert wavelength(table[:, dimension]) == pytest.approx(said, rel=0.01)
    assert wavelength(np.zeros(9)) is None and wavelength_in_theory("learned", 0, 16, 20.0) is None
    assert read_waves([None], [100.0], [3]) == [
        "Dimension 3 has not repeated yet.",
        "Dimension 3 has not repeated yet (theory: every 100 positions).",
    ]
    assert read_waves([6.3], [6.28], [4])[0] == "Dimension 4 repeats every 6.30 positions."
    assert read_waves([6.3, 6.3], [6.28, 6.28], [4, 5])[0] == "Dimensions 4 and 5 are waves of the same length."
    assert read_waves([6.3, None], [6.28, 62.8], [0, 9])[0] == (
        "Higher dimensions are slower waves: dimension 9 takes longer to repeat than dimension 0."
    )
    assert read_waves([None, None], [None, None], [0, 1]) == ["These numbers follow no wave."]


@pytest.mark.parametrize("length", [16, 33, 64, 100, 130])
def test_a_wave_has_repeated_once_it_is_back_at_its_start(length: int) -> None:
    table = encode(Encoding("sinusoidal", length, 64))
    for dimension in range(64):
        period = wavelength_in_theory("sinusoidal", dimension, 64, 10_000.0)
        assert period is not None
        found = wavelength(table[:, dimension])
        assert found == (pytest.approx(period, rel=0.02) if period <= length - 1 else None), dimension


def test_the_closest_rows_are_found() -> None:
    table = np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 3.0], [5.0, 1.0]])
    assert closest(table) == (1, 3, 1.0)
    assert closest(table[:1]) is None
    assert "Positions 0 and 1 have the same vector" in read_closest("none", closest(np.zeros((4, 2))))[0]
    apart = read_closest("learned", closest(np.array([[0.0, 0.0], [3.0, 4.0], [30.0, 40.0]])))
    assert apart[1] == ("The most alike are 0 and 1: their vectors are 5.00 apart.")


@pytest.mark.parametrize("base", [50.0, 10000.0])
def test_a_rotary_score_by_distance_is_the_turned_dot_product(base: float) -> None:
    q, k = np.random.default_rng(4).standard_normal((2, 8))
    found = score_by_distance("rotary", q, k, 20, base, 0.0)
    assert found is not None
    turned = oracles.rotate(np.repeat(q[None], 20, 0), base)
    np.testing.assert_allclose(found, turned @ k, atol=1e-12)


def test_other_scores_by_distance_by_hand() -> None:
    q, k = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    for kind, expected in (("alibi", [11, 10.5, 10]), ("none", [11, 11, 11])):
        found = score_by_distance(kind, q, k, 3, 1.0, 0.5)
        assert found is not None and found.tolist() == expected
    assert score_by_distance("sinusoidal", q, k, 2, 1.0, 0.5) is None


def test_readings_say_what_the_numbers_are() -> None:
    scores = np.array([1.0, 2.0, 5.0, -4.0])
    words, pair = ("1:on", "0:cat"), "the query of “on” and the key of “cat”"
    assert read_pair(*words, scores, 2, None) == (
        "Beyond the model's length, the score of “on” for “cat” leaves its earlier range.",
        "Up to distance 1 the score runs from 1.00 to 2.00, beyond it from −4.00 to 5.00.",
    )
    assert read_pair(*words, scores, 2, scores + 0.25)[1].endswith("; nowhere more than 0.25 from theory.")
    assert read_pair(*words, np.array([1.0, 2.0, 1.5]), 2, None)[0] == (
        "Beyond the model's length, the score of “on” for “cat” stays within its earlier range."
    )
    assert read_pair(*words, np.ones(3), 2, None) == (
        f"Wherever they stand, {pair} give the same score.",
        "At every distance the score is 1.00.",
    )
    headline, below = read_pair(*words, scores[:2], 2, None)
    assert headline == f"Here {pair} are at most 1 position apart: then the vectors end."
    assert below.endswith("; beyond that the model has no position vectors at all.")
    values, falling = np.array([9.0, 9, 9, 1, 9, 9, 9, 3]), np.array([9.0, 9, 9, 3, 9, 9, 9, 1])
    headline, below = read_long(False, values, 4)
    assert headline == (
        "Far beyond the length that the model was made for, the head spreads over more keys than just before it."
    )
    assert below == (
        "Keys that the head spreads over: 1.00 ± 0 over the last 1 token before the limit, 3.00 ± 0 over the last 1 of "
        "all (mean ± standard deviation)."
    )
    assert "the head spreads over fewer keys than just before it" in read_long(False, falling, 4)[0]
    assert "the head spreads over about as many keys as just before it" in read_long(False, np.ones(8), 4)[0]
    assert read_long(True, values, 4)[0] == (
        "Far beyond the length that it was made for, the model is more surprised than just before it."
    )
    assert "the model is less surprised than just before it" in read_long(True, falling, 4)[0]
    assert "the model is about as surprised as just before it" in read_long(True, np.ones(8), 4)[0]
    assert "only one position" in read_distances("none", by_distance(np.zeros((1, 1))), None)[0]


@pytest.mark.parametrize(
    ("products", "headline", "decides"),
    [
        ([[2, 1], [1, 2]], "Every position is most like its neighbours.", "on the distance alone:"),
        ([[2, 1], [1, 3]], "On average a position is most like its neighbours.", "on where the two stand, not on"),
        ([[2, 0, 1], [0, 3, 0], [1, 0, 2]], "On average a position is not most like its neighbours.", "on where the"),
        ([[0, 0], [0, 0]], "The dot product of two positions is the same at every distance.", "on the distance alone:"),
    ],
)
def test_what_decides_a_dot_product_is_told_from_the_numbers(
    products: list[list[float]], headline: str, decides: str
) -> None:
    said = read_distances("learned", by_distance(np.array(products, float)), None)
    assert said[0] == headline and said[1].startswith(f"The dot product depends {decides}")


def test_alibi_lowers_scores_by_distance() -> None:
    headline, text = read_distances("alibi", by_distance(np.array([[0, -0.5], [-0.5, 0]])), None)
    assert headline == "The farther apart two tokens stand, the more ALiBi lowers their score."
    assert text.startswith("The penalty depends on the distance alone: at distance 0 the mean penalty is 0")


def test_penalties_and_angles_are_read_out_with_their_numbers() -> None:
    read = read_moved(np.array([0.0, 0.5, 0.25]), 0.125, 4)
    assert read == [
        "The place changes the penalty.",
        "At distance 4 it is −0.5000: over 3 placings it changes by at most 0.50.",
    ]
    assert read_moved(np.zeros(3), 0.125, 4)[0] == "Wherever two words stand, 4 apart, the penalty is the same."
    turned = read_turned("0:cat", "1:sat", np.array([1.0, 2.0]), 1, 1.0, 0.5)
    assert turned[0] == "The place changes the score of the query of “cat” and the key of “sat”."
    near, angles = read_angles(0.01234, 0.0625, 0.5, 8000, 512, 16)
    alike = "Vectors of tokens and of positions are, on average,"
    assert near == f"{alike} farther from a right angle than random ones."
    assert read_angles(0.0, 0.06, 0.5, 8000, 512, 16)[0] == f"{alike} nearer to a right angle than random ones."
    assert read_angles(0.0, 0.0625, 0.5, 8000, 512, 16)[0] == (
        f"{alike} about as near to a right angle as random ones."
    )
    assert "Over 8,000 tokens and 512 positions the mean cosine is 0.012 and the variance 0.0625" in angles
    assert "in 16 dimensions have 0 and 0.0625; the largest in size is 0.500." in angles
