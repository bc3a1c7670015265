"""Treatments do what they say, in their order, and say what they did."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.aggregate import hide_and_renormalise, merge_words, threshold
from core.analysis.treatments import Side, Treatment, treat
from core.readings.patterns import read_link
from core.readings.treatments import name_treatment, read_done, read_treated, read_treatment
from tests.core.analysis_patterns import pattern_of, stacks

LABELS = ["0:a", "1:b", "2:c"]


def test_a_treatment_hides_then_merges_then_thresholds() -> None:
    side = Side(LABELS, (0, 0, 1), ("ab", "c"))
    pattern = pattern_of(3, (2, 3, 3))
    treated = treat(pattern, side, side, Treatment((0,), True, 0.3))
    merged = merge_words(hide_and_renormalise(pattern, [0]), side.words, side.words)
    np.testing.assert_array_equal(treated.pattern, threshold(merged, 0.3).pattern)
    np.testing.assert_array_equal(treated.whole, merged)
    assert treated.queries == treated.keys == ("0:ab", "1:c")
    assert [done.split()[0] for done in read_treatment(treated)] == ["Hidden", "Pieces", "Weights"]
    assert "“a”" in read_treatment(treated)[0]
    assert name_treatment(treated) == "1 of 3 keys hidden, words, weights below 30% hidden"


@given(stacks(square=True))
def test_no_treatment_changes_nothing(patterns: np.ndarray) -> None:
    length = patterns.shape[-1]
    side = Side([str(n) for n in range(length)], range(length), [str(n) for n in range(length)])
    treated = treat(patterns, side, side, Treatment())
    np.testing.assert_array_equal(treated.pattern, patterns)
    assert read_treatment(treated) == () and treated.queries == tuple(side.labels) and treated.whole is treated.pattern
    empty = not patterns.any(-1).all()
    assert name_treatment(treated) == "rows sum to 1" + (
        "; those that may attend to nothing are zeros" if empty else ""
    )


@given(st.lists(st.integers(0, 1), min_size=1, max_size=8))
def test_a_piece_and_its_word_find_each_other(joins: list[int]) -> None:
    words = tuple(int(n) for n in np.cumsum([0, *joins]))
    side = Side(LABELS, words, [str(word) for word in range(words[-1] + 1)])
    for piece, word in enumerate(words):
        assert side.row_of(piece, True) == word and side.row_of(piece, False) == piece
        assert side.words[side.first_piece(word, True)] == word


def test_a_merged_row_in_bfloat16_stays_a_weight() -> None:
    side = Side(("a", "b"), (0, 0), ("ab",))
    pattern = np.array([[0.5, 0.5039], [0.5, 0.5039]], dtype=np.float32)
    assert treat(pattern, side, side, Treatment(merge=True)).pattern.max() == 1


def test_what_is_left_is_read_and_a_pinned_row_after_it() -> None:
    side = Side(LABELS, range(3), LABELS)
    pattern = np.array([[1, 0, 0], [0.25, 0.75, 0], [0, 0, 0]], dtype=np.float32)
    shown = treat(pattern, side, side, Treatment())
    assert read_treated(shown, pattern, None) == list(read_link(pattern, LABELS))
    assert read_treated(shown, pattern, None, two_texts=True) == list(read_link(pattern, LABELS, LABELS))
    assert read_treated(shown, pattern, 1)[-1] == "“b” gives 75% to itself and 25% to “a”."
    assert read_treated(shown, pattern, 1)[0] == "“b” looks mostly at itself: 75% of its attention goes there."
    hidden = treat(pattern, side, side, Treatment((0, 1, 2)))
    assert read_treated(hidden, pattern, None) == ["Nothing is left to see: every weight is hidden."]
    zeros = treat(np.zeros((3, 3)), side, side, Treatment())
    assert read_treated(zeros, np.zeros((3, 3)), None)[0].startswith("No query may attend")
    assert [note and note.split()[0] for note in read_done(hidden, pattern, LABELS)] == ["Hidden", "“c”"]
    assert read_done(shown, pattern[:2], LABELS[:2]) == [None]
