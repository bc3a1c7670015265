"""Head descriptors: cases worked by hand, heads built to score 1, and bounds that hold for any pattern."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis import heads
from tests.core.analysis_patterns import looks_at, pattern_of, stacks


def test_entropy_and_effective_keys_by_hand() -> None:
    pattern = np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25] * 4, [0] * 4], dtype=np.float32)
    assert heads.entropy(pattern).tolist() == [0, 1, 2, 0]
    assert heads.effective_keys(pattern).tolist() == [1, 2, 4, 0]
    assert heads.row_mean(pattern, heads.entropy(pattern)) == pytest.approx(1.0)  # the row of zeros does not count


def test_mean_distance_by_hand() -> None:
    pattern = np.array([[1, 0, 0], [0.5, 0, 0.5], [0.5, 0.5, 0]])
    assert heads.mean_distance(pattern) == pytest.approx((0 + 1 + 1.5) / 3)
    assert heads.mean_distance(looks_at([3, 3], keys=4)) == pytest.approx((3 + 2) / 2)  # cross-attention


def test_first_token_share_by_hand() -> None:
    assert heads.first_token_share(np.array([[1, 0], [0.25, 0.75], [0, 0]])) == pytest.approx(0.625)


def test_previous_token_head_scores_one_and_others_less() -> None:
    assert heads.previous_token_score(looks_at([0, 0, 1, 2, 3])) == 1
    assert heads.previous_token_score(np.eye(5)) == 0
    assert heads.previous_token_score(looks_at([0, 0, 0, 2])) == pytest.approx(2 / 3)


def test_duplicate_token_score_counts_earlier_occurrences_only() -> None:
    ids = [7, 8, 7, 9, 7]
    assert heads.duplicate_token_score(looks_at([0, 0, 0, 0, 2]), ids) == 1
    assert heads.duplicate_token_score(looks_at([2, 0, 4, 0, 4]), ids) == 0  # later, and itself
    half = np.eye(5)
    half[4] = [0.25, 0.5, 0.25, 0, 0]
    assert heads.duplicate_token_score(half, ids) == pytest.approx((0 + 0.5) / 2)


def test_induction_head_scores_one_and_a_duplicate_head_zero() -> None:
    ids = [5, 6, 7, 5, 6, 7]  # "A B C A B C": the second A looks at the first B
    assert heads.induction_score(looks_at([0, 0, 0, 1, 2, 3]), ids) == 1
    assert heads.induction_score(looks_at([0, 0, 0, 0, 1, 2]), ids) == 0


def test_induction_never_credits_the_token_itself() -> None:
    assert heads.induction_score(np.eye(2), [4, 4]).mask
    assert heads.induction_score(np.eye(3), [4, 4, 4]) == 0


@pytest.mark.parametrize(
    "score",
    [
        heads.previous_token_score(np.ones((1, 1))),
        heads.duplicate_token_score(np.eye(3), [1, 2, 3]),
        heads.induction_score(np.eye(3), [1, 2, 3]),
        heads.mean_distance(np.zeros((3, 3))),
        heads.first_token_share(np.zeros((3, 3))),
    ],
)
def test_a_score_over_no_rows_is_masked_not_nan(score: np.ma.MaskedArray) -> None:
    assert score.mask and score.filled(-1) == -1


def test_wrong_sizes_are_named() -> None:
    with pytest.raises(ValueError, match="2 queries and 3 keys"):
        heads.previous_token_score(np.ones((2, 3)))
    with pytest.raises(ValueError, match="2 token ids do not fit a pattern of 3 tokens"):
        heads.induction_score(np.eye(3), [1, 2])
    with pytest.raises(ValueError, match=r"\(3, 3\)"):
        heads.head_table(np.eye(3))


def test_similarity_by_hand() -> None:
    same, other, half = looks_at([0, 0]), looks_at([1, 1]), np.full((2, 2), 0.5, dtype=np.float32)
    alike = heads.similarity(np.stack([same, same, other, half])[None])
    expected = 1 - (0.8112781 - 0.5)  # H(3/4, 1/4) − (0 + 1) / 2 bits
    assert alike[0].tolist() == pytest.approx([1, 1, 0, expected])
    assert alike[2, 3] == pytest.approx(expected)


def test_similarity_of_rows_of_zeros() -> None:
    zeros, first = looks_at([-1, -1]), looks_at([-1, 0])
    assert heads.similarity(np.stack([zeros, zeros, first, looks_at([0, 0])])[None])[0].tolist() == [1, 1, 0, 0]
    assert heads.similarity(np.stack([first, looks_at([-1, 0])])[None])[0, 1] == 1


def test_similarity_of_a_long_text_compares_evenly_spaced_rows() -> None:
    patterns = pattern_of(3, (1, 2, 9, 9))
    assert heads.similarity(patterns, max_rows=3) == pytest.approx(heads.similarity(patterns[:, :, [0, 4, 8]]))


@given(stacks())
def test_entropy_lies_between_0_and_log2_of_the_keys(patterns: np.ndarray) -> None:
    bits, keys = heads.entropy(patterns), patterns.shape[-1]
    assert (bits >= 0).all() and (bits <= np.log2(keys) + 1e-12).all()
    assert (heads.effective_keys(patterns) <= keys + 1e-9).all()


@given(stacks())
def test_similarity_is_symmetric_with_a_unit_diagonal(patterns: np.ndarray) -> None:
    alike = heads.similarity(patterns)
    assert np.array_equal(alike, alike.T) and (np.diag(alike) == 1).all()
    assert (alike >= 0).all() and (alike <= 1).all()


@given(stacks(square=True), st.integers(0, 100))
def test_the_table_holds_each_function_and_stays_within_its_limits(patterns: np.ndarray, seed: int) -> None:
    layers, n_heads, length, _ = patterns.shape
    ids = np.random.default_rng(seed).integers(0, 3, size=(length,))
    table = heads.head_table(patterns, ids)
    for field in heads.LIMITS:
        column = table.column(field)
        least, most = table.limits(field)
        assert column.shape == (layers, n_heads) and np.isfinite(column.data).all()
        assert (column.compressed() >= least - 1e-9).all() and (column.compressed() <= most + 1e-9).all()
    assert np.ma.allequal(table.induction, heads.induction_score(patterns, ids))
    assert np.ma.allequal(table.distance, heads.mean_distance(patterns))


@given(stacks())
def test_cross_attention_has_no_scores_that_need_one_text(patterns: np.ndarray) -> None:
    table = heads.head_table(patterns)
    for field in ("distance", "previous_token", "duplicate_token", "induction"):
        assert table.column(field).mask.all()
    assert np.array_equal(np.ma.getmaskarray(table.entropy), ~patterns.any((-1, -2)))


def test_an_unknown_descriptor_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'sharpness' is not a head descriptor; .*entropy.*induction"):
        heads.head_table(np.ones((1, 1, 1, 1))).column("sharpness")
