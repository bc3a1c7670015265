"""Two patterns laid over each other: which token goes with which, and what changed."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.alignment import changed
from core.readings.compare import name_sides, read_largest_change, read_unpaired
from core.topics.compare.difference import pattern_change, token_partners
from tests.core.analysis_patterns import pattern_of

WORDS = st.lists(st.sampled_from(["the", "cat", "·s", "sat", "·ting", "."]), min_size=1, max_size=8)


def labels(text: str) -> list[str]:
    return [f"{place}:{piece}" for place, piece in enumerate(text.split())]


def test_tokens_of_the_same_words_go_together() -> None:
    assert token_partners(["the", "cat", "sat"], ["the", "big", "cat", "sat"]) == [(0, 0), (1, 2), (2, 3)]
    assert token_partners(["too", "tired", "."], ["too", "wide", "."]) == [(0, 0), (2, 2)]
    # "sat·ting" and "sat" share a piece and no word; "cat·s" is one word of two pieces.
    assert token_partners(["cat", "·s", "sat", "·ting"], ["a", "cat", "·s", "sat"]) == [(0, 1), (1, 2)]
    assert token_partners(["·s", "a"], ["a"]) == [(1, 0)]
    assert token_partners(["a"], ["b"]) == []


def test_the_difference_of_two_sentences_by_hand() -> None:
    pinned = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.3, 0.5]])
    now = np.array([[1.0, 0, 0, 0], [0.5, 0.5, 0, 0], [0.75, 0.125, 0.125, 0], [0.1, 0.2, 0.3, 0.4]])
    old, new = labels("the cat sat"), labels("the big cat sat")
    found = pattern_change((pinned, old, old), (now, new, new))
    none = np.nan
    expected = [[0, none, 0, 0], [none] * 4, [0.25, none, -0.375, 0], [-0.1, none, 0, -0.1]]
    np.testing.assert_allclose(found.values, expected, atol=1e-12)
    assert (found.added, found.lost) == (("big",), ())
    assert np.isneginf(found.hatched[1]).all() and found.hatched[2, 2] == -0.375
    said = read_largest_change(found.values, found.weights, found.queries, found.keys)
    assert said.startswith("“cat” gives 12% of its attention to itself now, 50% in the pinned picture")
    assert said.endswith("−0.38.")
    assert [each and "“big”" in each for each in read_unpaired(found.added, found.lost)] == [True, None]


def test_a_masked_cell_is_a_weight_of_0() -> None:
    names = labels("a b")
    found = pattern_change(
        (np.array([[1.0, -np.inf], [0.5, 0.5]]), names, names), (np.array([[0.5, 0.5], [1.0, -np.inf]]), names, names)
    )
    np.testing.assert_array_equal(found.values, [[-0.5, 0.5], [0.5, -0.5]])


@given(WORDS, st.integers(0, 99))
def test_the_difference_with_itself_is_0_and_rows_of_a_difference_sum_to_0(words: list[str], seed: int) -> None:
    size, names = len(words), labels(" ".join(words))
    first, second = pattern_of(seed, (size, size)), pattern_of(seed + 1, (size, size))
    same = pattern_change((first, names, names), (first, names, names))
    assert not same.values.any() and (same.added, same.lost) == ((), ())
    assert "No weight differs" in read_largest_change(same.values, same.weights, same.queries, same.keys)
    other = pattern_change((first, names, names), (second, names, names))
    np.testing.assert_allclose(other.values.sum(-1), 0, atol=1e-6)
    np.testing.assert_array_equal(other.values, second.astype(np.float64) - first)


@given(WORDS, WORDS)
def test_partners_are_the_same_token_in_the_same_order(before: list[str], after: list[str]) -> None:
    pairs = token_partners(before, after)
    assert all(before[a] == after[b] for a, b in pairs)
    assert pairs == sorted(pairs) and len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)
    flipped = token_partners(after, after)
    assert flipped == [(place, place) for place in range(len(after))]


def test_texts_that_share_nothing_have_no_difference_and_it_is_said() -> None:
    found = pattern_change((np.ones((1, 1)), ["0:a"], ["0:a"]), (np.ones((1, 1)), ["0:b"], ["0:b"]))
    assert "share no word" in read_largest_change(found.values, found.weights, found.queries, found.keys)
    assert changed([1, 2, 3], [1, 4, 3]) == ({1}, {1})


def test_the_sides_are_named_by_what_differs() -> None:
    animal = "The animal didn't cross the street because it was too"
    pinned = {"model": "storyteller", "text": f"{animal} tired.", "place": "layer 3 · head 4"}
    assert name_sides(pinned, pinned) == ("", "")
    assert name_sides(pinned, pinned | {"place": "layer 3 · head 5"}) == ("layer 3 · head 4", "layer 3 · head 5")
    assert name_sides(pinned, pinned | {"text": f"{animal} wide."}) == ("“… too tired.”", "“… too wide.”")
    assert name_sides({"text": "a cat sat"}, {"text": "a dog sat"}) == ("“a cat …”", "“a dog …”")
    assert name_sides({"step of training": "0"}, {"model": "x"}) == ("step of training 0", "x")
