"""Right and wrong ways to mask, how far a change can spread, and the sentences about both: by hand and by law."""

import re

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.model import masks
from core.topics.masks.analysis.masks import (
    NAIVE_WAY,
    RIGHT_WAY,
    WAYS,
    ZEROS_AFTER,
    ZEROS_BEFORE,
    empty_rows,
    telling_keys,
    weights,
)
from core.topics.masks.charts import NAMES, masks_row_data, masks_row_spec, masks_total_data
from core.topics.masks.readings import (
    read_batch,
    read_broken,
    read_effect,
    read_leak,
    read_mask,
    read_reach,
    read_ways,
    read_windows,
    row_arithmetic,
)
from core.topics.shared.token_change import reach
from tests.core import oracles

LABELS = ["0:a", "1:b", "2:c", "3:d"]
SQUARE = st.integers(1, 6).map(lambda size: (size, size))


@st.composite
def scored(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Scores (L, L) and a mask (L, L) that may have empty rows."""
    shape = draw(SQUARE)
    scores = draw(arrays.arrays(np.float32, shape, elements=st.floats(-8, 8, width=32)))
    return scores, draw(arrays.arrays(bool, shape))


def made(scores: np.ndarray, mask: np.ndarray, way: str) -> np.ndarray:
    return weights(torch.from_numpy(scores), torch.from_numpy(mask), way).numpy()


def test_one_row_by_hand() -> None:
    """Scores ln 1, ln 2, ln 5 with the last key hidden."""
    scores = np.log(np.array([[1, 2, 5]], np.float32))
    mask = np.array([[True, True, False]])
    expected = {
        RIGHT_WAY: [1 / 3, 2 / 3, 0],
        ZEROS_AFTER: [1 / 8, 2 / 8, 0],
        ZEROS_BEFORE: [1 / 4, 2 / 4, 1 / 4],
        NAIVE_WAY: [1 / 3, 2 / 3, 0],
    }
    for way in WAYS:
        np.testing.assert_allclose(made(scores, mask, way)[0], expected[way], rtol=1e-6)
    with pytest.raises(ValueError, match="sideways"):
        made(scores, mask, "sideways")


@given(scored())
def test_rows_sum_to_one_or_nothing_and_only_the_right_way_hides(pair: tuple[np.ndarray, np.ndarray]) -> None:
    scores, mask = pair
    right, after, zero, naive = (made(scores, mask, way) for way in WAYS)
    full = mask.any(1)
    np.testing.assert_allclose(right.sum(1), full, atol=1e-6)
    assert not right[~mask].any() and not after[~mask].any()
    np.testing.assert_allclose(zero.sum(1), 1, atol=1e-6)
    assert (after.sum(1) <= 1 + 1e-6).all() and (zero[~mask] > 0).all()
    np.testing.assert_array_equal(np.isnan(naive).all(1), ~full)
    np.testing.assert_allclose(naive[full], right[full], atol=1e-6)
    np.testing.assert_allclose(right, oracles.mix(scores, scores, mask)[1], atol=1e-6)
    mended = after[full] / after[full].sum(1, keepdims=True)
    np.testing.assert_allclose(mended, right[full], rtol=1e-3, atol=1e-6)


@given(scored())
def test_a_hidden_score_moves_the_zeroed_weights_and_not_the_right_ones(pair: tuple[np.ndarray, np.ndarray]) -> None:
    scores, mask = pair
    changed = np.where(mask, scores, scores + 3).astype(np.float32)
    np.testing.assert_array_equal(made(changed, mask, RIGHT_WAY), made(scores, mask, RIGHT_WAY))
    split = mask.any(1) & ~mask.all(1)
    assert (made(changed, mask, ZEROS_AFTER).sum(1)[split] < made(scores, mask, ZEROS_AFTER).sum(1)[split]).all()


@given(arrays.arrays(bool, SQUARE), st.integers(1, 3), st.data())
def test_reach_is_the_powers_of_the_mask(mask: np.ndarray, layers: int, data: st.DataObject) -> None:
    """After n layers a change has come wherever n steps along the mask, or rests, lead."""
    at = data.draw(st.integers(0, len(mask) - 1))
    steps = reach([mask] * layers, at)
    walk = mask.astype(int) + np.eye(len(mask), dtype=int)
    for layer, found in enumerate(steps):
        np.testing.assert_array_equal(found, np.linalg.matrix_power(walk, layer)[:, at] > 0)


def test_a_windows_reach_grows_by_its_width_in_each_layer() -> None:
    steps = reach([masks.SlidingWindowMask(2).build(15, 15).numpy()] * 3, 7)
    assert [np.flatnonzero(step).tolist() for step in steps] == [
        [7],
        list(range(5, 10)),
        list(range(3, 12)),
        list(range(1, 14)),
    ]
    assert not reach([masks.causal(6, 6).numpy()] * 4, 3)[:, :3].any()
    assert not reach([masks.BlockMask(4).build(8, 8).numpy()] * 9, 5)[:, :4].any()


def test_a_models_own_windows_are_named() -> None:
    assert read_windows(()) == read_windows((0, 0)) == []
    assert read_windows((4, 4)) == [
        "Under any mask, this model lets a query see at most the last 4 tokens, its own among them, in every layer."
    ]
    assert "the last 4 tokens" in read_windows((4, 0, 4))[0] and read_windows((4, 0, 4))[0].endswith(
        "in 2 of 3 layers."
    )


def test_empty_rows_are_found() -> None:
    assert empty_rows(np.array([[1, 0], [0, 0]], bool)) == (1,)
    assert empty_rows(np.tri(3, dtype=bool)) == ()


def test_the_keys_shown_of_a_long_row_are_half_hidden_ones() -> None:
    right, wrong = np.array([0.1, 0.5, 0.4, 0, 0, 0]), np.array([0, 0, 0, 0.1, 0.3, 0.2])
    mask = right > 0
    assert telling_keys(right, wrong, mask, 4).tolist() == [1, 2, 4, 5]
    assert telling_keys(right, wrong, mask, 6).tolist() == telling_keys(right, wrong, mask, 99).tolist() == [*range(6)]
    assert telling_keys(right, wrong, np.ones(6, bool), 4).tolist() == [0, 1, 2, 3]
    assert telling_keys(right, wrong, np.zeros(6, bool), 4).tolist() == [0, 3, 4, 5]
    assert telling_keys(right, wrong, np.arange(6) < 5, 4).tolist() == [0, 1, 2, 5]


def test_bars_of_a_row_are_the_weights_by_key_and_way() -> None:
    rows = [np.array([0.75, 0.25, 0]), np.array([0.5, 0.125, 0]), np.array([0.5, 0.25, 0.25])]
    frame = masks_row_data(rows, np.array([True, True, False]), ["0:a", "1:<b>", "2:c"])
    assert frame["weight"].tolist() == np.stack(rows, axis=1).ravel().tolist()
    assert frame["key"].tolist() == [key for key in ("0:a", "1:<b>", "✕ 2:c") for _ in range(3)]
    assert frame["way"].tolist() == [*NAMES] * 3
    spec = masks_row_spec()
    assert "data" not in spec or spec["data"] == {"name": "data"}
    assert spec["encoding"]["color"]["scale"]["domain"] == list(NAMES)


def test_each_way_is_one_bar_of_seen_hidden_and_lost_attention() -> None:
    """Scores ln 1, ln 2, ln 5 with the last key hidden, as above: the shares are worked by hand."""
    rows = [np.array(row) for row in ([1 / 3, 2 / 3, 0], [1 / 8, 2 / 8, 0], [1 / 4, 2 / 4, 1 / 4])]
    frame = masks_total_data(rows, np.array([True, True, False]))
    shares = frame.pivot(index="place", columns="part", values="share")
    np.testing.assert_allclose(shares["on keys that may be seen"], [1, 3 / 8, 3 / 4], atol=1e-6)
    np.testing.assert_allclose(shares["on hidden keys"], [0, 0, 1 / 4], atol=1e-6)
    np.testing.assert_allclose(shares["lost"], [0, 5 / 8, 0], atol=1e-6)
    assert (frame.groupby("place")["to_share"].max() == 1).all()
    assert [text for text in frame["text"] if text] == ["100%", "38%", "62%", "75%", "25%"]


def test_what_is_said_of_a_mask_and_its_effect() -> None:
    base, mask = np.tri(4, dtype=bool), np.tri(4, dtype=bool)
    mask[3, 0] = False
    assert read_mask(mask, base) == "7 of 16 pairs of query and key are hidden, 1 of the cells painted by hand."
    assert read_mask(np.ones((2, 2), bool), np.ones((2, 2), bool)) == "Nothing is hidden."
    before = np.full((4, 4), 0.25)
    after = np.where(base, 1.0, 0) / base.sum(1, keepdims=True)
    said = read_effect(before, after, base, LABELS)
    assert said == (
        "On average 38% of a word's attention went to words that this mask hides from it.",
        "“a” loses most, 75%, and now gives 100% to itself.",
    )
    same = ("This mask hides nothing, so both patterns are the same.",)
    assert read_effect(before, before, np.ones((4, 4), bool), LABELS) == same
    none = ("The pairs that this mask hides held none of the attention.",)
    assert read_effect(after, after, base, LABELS) == none
    nothing = base.copy()
    nothing[0] = False
    gone = "“a” may attend to nothing now, so its row is all zeros."
    assert read_effect(before, after, nothing, LABELS)[1] == gone


def test_the_arithmetic_of_a_row_says_what_the_ways_give() -> None:
    """Scores 0, ln 2 and, hidden, ln 5: everything is divided by 5, the largest e^s."""
    scores, mask = np.log(np.array([1, 2, 5], np.float32)), np.array([True, True, False])
    said = row_arithmetic(scores, mask, 1)
    assert "divided by e^1.61" in said and "e^(0) + e^(0.693)" in said.replace("e^(0.00)", "e^(0)")
    numbers = [float(each) for each in re.findall(r"= (0\.\d+)", said)]
    rows = {way: made(scores[None], mask[None], way)[0] for way in (RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE)}
    assert rows[ZEROS_AFTER].sum() == pytest.approx(numbers[-2], abs=5e-4)
    assert rows[ZEROS_BEFORE][2] == pytest.approx(numbers[-1], abs=5e-4)
    assert read_ways(rows, mask, LABELS, 1) == (
        "If weights are set to 0 afterwards, 62% of the attention of “b” is lost.",
        "The row of “b” sums to 1.00 with −∞ before the softmax, to 0.375 with weights set to 0 afterwards; with 0 "
        "for −∞ it sums to 1.00, but hidden keys still hold 25%.",
    )
    none = rows | {ZEROS_AFTER: np.zeros(3), RIGHT_WAY: np.zeros(3)}
    empty = "If weights are set to 0 afterwards, all of the attention of “b” is lost: every key is hidden."
    assert read_ways(none, np.zeros(3, bool), LABELS, 1)[0] == empty
    whole = rows | {ZEROS_AFTER: np.array([0.5, 0.5, 0])}
    kept = "If weights are set to 0 afterwards, nothing of “b” is lost: hidden keys had no attention."
    assert read_ways(whole, mask, LABELS, 1)[0] == kept
    assert "every key is hidden" in row_arithmetic(scores, np.zeros(3, bool), 1)
    agree = "Nothing is hidden from “b”, so all three ways agree. Pick another row."
    assert read_ways(rows, np.ones(3, bool), LABELS, 1) == (agree,)
    alone = "Nothing is hidden from “a”, so all three ways agree."
    assert read_ways(rows, np.ones(1, bool), LABELS, 0) == (alone,)
    assert "no key is hidden" in row_arithmetic(scores, np.ones(3, bool), 1)


def test_what_is_said_of_a_leak() -> None:
    assert read_leak(np.array([0, 0, 1.0, 0.5]), 2, LABELS, "causal") == [
        "Change “c”: under “causal” no earlier word's output moves.",
        "1 of 1 later output moves.",
    ]
    assert read_leak(np.array([0, 0.25, 1.0, 0]), 2, LABELS, "none") == [
        "Change “c”: under “none” the outputs of some earlier words move.",
        "1 of 2 earlier outputs moves, by up to 0.250.",
        "0 of 1 later output move.",
    ]
    every = read_leak(np.array([0.5, 0.25, 1.0, 0]), 2, LABELS, "none")
    assert every[0] == "Change “c”: under “none” every earlier word's output moves."
    first = "Change “a”: under “none” there is no earlier word."
    assert read_leak(np.array([1.0, 0, 0, 0]), 0, LABELS, "none") == [first, "0 of 3 later outputs move."]
    assert read_leak(np.array([1.0]), 0, LABELS[:1], "none") == [first]
    layers = np.array([[0, 1, 0, 0], [0, 1, 0.1, 0], [0, 1, 0.1, 0.2]])
    grows = "The change spreads: 1 token away after the first layer, 2 after the last."
    assert read_reach(layers, layers > 0, 1) == grows
    wide = np.vstack([layers[:1] > 0, np.ones((2, 4), bool)])
    assert read_reach(layers, wide, 1) == f"{grows} The mask would let it come 2 tokens far."
    at_once = layers[[0, 2, 2]]
    assert read_reach(at_once, at_once > 0, 1) == "From the first layer on, the change reaches all 2 later tokens."
    assert "reaches every other token." in read_reach(wide.astype(float), wide, 1)
    assert (
        read_reach(layers[:2], layers[:2] > 0, 1)
        == "From the first layer on, the change reaches the tokens next to it."
    )
    assert read_reach(layers[[0, 0]], layers[[0, 0]] > 0, 1) == "In every layer the change stays in its own token."


def test_what_is_said_of_nan_and_of_padding() -> None:
    broken = np.array([[0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 1]], bool)
    divides = "a plain softmax divides zero by zero, which is not a number, and spoils"
    assert read_broken(broken, (1, 3), LABELS, trial=False) == (
        f"Some tokens may look at nothing: {divides} all 4 tokens.",
        "“b” and 1 more may attend to nothing. In this model their rows are zeros; with a plain softmax 1 of 4 tokens "
        "is NaN after layer 1, and all 4 after layer 2.",
    )
    assert read_broken(broken[[0, 1, 2, 2, 2]], (1,), LABELS, trial=True) == (
        "If “b” had nothing to look at, a plain softmax would divide zero by zero and spoil all 4 tokens.",
        "In this model its row would be zeros; with a plain softmax 1 of 4 tokens would be NaN after layer 1, and all "
        "4 from layer 2 on.",
    )
    one = read_broken(broken[[0, 1]], (1,), LABELS, False)
    assert one[0] == f"“b” may look at nothing: {divides} 1 of 4 tokens."
    alone = read_broken(np.array([[0], [1]], bool), (0,), LABELS[:1], False)
    assert alone[0] == f"“a” may look at nothing: {divides} the only token."
    assert read_broken(broken[[0, 2, 2]], (1,), LABELS, False)[1].endswith("4 of 4 tokens are NaN after layer 1.")
    seen, taken = np.array([0.5, 1.25]), np.array([0.5, 0.25])
    headline, exact = read_batch(np.zeros(2), seen, taken, LABELS)
    assert headline == "Without the padding mask “a” gives 50% of its attention to padding."
    assert exact == "Without the padding mask outputs move by up to 1.25, with it nothing moves."
    assert read_batch(np.array([0, 2e-7]), seen, taken, LABELS)[1].endswith("which is rounding.")
    assert read_batch(np.array([0, 2e-2]), seen, taken, LABELS)[1].endswith("so coarse is this number format.")
    assert "No real token sees the padding" in read_batch(np.zeros(2), np.zeros(2), np.zeros(2), LABELS)[0]


def test_a_row_of_scores_too_small_or_too_far_apart_is_still_worked_out() -> None:
    mask = np.array([True, True, False])
    said = row_arithmetic(np.array([-800.0, -900.0, -1000.0]), mask, 1)
    assert "the row sums to 1.00 / 1.00 = 1.00" in said and "they keep all of it" in said and "nan" not in said
    apart = row_arithmetic(np.array([-800.0, -900.0, 5.0]), mask, 1)
    assert "only seen ones count" in apart and "e^s / 0" not in apart
