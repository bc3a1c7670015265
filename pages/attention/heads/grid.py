"""The grid of all heads, and its place beside the large pictures."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.text.labels import head_label
from core.topics.heads.switches import Heads
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.settings import VIVID
from pages.canvas import HeadGrid
from pages.widgets import Columns, Notes, Part, Values, head_picked

FEW_HEADS = 8
CLICK = "Click a head to see it large."
Sets = Callable[[int, int], Mapping[str, Any]]


def title(place: HeadAddress) -> str:
    """Return the title of a head: "Layer 1 · head 2", with " · cross-attention" added if it is in cross-attention."""
    return head_label(place.layer, place.head).capitalize() + (" · cross-attention" if place.cross else "")


def all_heads_grid(
    run: Run, place: HeadAddress, values: Values, sets: Sets = head_picked, click: str = CLICK, off: Heads = ()
) -> list[Part]:
    """Return a small picture of every layer and head, and a note if later layers are left out.

    The colours end at a weight of 1 or, if the visitor asks for it, at the largest weight.

    sets: returns the settings after a click on a layer and head.
    click: what a click does, in words below the picture.
    off: the heads that are switched off.
    """
    record = queries.overview(run, place.of_stack)
    limit, selected = record.largest_weight if values[VIVID] else 1.0, (place.layer, place.head)
    picture = HeadGrid(
        record.shades(limit),
        key="heads-grid",
        name="All heads",
        selected=selected,
        sets=sets,
        hidden=off,
        caption="" if record.tile == 1 else f"Each dot is the largest of {record.tile} × {record.tile} weights.",
        click=click,
        limit=limit,
        masked=record.hidden,
    )
    return [picture, Notes([record.overflow and f"Later layers are left out. {record.overflow}"])]


def beside(run: Run, small: Sequence[Part], large: Sequence[Part]) -> list[Part]:
    """Place small pictures beside large ones, which get less of the width if there are more than FEW_HEADS heads."""
    return [Columns([small, large], widths=(2, 3) if run.config.heads <= FEW_HEADS else (1, 1))]
