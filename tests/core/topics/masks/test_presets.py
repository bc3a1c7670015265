"""Masks by their names, the letters of what is painted on them, and the records of their experiments."""

from dataclasses import replace

import numpy as np
import pytest

from core.model.config import TransformerConfig
from core.model.masks import BlockMask, CausalMask, PaddingMask, PrefixMask, SlidingWindowMask
from core.topics.masks.analysis.masks import RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE
from core.topics.masks.analysis.painting import paint, stroke
from core.topics.masks.chosen import WRONG_WAYS, ChosenMask, MaskTest, batch_seconds_here, seconds_here
from core.topics.masks.painting import painted_on, row_hidden, usable
from core.topics.masks.presets import PRESETS, masked_run, under
from core.topics.masks.records import Batched, Emptied, Leaks, Painted, Ways
from core.topics.shared.named_masks import masks_label
from core.topics.shared.places import HeadAddress
from core.topics.shared.token_change import TokenChange
from core.tracing.run import Run, TokenRow

RUN = Run("the cat", TransformerConfig())
SIZES = {"window": 1, "prefix": 5, "block": 7}
NO_TOKENS = TokenRow((), (), (), ())


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_the_mask_of_that_name_with_the_sizes_given(preset: str) -> None:
    run = masked_run(RUN, preset, SIZES, 2)
    masks = {"causal": CausalMask(), "padding": PaddingMask(), "prefix": PrefixMask(5), "block": BlockMask(7)}
    expected = masks | {"sliding window": SlidingWindowMask(1)}
    assert run.masks == (() if preset == "none" else (expected[preset],))
    assert run.pads == (2 if preset == "padding" else 0)
    other = under(run, "block", {"block": 9})
    assert other.masks == (BlockMask(9),) and other.pads == run.pads and under(run, "block").masks == (BlockMask(4),)
    with pytest.raises(ValueError, match="mask 'roman' is not one of"):
        under(run, "roman")


def test_a_label_names_the_size_where_there_is_one() -> None:
    expected = ["none", "causal", "padding", "sliding window 1", "prefix 5", "block 7"]
    assert [masks_label(under(RUN, preset, SIZES).masks) for preset in PRESETS] == expected


def test_letters_that_are_no_painting_are_none_and_it_is_said() -> None:
    good = stroke("", np.ones((3, 3), bool), [4], False)
    assert usable(f" {good}\n") == (good, "") and usable("") == ("", "")
    letters, refusal = usable("<b>")
    assert letters == "" and "The painting in the address cannot be used" in refusal


def test_strokes_are_added_until_one_cannot_be_kept() -> None:
    base = np.ones((300, 300), bool)
    noise = np.flatnonzero(np.random.default_rng(0).random(90_000) < 0.5).tolist()
    letters, refusal = painted_on("", base, [([5], False), (noise, False)])
    assert letters == stroke("", base, [5], False) and "the last stroke is left out" in refusal
    hidden, refusal = row_hidden(letters, base, 2)
    assert refusal == "" and np.flatnonzero(~paint(base, hidden)).tolist() == [5, *range(600, 900)]


def test_the_records_find_empty_rows_telling_keys_and_what_moves_elsewhere() -> None:
    mask = np.array([[True, False, False], [False, False, False], [True, True, False]])
    assert Painted(NO_TOKENS, mask, mask).empty_rows == (1,)
    by_way = {RIGHT_WAY: [0.9, 0.1, 0.0], ZEROS_AFTER: [0.5, 0.05, 0.0], ZEROS_BEFORE: [0.3, 0.1, 0.6]}
    ways = Ways(NO_TOKENS, mask, np.zeros((3, 3)), {way: np.array([row] * 3) for way, row in by_way.items()})
    assert (
        list(ways.row(2)) == [RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE]
        and ways.row(2)[ZEROS_BEFORE].tolist() == by_way[ZEROS_BEFORE]
    )
    assert ways.telling_keys(2, 2).tolist() == [0, 2] and ways.telling_keys(2, 9).tolist() == [0, 1, 2]
    changes = np.array([[0.0, 8.0, 2.0], [0.5, 9.0, 0.0]])
    leak = TokenChange(NO_TOKENS, 1, "dog", changes, changes[0], mask)
    assert leak.elsewhere(changes) == 2.0 and leak.elsewhere(np.array([[0.0, 3.0, 0.0]])) is None


LABELS = ("0:a", "1:b", "2:c")
TOKENS = TokenRow((5, 6, 7), ("a", "b", "c"), (0, 1, 2), ("a", "b", "c"))


def chosen_mask(mask: np.ndarray, preset: str = "causal", painting: str = "", query: int | None = None) -> ChosenMask:
    run = masked_run(RUN, preset, SIZES, 2)
    return ChosenMask(run, HeadAddress(), preset, SIZES, painting, "", Painted(TOKENS, mask, mask), query)


def test_a_chosen_mask_is_named_and_looks_at_a_row_that_there_is() -> None:
    mask = np.tri(3, dtype=bool)
    assert [chosen_mask(mask, query=query).row for query in (None, 0, 2, 400)] == [1, 0, 2, 2]
    plain, painted = chosen_mask(mask, "sliding window"), chosen_mask(mask, "sliding window", "letters")
    assert (plain.name, plain.short_name) == ("sliding window 1", "window 1")
    assert (painted.name, painted.short_name) == ("sliding window 1, painted", "painted")
    assert plain.changed(None) == 1 and plain.changed(2) == 2 and plain.labels == LABELS


