"""The mask that a visitor has chosen and painted, and the attention that it acts on."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.explorer.masks.painting import usable
from core.explorer.masks.presets import masked_run, preset_label
from core.explorer.masks.records import Painted
from core.explorer.shared.places import Place
from core.tracing.run import Run
from pages.attention.masks import queries
from pages.attention.masks.settings import BLOCK, OTHER, PADS, PAINTED, PREFIX, PRESET, ROW, SIZES, VIVID, WINDOW
from pages.widgets import Ask, Control, Setting, Values, control, head_of, layer_of, place_controls

NEAR_ONE = 0.95


@dataclass(frozen=True)
class Chosen:
    """A run with the page's own mask, the attention looked at, what was painted on the mask, and a query to look at."""

    run: Run
    place: Place
    preset: str
    painting: str
    row: int

    @property
    def name(self) -> str:
        """As it is called on screen: "sliding window 2, painted"."""
        return preset_label(self.run, self.preset) + (", painted" if self.painting else "")

    @property
    def length(self) -> int:
        """How many tokens the text has."""
        return len(self.painted.tokens)

    @property
    def painted(self) -> Painted:
        return queries.painted(self.run, self.painting)


def mask_controls(presets: Setting, values: Values) -> Iterator[Control]:
    """The mask and its size."""
    yield control(presets)
    if values[presets] in SIZES:
        yield control(SIZES[values[presets]], width=150)


def head_controls(run: Run, values: Values) -> Iterator[Control]:
    """The mask, the head whose weights are shown, and a query to look at."""
    yield from mask_controls(PRESET, values)
    yield from place_controls(run, attention=False)
    yield control(ROW, width=150, placeholder="middle", high=chosen(run, values).length - 1)


def chosen(run: Run, values: Values) -> Chosen:
    """The run under this page's mask and painting."""
    painting, _ = usable(values[PAINTED])
    masked = _masked(run, values, PRESET)
    length, row = len(queries.painted(masked, painting).tokens), values[ROW]
    row = length // 2 if row is None else min(row, length - 1)
    return Chosen(masked, _place(run, values), values[PRESET], painting, row)


def seconds(passes: float, to_head: bool = False) -> Callable[[Run, Values], float]:
    """About how long a view takes that runs the model so often, all of it or up to the chosen head's layer."""

    def needed(run: Run, values: Values) -> float:
        mask = chosen(run, values)
        return queries.estimated_seconds(mask.run, mask.length, passes, mask.place if to_head else None)

    return needed


def chosen_other(run: Run, values: Values) -> Chosen:
    """The run under the mask that goes with padding in a batch; nothing is painted on it."""
    return Chosen(_masked(run, values, OTHER), _place(run, values), values[OTHER], "", 0)


def _masked(run: Run, values: Values, presets: Setting) -> Run:
    return masked_run(run, values[presets], *(values[each] for each in (WINDOW, PREFIX, BLOCK, PADS)))


def _place(run: Run, values: Values) -> Place:
    """The chosen head of the last self-attention."""
    return Place(run.config.stacks[-1], layer_of(run, values), head_of(run, values))


def pick_row(_: str, row: int, __: int) -> dict[str, int]:
    """Look at the row that was clicked."""
    return {ROW.key: row}


def scale_switch(*patterns: np.ndarray) -> Sequence[Ask]:
    """Whether to scale the colours of these patterns, asked only where no weight is near 1 already."""
    return [Ask(VIVID)] if max(pattern.max() for pattern in patterns) < NEAR_ONE else []


def darkest(values: Values, *patterns: np.ndarray) -> float | None:
    """The weight that these pictures share as their darkest colour: None, which is 1, unless it is scaled to them."""
    return max(float(pattern.max()) for pattern in patterns) or None if values[VIVID] else None
