"""The view of one head's pattern as a large matrix, beside that of a head that behaves differently."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from core.topics.heads.readings.names import name_label, read_not_told_apart, read_single, read_why_several
from core.topics.heads.side_by_side import contrast
from core.topics.heads.treatment import row_of
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.grid import title
from pages.attention.heads.pattern import PatternAt, pattern_at, pattern_controls
from pages.attention.heads.settings import MIN_WEIGHT
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
    chosen = pattern_at(run, values)
    shown, other_head = chosen.treated(chosen.place.head, values[MIN_WEIGHT] / 100), _other(run, chosen.place)
    compared = None if other_head is None else pattern_at(run, values.but(_picked(other_head)))
    why, row = _why_several(chosen, compared)
    marked = chosen.row if chosen.row is not None else row
    panels = [
        _panel(pattern, marked, name)
        for pattern, name in ((chosen, "pattern"), (compared, "beside"))
        if pattern is not None
    ]
    rows, columns = shown.pattern.shape
    picture = Matrices(
        panels,
        key="heads-matrix",
        name=f"{title(chosen.place)} pattern, {rows} queries × {columns} keys",
        height=520 if compared is None else 400,
        sets=lambda _, clicked, column: chosen.pin(None if clicked == chosen.row else clicked),
    )
    link = Link(f"Take {title(chosen.place).lower()} apart, step by step", "self-attention", icon=":material/stairs:")
    view = chosen.shown([picture, link], shown, panels[0])
    return replace(view, lead=LEAD, takeaway=[*why, *view.said])


def _other(run: Run, place: HeadAddress) -> HeadAddress | None:
    """Return the head to compare with; None if there is no other head, or if the numbers of other layers overflow."""
    with suppress(ValueError):
        return queries.compared_place(run, place)
    return None


def _picked(place: HeadAddress) -> dict[Setting, str]:
    settings = head_picked(place.layer, place.head)
    return {setting: settings[setting.key] for setting in (LAYER, HEAD)}


def _why_several(chosen: PatternAt, compared: PatternAt | None) -> tuple[Sequence[str], int | None]:
    """Say why there are several heads, by the two that are shown, and return the row that demonstrates it.

    The row is None if only one head is shown, or if the two cannot be told apart on this text.
    """
    if compared is None:
        return [read_single(chosen.run.config.heads, chosen.run.config.depth(chosen.place.stack))], None
    heads = [(pattern.place.layer, pattern.place.head) for pattern in (chosen, compared)]
    query = contrast(chosen.record, chosen.place.head, compared.record, compared.place.head)
    if query is None:
        return [read_not_told_apart(heads)], None
    weights = [pattern.record.pattern[pattern.place.head, query] for pattern in (chosen, compared)]
    sentences = read_why_several(heads, weights, chosen.record.rows, query, chosen.record.keys.labels)
    return sentences, row_of(chosen.record, query, chosen.merged)


def _panel(pattern: PatternAt, row: int | None, name: str) -> Panel:
    """Return a head's pattern as a panel, titled by the head's measured behaviour on this text if it has a name.

    row: the row to outline; None for no outline.
    name: the panel's name.
    """
    panel = pattern.panel(pattern.treated(pattern.place.head, pattern.values[MIN_WEIGHT] / 100))
    named = None
    with suppress(ValueError):
        named = queries.head_names(pattern.run, pattern.place.of_stack).of(pattern.place.layer, pattern.place.head)
    return replace(
        panel,
        name=name,
        title=f"{title(pattern.place)}: {name_label(named)}" if named else panel.title,
        outlines=[] if row is None else [(row, None)],
    )


VIEW = View("all heads", _show, _controls)
