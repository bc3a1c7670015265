"""The grid of all heads, and how it stands beside what is large."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.explorer.heads.switches import Heads
from core.explorer.shared.places import Place
from core.readings.words import head_label
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.settings import VIVID
from pages.canvas import HeadGrid
from pages.widgets import Columns, Notes, Part, Values, head_picked

FEW_HEADS = 8
CLICK = "Click a head to see it large."
Sets = Callable[[int, int], Mapping[str, Any]]


def title(place: Place) -> str:
    """ "Layer 1 · head 2", and whether it is cross-attention."""
    return head_label(place.layer, place.head).capitalize() + (" · cross-attention" if place.cross else "")


def all_heads_grid(
    run: Run, place: Place, values: Values, sets: Sets = head_picked, says: str = CLICK, off: Heads = ()
) -> list[Part]:
    """Every layer and head as a small picture; its colours go up to 1 or, where asked, to the largest weight."""
    record = queries.overview(run, place.of_stack)
    limit, here = record.most if values[VIVID] else 1.0, (place.layer, place.head)
    caption = says if record.tile == 1 else f"{says} Each dot is the largest of {record.tile} × {record.tile} weights."
    picture = HeadGrid(
        record.shades(limit),
        key="heads-grid",
        name="All heads",
        selected=here,
        sets=sets,
        hidden=off,
        caption=caption,
        limit=limit,
        masked=record.hidden,
    )
    return [picture, Notes([record.overflow and f"Later layers are left out. {record.overflow}"])]


def beside(run: Run, small: Sequence[Part], large: Sequence[Part]) -> list[Part]:
    """Side by side, or below each other where the heads are many."""
    return [*small, *large] if run.config.heads > FEW_HEADS else [Columns([small, large], widths=(2, 3))]
