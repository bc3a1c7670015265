"""The view of one head's pattern as a large matrix, beside that of a head that behaves differently."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from core.topics.heads.readings.names import name_label, read_not_told_apart, read_single, read_why_several
from core.topics.heads.side_by_side import contrast
from core.topics.heads.treatment import row_of
from core.topics.shared.places import Place
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.grid import title
from pages.attention.heads.pattern import PatternAt, pattern_at, pattern_controls
from pages.attention.heads.settings import LEAST
from pages.canvas import Matrices, Panel
from pages.shell import Shown, View
from pages.widgets import HEAD, LAYER, Control, Link, Setting, Values, head_picked, place_controls

LEAD = (
    "Each small square is one **head** of the model. Rows are the tokens that look (**queries**), columns the tokens "
    "looked at (**keys**): the stronger the colour, the more **attention**."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield from pattern_controls()


def _show(run: Run, values: Values) -> Shown:
    """Show all heads small and two of them large.

    A click on a row pins its query, and a second click unpins it.
    """
    at = pattern_at(run, values)
    shown, other = at.treated(at.place.head, values[LEAST] / 100), _other(run, at.place)
    beside = None if other is None else pattern_at(run, values.but(_picked(other)))
    why, row = _why_several(at, beside)
    marked = at.row if at.row is not None else row
    panels = [_panel(each, marked, name) for each, name in ((at, "pattern"), (beside, "beside")) if each is not None]
    rows, columns = shown.pattern.shape
    picture = Matrices(
        panels,
        key="heads-matrix",
        name=f"{title(at.place)} pattern, {rows} queries × {columns} keys",
        height=520 if beside is None else 400,
        sets=lambda _, clicked, column: at.pin(None if clicked == at.row else clicked),
    )
    link = Link(f"Take {title(at.place).lower()} apart, step by step", "self-attention", icon=":material/stairs:")
    told = at.shown([picture, link], shown, panels[0])
    return replace(told, lead=LEAD, takeaway=[why, *told.said])


def _other(run: Run, place: Place) -> Place | None:
    """Return the head to compare with; None if there is no other head, or if the numbers of other layers overflow."""
    with suppress(ValueError):
        return queries.compared_place(run, place)
    return None


def _picked(place: Place) -> dict[Setting, str]:
    chosen = head_picked(place.layer, place.head)
    return {each: chosen[each.key] for each in (LAYER, HEAD)}


def _why_several(at: PatternAt, beside: PatternAt | None) -> tuple[str, int | None]:
    """Say why there are several heads, by the two that are shown, and return the row that demonstrates it.

    The row is None if only one head is shown, or if the two cannot be told apart on this text.
    """
    if beside is None:
        return read_single(at.run.config.heads, at.run.config.depth(at.place.stack)), None
    heads = [(each.place.layer, each.place.head) for each in (at, beside)]
    query = contrast(at.record, at.place.head, beside.record, beside.place.head)
    if query is None:
        return read_not_told_apart(heads), None
    weights = [each.record.pattern[each.place.head, query] for each in (at, beside)]
    said = read_why_several(heads, weights, at.record.rows, query, at.record.keys.labels)
    return said, row_of(at.record, query, at.merged)


def _panel(at: PatternAt, row: int | None, name: str) -> Panel:
    """Return a head's pattern as a panel, titled by the head's measured behaviour on this text if it has a name.

    row: the row to outline; None for no outline.
    name: the panel's name.
    """
    panel = at.panel(at.treated(at.place.head, at.values[LEAST] / 100))
    named = None
    with suppress(ValueError):
        named = queries.head_names(at.run, at.place.of_stack).of(at.place.layer, at.place.head)
    return replace(
        panel,
        name=name,
        title=f"{title(at.place)}: {name_label(named)}" if named else panel.title,
        outlines=[] if row is None else [(row, None)],
    )


VIEW = View("all heads", _show, _controls)
