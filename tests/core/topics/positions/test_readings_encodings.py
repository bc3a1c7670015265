"""Words and formulas about encodings of positions, on cases worked by hand."""

import numpy as np
import pytest

from core.topics.positions.analysis.encodings import shift
from core.topics.positions.encodings import KINDS, Encoding, encode
from core.topics.positions.readings.encodings import (
    read_encoding,
    read_penalty,
    read_untrained,
    write_cell,
    write_dot_products,
    write_score_at,
    write_shift,
    write_wave_lengths,
)
from core.topics.positions.readings.measures import (
    name_shift,
    read_beginning,
    read_long,
    read_measured,
    read_repeated,
    read_unseen,
)
from core.topics.positions.readings.terms import read_joined, read_parts


@pytest.mark.parametrize("kind", KINDS)
def test_every_encoding_has_its_words_and_a_formula_for_each_number(kind: str) -> None:
    encoding = Encoding(kind, 6, 4)
    assert read_encoding(kind).startswith(read_encoding(kind, as_table=False))
    assert (read_encoding(kind) != read_encoding(kind, as_table=False)) == (kind in ("rotary", "alibi"))
    assert write_cell(encoding, 3, 2, float(encode(encoding)[3, 2])) and write_dot_products(encoding)
    assert bool(write_wave_lengths(encoding)) == (kind in ("binary", "sinusoidal", "rotary"))


def test_a_cell_of_a_wave_is_a_sine_in_even_and_a_cosine_in_odd_columns() -> None:
    waves = Encoding("sinusoidal", 9, 4, 100.0)
    assert write_cell(waves, 5, 2, 0.4794).endswith(r"= \sin(0.5) = 0.4794")
    assert write_cell(waves, 5, 3, 0.8776).endswith(r"= \cos(0.5) = 0.8776")
    assert write_cell(Encoding("rotary", 9, 4, 100.0), 5, 2, 0.8776).endswith(r"= 0.5 \qquad \cos(\theta) = 0.8776")


def test_an_odd_width_has_no_sum_of_cosines() -> None:
    assert r"\cos" in write_dot_products(Encoding("sinusoidal", 9, 4))
    assert write_dot_products(Encoding("sinusoidal", 9, 5)).endswith(r"\sum_{i=0}^{4} PE(p, i)\, PE(q, i)")


def test_the_shift_is_titled_by_where_its_matrix_comes_from() -> None:
    table = encode(Encoding("sinusoidal", 9, 4))
    built, fitted = shift(table, 2, 10000.0), shift(table, 2)
    assert built.constructed is built.matrix and fitted.matrix is fitted.fitted
    assert name_shift(built, 2, 4) == "M(2), from the formula"
    assert name_shift(fitted, 2, 3) == "M(2), fitted, its first 3 rows and columns"
    assert "largest error there is" in read_unseen("sinusoidal", built) and not read_unseen("none", built)
    assert not read_unseen("sinusoidal", shift(table[:2], 1))
    assert write_shift(2, 4, fitted=True).startswith(r"\min_M") and r"\mathbb{R}^{4 \times 4}" in write_shift(
        2, 4, False
    )


def test_a_score_that_is_no_plain_dot_product_has_no_formula_of_its_own() -> None:
    assert write_score_at("alibi", "scaled_dot", 8, 16).startswith(r"s(d) = q \cdot k")
    for kind, score in (("alibi", "general"), ("learned", "scaled_dot")):
        expected = r"s(d) = \operatorname{score}(q_d, k_0)\qquad d = 0, \dots, 7 \qquad d_k = 16"
        assert write_score_at(kind, score, 8, 16) == expected


def test_the_untrained_table_says_where_a_trained_one_is() -> None:
    assert "No trained model here has learned positions" in read_untrained((), beside=False)
    assert read_untrained(("one", "two"), beside=False).endswith("and here when you choose “one” or “two”.")
    assert "A trained one" not in read_untrained(("one",), beside=True)


def test_how_a_pair_was_measured() -> None:
    assert "the ones that layer 3 computed" in read_measured("rotary", False, 64, 2)
    assert read_measured("binary", True, 64, 0).endswith("up to 64 tokens.")
    assert read_measured("learned", True, 64, 0).endswith("no vector for the next one.")
    assert read_repeated(7, 64).startswith("Your text of 7 tokens, repeated to 128")


def test_the_parts_of_a_score_and_the_price_of_joining() -> None:
    plain = read_parts(1, 2e-7, general=False, pre_norm=False)
    assert plain.startswith("Layer 1, head 2") and plain.endswith("to within 2.0·10⁻⁷.")
    both = read_parts(0, 0.0, general=True, pre_norm=True)
    assert "the matrix of its score" in both and both.endswith("by the same number.")
    assert read_joined(1000, 2000, 8).endswith(
        "1,000 with positions added, 2,000 with 8 numbers of position concatenated."
    )


def test_a_change_within_two_standard_errors_is_no_change() -> None:
    inside, beyond = (
        np.array([3.0, 5.0, 3.0, 5.0]),
        np.array([3.5, 5.5, 3.5, 5.5]),
    )  # error: √½
    values = np.concatenate([np.zeros(12), inside, np.zeros(12), beyond])
    assert read_long(False, values, 16)[0] == (
        "Nothing breaks here: far beyond the length that the model was made for, the head spreads over about as many "
        "keys as just before it."
    )
    values[-4:] += 2
    more = "Far beyond the length that it was made for, the model is more surprised than just before it."
    assert read_long(True, values, 16)[0] == more


def test_a_long_text_is_cut() -> None:
    assert read_beginning(["a", "b"]) == "a b" and read_beginning(["a"] * 40) == " ".join("a" * 40)
    assert read_beginning(["a"] * 41) == " ".join("a" * 40) + " …"


def test_a_penalty_is_told_by_step_and_at_most() -> None:
    assert read_penalty(np.array([[0.0, -0.5], [-0.5, 0.0]]), 0.5) == (
        "Each step between query and key takes 0.5000 off their score.",
        "The farthest key loses 0.5000, the token itself nothing.",
    )
