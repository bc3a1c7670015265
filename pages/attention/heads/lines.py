"""The view of patterns as lines between two columns of tokens, for one head or all heads of its layer."""

from collections.abc import Iterator
from dataclasses import replace

from core.readings.treatments import name_treatment
from core.tracing.run import Run
from pages.attention.heads.grid import title
from pages.attention.heads.pattern import pattern_at, pattern_controls
from pages.attention.heads.settings import MIN_WEIGHT, SHOWN_HEADS
from pages.canvas import MAX_LINE_HEADS, TokenLines
from pages.shell import Shown, View
from pages.widgets import Control, Values, control, place_controls

LEAD = (
    "A line runs from each token that looks (a **query**) to the tokens that it looks at (**keys**): the stronger the "
    "line, the more **attention**."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield control(SHOWN_HEADS)
    yield from pattern_controls()


def heads_beside(head: int, count: int) -> range:
    """Return the heads (from 0) whose lines are drawn together with those of a head.

    They are all heads of the layer, or an even share of more heads than can be told apart by their colours.

    count: number of heads of the layer.
    """
    size = -(-count // -(-count // MAX_LINE_HEADS))
    first = head // size * size
    return range(first, min(first + size, count))


def _show(run: Run, values: Values) -> Shown:
    """Show all heads small, and lines from query to key as strong as the weights.

    The picture itself hides weak lines.
    """
    chosen, everyone, count = pattern_at(run, values), values[SHOWN_HEADS] == "all heads", run.config.heads
    name, layer = title(chosen.place), f"Layer {chosen.place.layer + 1}"
    heads = heads_beside(chosen.place.head, count) if everyone else range(chosen.place.head, chosen.place.head + 1)
    part = everyone and len(heads) < count
    which = f"heads {heads.start + 1} to {heads.stop}"
    shown = chosen.treated(heads)
    whose = (f"{layer}, {which}" if part else layer) if everyone else name
    picture = TokenLines(
        shown.pattern,
        shown.queries,
        shown.keys,
        key="heads-lines",
        name=f"{name} lines",
        head_names=[f"head {head + 1}" for head in heads],
        threshold=values[MIN_WEIGHT] / 100,
        pinned=chosen.row,
        sets_pin=chosen.pin,
        sets_threshold=lambda weight: {MIN_WEIGHT.key: round(100 * weight, 4)},
        caption=f"{whose}: {name_treatment(shown, run.config.sink_logits)}",
    )
    treated_pattern = chosen.treated(chosen.place.head)
    view = chosen.shown([picture], treated_pattern, chosen.panel(treated_pattern), f"{name}: " if everyone else "")
    cut = (
        f"{layer} has {count} heads, and {MAX_LINE_HEADS} can be told apart by their colours: these are {which}. "
        "Choose another head to see the lines of those beside it."
    )
    return replace(view, lead=LEAD, notes=[cut if part else None, *view.notes])


VIEW = View("lines", _show, _controls)
