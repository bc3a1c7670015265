"""Masks by their names, and the letters of what is painted on them."""

import numpy as np
import pytest

from core.analysis.mask_painting import paint, stroke
from core.analysis.masks import AFTER, RIGHT, ZERO
from core.explorer.masks.painting import painted_on, row_hidden, usable
from core.explorer.masks.presets import PRESETS, masked_run, preset_label, under
from core.explorer.masks.records import Leak, Painted, Ways
from core.model.config import TransformerConfig
from core.model.masks import MaskSpec
from core.tracing.run import Run, TokenRow

RUN = Run("the cat", TransformerConfig())
NO_TOKENS = TokenRow((), (), (), ())


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_the_mask_of_that_name_with_the_sizes_given(preset: str) -> None:
    run = masked_run(RUN, preset, 1, 5, 7, 2)
    kinds = () if preset == "none" else (preset.replace(" ", "_"),)
    assert run.mask == MaskSpec(kinds, 1, 5, 7) and run.pads == (2 if preset == "padding" else 0)
    other = under(run, "block")
    assert other.mask == MaskSpec(("block",), 1, 5, 7) and other.pads == run.pads
    with pytest.raises(ValueError, match="mask 'roman' is not one of"):
        under(run, "roman")


def test_a_label_names_the_size_where_there_is_one() -> None:
    run = masked_run(RUN, "none", 1, 5, 7, 2)
    expected = ["none", "causal", "padding", "sliding window 1", "prefix 5", "block 7"]
    assert [preset_label(run, preset) for preset in PRESETS] == expected


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
    by_way = {RIGHT: [0.9, 0.1, 0.0], AFTER: [0.5, 0.05, 0.0], ZERO: [0.3, 0.1, 0.6]}
    ways = Ways(NO_TOKENS, mask, np.zeros((3, 3)), {way: np.array([row] * 3) for way, row in by_way.items()})
    assert list(ways.row(2)) == [RIGHT, AFTER, ZERO] and ways.row(2)[ZERO].tolist() == by_way[ZERO]
    assert ways.telling_keys(2, 2).tolist() == [0, 2] and ways.telling_keys(2, 9).tolist() == [0, 1, 2]
    changes = np.array([[0.0, 8.0, 2.0], [0.5, 9.0, 0.0]])
    leak = Leak(NO_TOKENS, 1, "dog", changes, changes[0], mask)
    assert leak.elsewhere(changes) == 2.0 and leak.elsewhere(np.array([[0.0, 3.0, 0.0]])) is None
