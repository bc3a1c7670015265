"""How telling the links of a pattern are: worked by hand, and on patterns that are drawn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.topics.shared.telling import last_telling_row, link_scores, telling_cell, worth
from core.tracing.run import TokenRow

PIECES = ("(start)", "The", "girl", "saw", "a", "wo", "·od", ".", "Girl")
WORDS = (0, 1, 2, 3, 4, 5, 5, 6, 7)
ROW = TokenRow(tuple(range(300, 309)), PIECES, WORDS, ("(start)", "The", "girl", "saw", "a", "wood", ".", "Girl"))


def looks(**at: tuple[int, float]) -> np.ndarray:
    """A causal pattern (9, 9) whose rows look at themselves, but for row r, which gives key k the weight w."""
    pattern = np.eye(9)
    for name, (key, weight) in at.items():
        row = int(name[1:])
        pattern[row] = 0
        pattern[row, key], pattern[row, 0] = weight, 1 - weight
    return pattern


def test_links_are_worth_more_the_more_they_say() -> None:
    found = worth(ROW, ROW, True)
    assert found[8, 3] == 4, "two content words apart"
    assert found[3, 2] == 3, "two content words side by side"
    assert found[3, 1] == 2, "from a content word to a function word"
    assert found[6, 2] == 1, "from the end of a word to a word"
    assert not found[8, 2], "the same word, in another case"
    assert not found[:, [0, 7]].any() and not found[[0, 7]].any(), "marks and what stands for the start"
    assert worth(ROW, ROW, False)[3, 2] == 4, "of two texts no places are compared"


def test_a_clear_link_comes_first_then_what_it_is_worth_then_its_weight() -> None:
    of_links = worth(ROW, ROW, True)
    assert telling_cell(looks(r8=(3, 0.6), r3=(2, 0.9)), ROW, ROW, True) == (8, 3), "apart before side by side"
    assert telling_cell(looks(r8=(3, 0.2), r3=(2, 0.9)), ROW, ROW, True) == (3, 2), "0.2 is not the strongest"
    scores = link_scores(looks(r8=(3, 0.9), r3=(2, 0.8)), of_links)
    assert scores[8, 3] == pytest.approx(14.9) and scores[3, 2] == pytest.approx(13.8) and scores.sum() < 29


def test_where_no_link_says_anything_the_last_query_with_a_choice_is_taken() -> None:
    dull = np.zeros((9, 9))
    dull[:, 0] = 1
    dull[4, :2] = 0.6, 0.4
    assert telling_cell(dull, ROW, ROW, True) == (4, 0)
    assert telling_cell(np.eye(9), ROW, ROW, True) == (8, 8)


def test_the_last_row_is_that_of_the_last_content_word_that_looks_clearly_at_another() -> None:
    assert last_telling_row(looks(r3=(2, 0.9), r8=(3, 0.5)), ROW, ROW, True) == 8
    assert last_telling_row(looks(r3=(2, 0.9), r8=(1, 0.9)), ROW, ROW, True) == 3, "“The” is a function word"
    assert last_telling_row(looks(r4=(1, 0.9)), ROW, ROW, True) == 4, "no content word looks at another"


@given(st.integers(0, 2**31))
def test_it_is_never_the_first_cell_nor_a_mark(seed: int) -> None:
    pattern = np.tril(np.random.default_rng(seed).random((9, 9)) ** 8)
    pattern /= pattern.sum(-1, keepdims=True)
    row, key = telling_cell(pattern, ROW, ROW, True)
    assert row > 0 and key == pattern[row].argmax()
    if link_scores(pattern, worth(ROW, ROW, True)).any():
        assert PIECES[row][-1].isalnum() and PIECES[key][-1].isalnum() and row != key
