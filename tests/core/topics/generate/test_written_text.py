"""A written text as a page looks at it: stretches and tables of it, its branches, and several texts compared."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.decoding.sampling import GREEDY
from core.limits import WRITTEN_TOKENS
from core.model.config import TransformerConfig
from core.model.masks import CausalMask
from core.text.special import EOS
from core.topics.generate.along import BitsAlong, GrowingPattern, LensAlong, growing_pattern
from core.topics.generate.drawn import DrawnTexts
from core.topics.generate.records import Attentions, GeneratedToken, Lens, Sample
from core.topics.generate.story import Story, read_branches, room_behind
from core.topics.shared.labels import numbered_pieces
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run

CONFIG = TransformerConfig("decoder", 1000, 16, 2, 2, max_length=40)
RUN = Run("The cat", CONFIG, "", "unigram-1000", (CausalMask(),))


def token(number: int, ended: bool = False) -> GeneratedToken:
    return GeneratedToken(10 + number, f"t{number}", 0.5, 0.25, 0.1, False, number / 2, float(number), ended)


def story(count: int, **more: Any) -> Story:
    written = tuple(token(number) for number in range(count))
    return replace(Story(RUN, GREEDY, (), (1, 2), written, 30, None), **more)


def test_the_token_looked_at_is_one_that_is_written() -> None:
    assert (story(0).at, story(3).at, story(3, looked=1).at, story(3, looked=9).at) == (-1, 2, 1, 2)
    assert story(3, looked=1).ids == (1, 2, 10) and story(3, looked=1).token.piece == "t1"
    assert [story(3).chosen_after(row) for row in (0, 1, 3, 4)] == [None, 0, 2, None]


def test_a_text_is_over_where_its_last_token_ends_it() -> None:
    by_itself = story(1, written=(replace(token(0, ended=True), chosen=EOS),))
    assert by_itself.over and by_itself.ended
    full = story(1, written=(token(0, ended=True),))
    assert full.over and not full.ended and not story(1).over and not story(0).over


def test_a_new_branch_keeps_those_before_it_and_is_read_again() -> None:
    found = story(5, forced=((1, 7), (2, 8), (4, 9)), looked=2)
    assert found.forced_here == 8 and found.branches_with(77) == "1:7,2:77"
    assert read_branches(found.branches_with(77), 1000) == (((1, 7), (2, 77)), [])


def test_there_is_room_for_one_token_at_least_and_for_no_more_than_the_most() -> None:
    assert [room_behind(CONFIG, start) for start in (1, 40, 41)] == [40, 1, 1]
    assert room_behind(replace(CONFIG, max_length=512), 1) == WRITTEN_TOKENS


@pytest.mark.parametrize(("count", "at", "stretch"), [(3, 2, (0, 3)), (60, 0, (0, 40)), (60, 50, (20, 40))])
def test_the_stretch_in_the_picture_holds_the_token_looked_at(count: int, at: int, stretch: tuple[int, int]) -> None:
    found = BitsAlong(story(count).written, at)
    labels, surprisal, entropy, here = found.drawn
    first, shown = found.stretch
    assert (first, shown) == stretch and len(labels) == len(surprisal) == len(entropy) == shown
    assert labels[here] == f"{at}:t{at}" and surprisal[here] == at and entropy[here] == at / 2
    numbers, rows, columns = found.table
    np.testing.assert_array_equal(numbers[at], [at, at / 2, 0.25, 0.5])
    assert numbers.shape == (count, 4) == (len(rows), len(columns))


@pytest.mark.parametrize("read", [3, 20])
def test_the_lens_ends_with_the_row_that_chose_the_token(read: int) -> None:
    pieces = tuple(f"p{place}" for place in range(read))
    probabilities = np.random.default_rng(0).random((3, read))
    best = tuple(tuple(f"{layer}after{place}" for place in range(read)) for layer in range(3))
    found = LensAlong(Lens(pieces, best, probabilities, probabilities / 2), "came")
    labels, said, drawn, came, here = found.drawn
    first, count = found.stretch
    assert count == min(16, read) == len(labels) == here + 1 and first == read - count
    assert labels[here] == f"{read - 1}:p{read - 1}" and came[here] == "came" and came[0] == f"p{first + 1}"
    assert [row[here] for row in said] == found.last[0] == [f"{layer}after{read - 1}" for layer in range(3)]
    np.testing.assert_array_equal(drawn[:, here], found.last[1])
    numbers, rows, columns = found.table
    np.testing.assert_array_equal(numbers, probabilities.T / 2)
    assert len(rows) == read and list(columns) == ["layer 0", "layer 1", "layer 2"]


def attentions(length: int) -> Attentions:
    pieces = tuple("abcdefg"[:length])
    weights = np.random.default_rng(0).random((2, 3, length, length))
    return Attentions(pieces, (), tuple(range(length)), pieces, (), (), weights, None, None)


def test_the_newest_rows_are_the_last_of_every_head() -> None:
    seen = attentions(4)
    numbers, names, labels = seen.newest_rows
    assert numbers.shape == (6, 4) and (names[0], names[3], names[5]) == ("L1 H1", "L2 H1", "L2 H3")
    np.testing.assert_array_equal(numbers[4], seen.decoder[1, 1, 3])
    assert labels == ("0:a", "1:b", "2:c", "3:d")


def test_a_growing_pattern_is_crossed_out_where_its_mask_hides() -> None:
    seen = attentions(4)
    found: GrowingPattern = growing_pattern(RUN, seen, HeadAddress("decoder", 1, 2))
    drawn, *labels = found.drawn
    np.testing.assert_array_equal(np.isneginf(drawn), ~np.tri(4, dtype=bool))
    np.testing.assert_array_equal(found.table[0], seen.decoder[1, 2])
    assert labels == [seen.labels, seen.labels]


def test_several_texts_are_compared_and_a_single_one_is_not() -> None:
    two = DrawnTexts((Sample("a", (1, 2), ("a", "b"), -4.0, False), Sample("b", (1, 3), ("a", "c"), -2.0, False)))
    assert two.several and two.shared == 1 and two.likeliest == 1
    np.testing.assert_allclose(two.bits, [2 / math.log(2), 1 / math.log(2)])
    numbers, rows, columns = two.table
    np.testing.assert_allclose(numbers[0], [2 / math.log(2), -4, 2])
    assert rows == ["0: a", "1: b"] and len(columns) == 3
    one = DrawnTexts(two.samples[:1])
    assert not one.several and one.shared == 0 and one.likeliest is None


def test_pieces_are_numbered_so_that_they_differ() -> None:
    assert numbered_pieces(["a", "a"]) == ("0:a", "1:a")
    assert numbered_pieces([]) == ()
