"""The view of patterns as lines between two columns of tokens, for one head or all heads of its layer."""

from collections.abc import Iterator
from dataclasses import replace

from core.readings.treatments import name_treatment
from core.tracing.run import Run
from pages.attention.heads.grid import title
from pages.attention.heads.pattern import pattern_at, pattern_controls
from pages.attention.heads.settings import LEAST, WHOSE
from pages.canvas import TokenLines
from pages.shell import Shown, View
from pages.widgets import Control, Values, control, place_controls

LEAD = (
    "A line runs from each token that looks (a **query**) to the tokens that it looks at (**keys**): the stronger the "
    "line, the more **attention**."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield control(WHOSE)
    yield from pattern_controls()


def _show(run: Run, values: Values) -> Shown:
    """Show all heads small, and lines from query to key as strong as the weights.

    The picture itself hides weak lines.
    """
    chosen, everyone = pattern_at(run, values), values[WHOSE] == "all heads"
    heads, name = range(run.config.heads) if everyone else [chosen.place.head], title(chosen.place)
    shown = chosen.treated(heads)
    whose = f"Layer {chosen.place.layer + 1}" if everyone else name
    picture = TokenLines(
        shown.pattern,
        shown.queries,
        shown.keys,
        key="heads-lines",
        name=f"{name} lines",
        head_names=[f"head {head + 1}" for head in heads],
        threshold=values[LEAST] / 100,
        pinned=chosen.row,
        sets_pin=chosen.pin,
        sets_threshold=lambda weight: {LEAST.key: round(100 * weight, 4)},
        caption=f"{whose}: {name_treatment(shown)}",
    )
    treated_pattern = chosen.treated(chosen.place.head)
    return replace(
        chosen.shown([picture], treated_pattern, chosen.panel(treated_pattern), f"{name}: " if everyone else ""),
        lead=LEAD,
    )


VIEW = View("lines", _show, _controls)
