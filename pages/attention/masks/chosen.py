"""The mask that a visitor has chosen and changed by hand, shared by all views of it, and its controls."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from core.topics.masks.chosen import ChosenMask, seconds_here
from core.topics.masks.painting import usable
from core.topics.masks.presets import masked_run
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.attention.masks import queries
from pages.attention.masks.settings import PADS, PAINTING, PRESET, ROW, SIZES, VIVID
from pages.widgets import Control, Setting, SettingPart, Values, control, head_of, layer_of, place_controls

NEAR_ONE = 0.95


def mask_controls(presets: Setting, values: Values) -> Iterator[Control]:
    """Yield the controls for the mask and its size."""
    yield control(presets)
    yield from (control(size, width=150) for preset, size in SIZES if preset == values[presets])


def head_controls(run: Run, values: Values) -> Iterator[Control]:
    """Yield the controls for the mask, the head whose weights are shown, and the query whose row is shown."""
    yield from mask_controls(PRESET, values)
    yield from place_controls(run, attention=False, stack=run.config.stacks[-1])
    yield control(ROW, "more", width=150, placeholder="middle", high=len(chosen(run, values).labels) - 1)


def chosen(run: Run, values: Values) -> ChosenMask:
    """Return the run under this page's mask, as changed by hand."""
    painting, refusal = usable(values[PAINTING])
    masked, place = chosen_run(run, values, PRESET)
    painted = queries.painted(masked, painting)
    return ChosenMask(masked, place, values[PRESET], _sizes(values), painting, refusal, painted, values[ROW])


def chosen_run(run: Run, values: Values, presets: Setting) -> tuple[Run, HeadAddress]:
    """Return the run under the mask that `presets` names, and the chosen head of the last stack's self-attention."""
    masked = masked_run(run, values[presets], _sizes(values), values[PADS])
    stack = run.config.stacks[-1]
    return masked, HeadAddress(stack, layer_of(run, values, stack), head_of(run, values))


def _sizes(values: Values) -> dict[str, Any]:
    """Return the sizes of all masks by their keys."""
    return {setting.key.removeprefix("masks-"): values[setting] for _, setting in SIZES if setting is not PADS}


def seconds(run: Run, values: Values, passes: float, to_head: bool = False) -> float:
    """Estimate how many seconds a view takes.

    passes: number of forward passes.
    to_head: whether they end at the chosen head's layer.
    """
    mask = chosen(run, values)
    return seconds_here(mask.run, len(mask.labels), passes, mask.place if to_head else None)


def pick_row(_: str, row: int, __: int) -> dict[str, int]:
    """Return the settings that choose the clicked row."""
    return {ROW.key: row}


def pattern_form(
    values: Values, *patterns: np.ndarray
) -> tuple[tuple[str, str, str, float | None], Sequence[SettingPart]]:
    """Return axes, scale and limit for panels of attention patterns, and a switch that stretches the colours to them.

    The limit is None, which means 1, unless the colours are stretched. There is no switch if some weight is near 1
    already.
    """
    largest_weight = max(float(pattern.max()) for pattern in patterns)
    limit = largest_weight or None if values[VIVID] else None
    return ("queries", "keys", "weight", limit), [SettingPart(VIVID)] if largest_weight < NEAR_ONE else []
