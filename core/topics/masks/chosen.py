"""The mask that a visitor has chosen and changed by hand, and the masks that it is compared with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.device import processors
from core.limits import UNASKED_SECONDS
from core.topics.masks.analysis.masks import RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE
from core.topics.masks.painting import row_hidden
from core.topics.masks.presets import PRESETS, under
from core.topics.masks.records import Painted
from core.topics.shared.loading import estimate_seconds, layers_below
from core.topics.shared.named_masks import masks_label
from core.topics.shared.places import HeadAddress
from core.topics.shared.replaced_word import telling_token
from core.tracing.run import Run, TokenRow

WRONG_WAYS = {
    "zeros after": ZEROS_AFTER,
    "0 for −∞": ZEROS_BEFORE,
}  # wrong ways to apply a mask, by their names on screen
PAGE_FACTOR = 1.35  # measured: the time of a page divided by the time of its model passes


@dataclass(frozen=True)
class MaskTest:
    """A mask to test: a run under it, the cells that were changed by hand, and the way in which the mask is applied."""

    run: Run
    painting: str
    way: str = RIGHT_WAY


@dataclass(frozen=True)
class ChosenMask:
    """A run under a mask, with the attention and the query that are shown.

    sizes: the sizes of all presets by their keys.
    painting: the cells that were changed by hand, as text.
    refusal: why the visitor's painting is not used, "" if it is.
    painted: the mask after these changes.
    query: its number, which may be too large for the text; None for the middle one.
    """

    run: Run
    place: HeadAddress
    preset: str
    sizes: Mapping[str, Any]
    painting: str
    refusal: str
    painted: Painted
    query: int | None = None

    @property
    def name(self) -> str:
        """The mask's name on screen: "sliding window 2, painted"."""
        return masks_label(self.run.masks) + (", painted" if self.painting else "")

    @property
    def short_name(self) -> str:
        """The mask's name for places with little room."""
        return "painted" if self.painting else short_label(self.run)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the L tokens of the text."""
        return self.painted.tokens.labels

    @property
    def row(self) -> int:
        """The row of the query, or the last row if the text is shorter."""
        last = len(self.labels) - 1
        return len(self.labels) // 2 if self.query is None else min(self.query, last)

    def changed(self, chosen: int | None) -> int:
        """Return the token that the leak test changes: the chosen one, or a word near the middle if None is chosen."""
        return telling_token(self.painted.tokens) if chosen is None else chosen

    @property
    def is_heavy(self) -> bool:
        """Whether testing every mask takes too long to start without being asked."""
        passes = 2 * (len(PRESETS) + len(WRONG_WAYS) + 1)
        return estimate_seconds(self.run.config, len(self.labels), passes) >= UNASKED_SECONDS

    def tests(self, every: bool) -> dict[str, MaskTest]:
        """Return this mask's test by its short name.

        every: return all tests instead: the presets, this mask, and the wrong ways to apply it.
        """
        chosen_test = {self.short_name: MaskTest(self.run, self.painting)}
        if not every:
            return chosen_test
        runs = [under(self.run, preset, self.sizes) for preset in PRESETS]
        presets = {short_label(run): MaskTest(run, "") for run in runs}
        return (
            presets | chosen_test | {name: MaskTest(self.run, self.painting, way) for name, way in WRONG_WAYS.items()}
        )

    @property
    def with_row_hidden(self) -> tuple[str, str]:
        """The painting that also hides every key from the chosen query, and ""; or the old painting and the reason.

        It fails if the text of the painting would be longer than an address can carry.
        """
        return row_hidden(self.painting, self.painted.base, self.row)

    @property
    def with_empty_row(self) -> str:
        """The painting itself if it leaves a query without keys, otherwise the painting of `with_row_hidden`."""
        return self.painting if self.painted.empty_rows else self.with_row_hidden[0]


def short_label(run: Run) -> str:
    """Return the label of a run's masks for places with little room: "window 2"."""
    return masks_label(run.masks).removeprefix("sliding ")


def batch_seconds_here(run: Run, rows: Sequence[TokenRow]) -> float:
    """Estimate the seconds to run the shorter of two texts once alone and twice with its padding."""
    size, longest = sorted(map(len, rows))
    return seconds_here(run, longest, 2 + size / longest) if size < longest else 0.0


def seconds_here(run: Run, length: int, passes: float, up_to: HeadAddress | None = None) -> float:
    """Estimate the seconds that `passes` forward passes over `length` tokens take here.

    up_to: the passes end at this place's layer.
    """
    layers = layers_below(run, up_to) if up_to else run.config.max_layers
    return PAGE_FACTOR * estimate_seconds(run.config.first_layers(layers), length, passes) / processors()