def test_a_mask_is_tested_alone_or_beside_all_others() -> None:
    painted = chosen_mask(np.tri(3, dtype=bool), "block", "letters")
    assert painted.tests(every=False) == {"painted": MaskTest(painted.run, "letters")}
    every = painted.tests(every=True)
    presets = ["none", "causal", "padding", "window 1", "prefix 5", "block 7"]
    assert list(every) == [*presets, "painted", "zeros after", "0 for −∞"]
    assert every["causal"] == MaskTest(under(painted.run, "causal"), "") and every["painted"].way == RIGHT_WAY
    assert [every[name].way for name in WRONG_WAYS] == [ZEROS_AFTER, ZEROS_BEFORE] and every[
        "0 for −∞"
    ].painting == "letters"
    assert list(chosen_mask(np.tri(3, dtype=bool)).tests(every=True)) == [*presets, "zeros after", "0 for −∞"]


def test_only_a_large_model_is_heavy_to_test() -> None:
    small = chosen_mask(np.tri(3, dtype=bool))
    row = TokenRow((5,) * 500, ("a",) * 500, tuple(range(500)), ("a",) * 500)
    run = replace(RUN, config=TransformerConfig(layers=12, heads=16))
    mask = np.ones((500, 500), bool)
    assert not small.is_heavy and replace(small, run=run, painted=Painted(row, mask, mask)).is_heavy


def test_a_row_is_emptied_as_a_trial_only_where_none_is_empty() -> None:
    full, empty = np.tri(3, dtype=bool), np.array([[1, 0, 0], [0, 0, 0], [1, 1, 1]], bool)
    trial = chosen_mask(full, query=2)
    assert trial.with_empty_row == trial.with_row_hidden[0] and trial.with_row_hidden[1] == ""
    assert not paint(full, trial.with_empty_row)[2].any()
    assert chosen_mask(empty, painting="letters").with_empty_row == "letters"


def test_two_texts_of_one_length_take_no_time() -> None:
    longer = TokenRow((5,) * 6, ("a",) * 6, tuple(range(6)), ("a",) * 6)
    assert batch_seconds_here(RUN, [TOKENS, TOKENS]) == 0
    assert batch_seconds_here(RUN, [TOKENS, longer]) == pytest.approx(seconds_here(RUN, 6, 2.5))
    deep = replace(RUN, config=TransformerConfig(layers=6))
    assert seconds_here(deep, 50, 2, HeadAddress(layer=2)) < seconds_here(deep, 50, 2)


def test_one_row_is_bars_and_a_table_with_its_sums() -> None:
    mask = np.array([[True, True, False]] * 3)
    by_way = {RIGHT_WAY: [0.75, 0.25, 0.0], ZEROS_AFTER: [0.5, 0.1, 0.0], ZEROS_BEFORE: [0.3, 0.1, 0.6]}
    ways = Ways(TOKENS, mask, np.ones((3, 3)), {way: np.array([row] * 3) for way, row in by_way.items()})
    np.testing.assert_array_equal(ways.patterns, [ways.weights[way] for way in (RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE)])
    rows, seen, labels = ways.bars(1, 2)
    assert [row.tolist() for row in rows] == [[0.75, 0.0], [0.5, 0.0], [0.3, 0.6]]
    assert seen.tolist() == [True, False] and labels == ["0:a", "2:c"]
    values, keys, names = ways.row_table(1)
    assert list(keys) == [*LABELS, "sum"] and len(names) == 5 and np.isnan(values[-1, 0])
    np.testing.assert_allclose(values[-1, 1:], [2, 1, 0.6, 1])
    np.testing.assert_allclose(values[:3, 2:].T, list(by_way.values()))


def test_leaks_stand_mask_by_mask_and_layer_by_layer() -> None:
    layers = np.arange(9.0).reshape(3, 3)
    first, second = (TokenChange(TOKENS, 1, "dog", layers, final, layers > 0) for final in (layers[0], layers[2]))
    leaks = Leaks({"none": first, "causal": second}, "causal")
    values, names, labels = leaks.outputs
    np.testing.assert_array_equal(values, [first.final, second.final])
    assert leaks.mine is second and names == ["none", "causal"] and labels == LABELS
    assert second.by_layer == (layers, ["as it enters", "after layer 1", "after layer 2"], LABELS)
    broken = np.array([[False] * 3, [True, False, False]])
    spread, when, _ = Emptied(TOKENS, broken, (1,), layers, layers, broken, 1.0).by_layer
    assert spread.tolist() == [[0, 0, 0], [1, 0, 0]] and when == ["as it enters", "after layer 1"]


def test_the_shorter_text_of_a_batch_is_told_from_its_padding() -> None:
    short = TokenRow((5, 6, 0), ("a", "b", "(pad)"), (0, 1, 2), ("a", "b", "(pad)"))
    seen = np.array([[0.5, 0.25, 0.25], [0.2, 0.8, 0.0], [0.1, 0.1, 0.8]])
    allowed = [np.ones((2, 2), bool), np.array([[True, True, False]] * 3), np.ones((3, 3), bool)]
    batch = Batched((TOKENS, short), 1, np.eye(2), seen, seen, np.array([0.0, 0.1]), np.array([0.5, 0.6]), allowed)
    assert [np.isneginf(each).sum() for each in batch.drawn] == [0, 3, 0]
    assert batch.padded == ("0:a", "1:b", "2:(pad)") and batch.own == ("0:a", "1:b")
    assert batch.taken.tolist() == [0.25, 0.0]
    values, rows, columns = batch.moved
    assert values.tolist() == [[0.0, 0.1], [0.5, 0.6]] and rows == ("hidden", "seen") and columns == batch.own
