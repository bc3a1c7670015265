"""Names of heads: scores worked by hand, hand-made heads that get their name, and random ones that get none."""

import numpy as np
import pytest
from hypothesis import given

from core.analysis.head_names import (
    NamedHead,
    best_scores,
    evenness,
    name_scores,
    named_heads,
    order_correlation,
    own_share,
)
from tests.core.analysis_patterns import looks_at, pattern_of, stacks

IDS = (5, 6, 7, 5, 6, 7)  # "A B C A B C"
CAUSAL = np.tri(6, dtype=bool)
RANDOM = {"previous_token": 0.3, "induction": 0.3, "duplicate_token": 0.3, "own_token": 0.3, "first_token": 0.3}
CROSSING = {"in_order": 0.2, "turned": 0.2, "first_token": 0.3, "even": 0.95}


def test_the_share_on_oneself_by_hand() -> None:
    assert own_share(np.array([[1, 0, 0], [0.25, 0.75, 0], [0, 0, 0]])) == pytest.approx((1 + 0.75) / 2)
    assert np.ma.getmaskarray(own_share(np.zeros((2, 2)))).all()


def test_evenness_by_hand() -> None:
    pattern = np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 0], [0.5, 0.5, 0, 0]])
    assert evenness(pattern, np.tri(4, dtype=bool)) == pytest.approx((0 + 1 + 1) / (0 + 1 + 2))
    assert evenness(np.tri(4) / np.arange(1, 5)[:, None], np.tri(4, dtype=bool)) == pytest.approx(1)
    assert np.ma.getmaskarray(evenness(np.eye(3), np.eye(3, dtype=bool))).all()  # no row has a choice


def test_the_order_by_hand() -> None:
    assert order_correlation(np.eye(4)) == pytest.approx(1)
    assert order_correlation(np.eye(4)[::-1]) == pytest.approx(-1)
    assert order_correlation(np.array([[0.75, 0.25], [0.25, 0.75]])) == pytest.approx(0.5)
    assert order_correlation(np.full((3, 5), 0.2)) == pytest.approx(0, abs=1e-9)
    # the third query looks at nothing: (0, 0) and (1, 2) are left, in step
    assert order_correlation(looks_at([0, 2, -1])) == pytest.approx(1)
    for alone in (np.eye(1), looks_at([2, 2, 2]), np.zeros((3, 3))):
        assert np.ma.getmaskarray(order_correlation(alone)).all()


@given(stacks())
def test_the_order_lies_between_its_limits_and_turns_with_the_keys(patterns: np.ndarray) -> None:
    order, turned = order_correlation(patterns), order_correlation(patterns[..., ::-1])
    assert (np.abs(order.compressed()) <= 1).all()
    np.testing.assert_allclose(order.filled(0), -turned.filled(0), atol=1e-6)


@pytest.mark.parametrize(
    ("pattern", "kind"),
    [
        (looks_at([0, 0, 1, 2, 3, 4]), "previous_token"),
        (looks_at([0, 0, 0, 1, 2, 3]), "induction"),
        (looks_at([0, 1, 2, 0, 1, 2]), "duplicate_token"),
        (np.eye(6), "own_token"),
        (looks_at([0] * 6), "first_token"),
        (np.tri(6) / np.arange(1, 7)[:, None], "even"),
    ],
)
def test_a_hand_made_head_gets_its_name(pattern: np.ndarray, kind: str) -> None:
    scores = name_scores(pattern[None, None], CAUSAL, IDS)
    (found,) = named_heads(scores, RANDOM | {"even": 0.95})
    assert (found.kind, found.layer, found.head) == (kind, 0, 0) and 0.5 < found.score <= 1


def test_cross_attention_is_named_by_the_order_of_its_keys() -> None:
    patterns = np.stack([np.eye(6)[::-1], np.eye(6), np.full((6, 6), 1 / 6)])[None]
    scores = name_scores(patterns, np.ones((6, 6), dtype=bool), None)
    found = named_heads(scores, CROSSING)
    assert {each.head: each.kind for each in found} == {0: "turned", 1: "in_order", 2: "even"}


def test_a_name_needs_more_than_half_and_more_than_chance_and_the_strongest_comes_first() -> None:
    values = np.ma.masked_array([[0.5, 0.6, 0.9], [0.2, 0.8, 0.99]], mask=[[False] * 3, [False, False, True]])
    found = named_heads({"own_token": values, "even": values - 0.1}, {"own_token": 0.7, "even": 0.2})
    assert [(each.layer, each.head, each.kind) for each in found] == [(0, 2, "even"), (1, 1, "even")]
    assert named_heads({"own_token": values}, {"own_token": 0.7})[0] == NamedHead(0, 2, "own_token", 0.9, 0.7)
    assert NamedHead(0, 2, "own_token", 0.9, 0.7).strength == pytest.approx(2 / 3)
    assert [each.head for each in named_heads({"own_token": values[:1]}, {"own_token": 0.0})] == [2, 1]


def test_random_weights_reach_the_threshold_and_no_more() -> None:
    mask = np.tri(12, dtype=bool)
    rows = [np.where(mask, pattern_of(seed, (6, 8, 12, 12)), 0) for seed in range(4)]
    drawn = [name_scores(each / each.sum(-1, keepdims=True), mask, [1, 2, 3] * 4) for each in rows]
    reached = best_scores(drawn[:2])
    assert all(reached[kind] == max(float(each[kind].max()) for each in drawn[:2]) for kind in reached)
    assert not named_heads(drawn[0], reached) and len(named_heads(drawn[2], reached)) <= 1
    assert best_scores([{"induction": np.ma.masked_all((2, 2))}]) == {"induction": 0.0}
