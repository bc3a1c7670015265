"""Averages, rollout, thresholds and merged words: cases worked by hand, and rows that keep their sums."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis import aggregate
from tests.core.analysis_patterns import looks_at, pattern_of, stacks


def row_sums(pattern: np.ndarray) -> np.ndarray:
    return pattern.sum(-1, dtype=np.float64)


def close(left: np.ndarray, right: np.ndarray) -> bool:
    return left.shape == right.shape and np.allclose(left, right, atol=1e-6)


def test_average_heads_by_hand() -> None:
    patterns = np.stack([looks_at([0, 0]), looks_at([0, 1])])[None]
    assert aggregate.average_heads(patterns).tolist() == [[[1, 0], [0.5, 0.5]]]


def test_rollout_by_hand() -> None:
    first, second = np.array([[1, 0], [0.5, 0.5]]), np.array([[1, 0], [1, 0]])
    rolled = aggregate.rollout(np.stack([first, second])[:, None])
    assert rolled[0].tolist() == [[1, 0], [0.25, 0.75]]
    assert rolled[1].tolist() == [[1, 0], [0.625, 0.375]]  # [0.5, 0.5] @ the first layer's
    bare = aggregate.rollout(np.stack([first, second])[:, None], residual=False)
    assert close(bare[1], second @ first)


def test_rollout_of_a_row_of_zeros() -> None:
    patterns = looks_at([-1, 0])[None, None]
    assert aggregate.rollout(patterns)[0].tolist() == [[1, 0], [0.5, 0.5]]
    assert aggregate.rollout(patterns, residual=False)[0].tolist() == [[0, 0], [1, 0]]


@given(stacks(square=True))
def test_rollout_rows_sum_to_1_and_the_first_layer_is_its_own_mix(patterns: np.ndarray) -> None:
    rolled = aggregate.rollout(patterns)
    assert rolled.shape == (patterns.shape[0], *patterns.shape[2:])
    assert row_sums(rolled) == pytest.approx(1)
    if patterns.any(-1).all():
        half = 0.5 * aggregate.average_heads(patterns)[0] + 0.5 * np.eye(patterns.shape[-1])
        assert close(rolled[0], half)


@given(st.integers(0, 999))
def test_rollout_of_a_causal_model_stays_causal(seed: int) -> None:
    patterns = np.tril(pattern_of(seed, (3, 2, 6, 6)))
    assert not np.triu(aggregate.rollout(patterns / patterns.sum(-1, keepdims=True)), k=1).any()


def test_threshold_by_hand() -> None:
    kept, hidden = aggregate.threshold(np.array([[0.75, 0.25], [0.5, 0.5]], dtype=np.float32), 0.5)
    assert kept.tolist() == [[0.75, 0], [0.5, 0.5]]
    assert hidden == pytest.approx(0.125)
    assert aggregate.threshold(np.zeros((2, 2)), 0.5).hidden == 0


@given(stacks(), st.floats(0, 1))
def test_threshold_hides_what_it_says(patterns: np.ndarray, t: float) -> None:
    kept, hidden = aggregate.threshold(patterns, t)
    assert ((kept == 0) | (kept >= np.float32(t))).all()
    assert hidden * patterns.sum(dtype=float) == pytest.approx((patterns - kept).sum(dtype=float), abs=1e-5)
    assert aggregate.threshold(patterns, 0.0).hidden == 0


def test_hide_and_renormalise_by_hand() -> None:
    pattern = np.array([[0.5, 0.25, 0.25], [0, 0, 1], [0, 0, 0]])
    assert (
        aggregate.hide_and_renormalise(pattern, [2]).tolist()
        == [[pytest.approx(2 / 3), pytest.approx(1 / 3), 0]] + [[0, 0, 0]] * 2
    )
    assert pattern[1, 2] == 1  # the pattern that was given is left alone


@given(stacks(), st.data())
def test_hiding_leaves_rows_of_sum_1_or_0_and_no_weight_on_hidden_keys(
    patterns: np.ndarray, data: st.DataObject
) -> None:
    hidden = data.draw(st.sets(st.integers(0, patterns.shape[-1] - 1)))
    left = aggregate.hide_and_renormalise(patterns, hidden)
    remains = np.delete(patterns, sorted(hidden), axis=-1).any(-1)
    assert not left[..., sorted(hidden)].any()
    assert np.allclose(row_sums(left), remains, atol=1e-6)


def test_merge_words_by_hand() -> None:
    pattern = np.array([[0.5, 0.25, 0.25], [0.5, 0.5, 0], [0, 0.25, 0.75]])  # pieces: un + able, dog
    assert aggregate.merge_words(pattern, [0, 0, 1], [0, 0, 1]).tolist() == [[0.875, 0.125], [0.25, 0.75]]


def test_merge_words_means_over_the_pieces_that_attend() -> None:
    pattern = looks_at([-1, 0, -1], keys=2)
    assert aggregate.merge_words(pattern, [0, 0, 1], [0, 1]).tolist() == [[1, 0], [0, 0]]


@given(stacks(), st.data())
def test_merging_words_keeps_row_sums(patterns: np.ndarray, data: st.DataObject) -> None:
    queries, keys = patterns.shape[-2:]
    words = [
        np.cumsum([0, *data.draw(st.lists(st.integers(0, 1), min_size=n - 1, max_size=n - 1))]) for n in (queries, keys)
    ]
    merged = aggregate.merge_words(patterns, words[0].tolist(), words[1].tolist())
    assert merged.shape == (*patterns.shape[:2], words[0][-1] + 1, words[1][-1] + 1)
    attends = np.stack([patterns[..., words[0] == word, :].any((-1, -2)) for word in range(words[0][-1] + 1)], -1)
    assert np.allclose(row_sums(merged), attends, atol=1e-5)
    same = aggregate.merge_words(patterns, range(queries), range(keys))
    assert close(same, patterns)


def test_mistakes_are_named() -> None:
    square = np.eye(3, dtype=np.float32)
    with pytest.raises(ValueError, match=r"\(1, 1, 2, 3\)"):
        aggregate.rollout(np.ones((1, 1, 2, 3)))
    with pytest.raises(ValueError, match=r"between 0 and 1, not 1\.5"):
        aggregate.threshold(square, 1.5)
    with pytest.raises(ValueError, match="key 3 is not one of the keys 0 to 2"):
        aggregate.hide_and_renormalise(square, [0, 3])
    with pytest.raises(ValueError, match="2 word numbers do not fit 3 queries"):
        aggregate.merge_words(square, [0, 1], [0, 1, 2])
    with pytest.raises(ValueError, match=r"none left out, not \[0, 2\]"):
        aggregate.merge_words(square, [0, 1, 2], [0, 2, 2])
