"""One head's pattern, large, as a matrix."""

from collections.abc import Iterator

from core.explorer.heads.treatment import treated
from core.readings.treatments import name_treatment
from core.tracing.run import Run
from pages.attention.heads import pattern, queries
from pages.attention.heads.grid import all_heads_grid, beside, title
from pages.attention.heads.settings import HIDE, LEAST, VIVID
from pages.canvas import Matrices, Panel
from pages.shell import Shown
from pages.widgets import Control, Link, Table, Values, place_controls, place_of


def matrix_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield from pattern.pattern_controls()


def show_matrix(run: Run, values: Values) -> Shown:
    """All heads small and one large; a click on a row pins its query, and a second click lets it go."""
    place = place_of(run, values)
    record = queries.patterns(run, place.of_layer)
    shown = treated(record, place.head, values[HIDE], pattern.merged(values), values[LEAST] / 100)
    row, (rows, columns) = pattern.pinned_row(record, values), shown.pattern.shape
    panel = Panel(
        "pattern",
        f"{title(place)}: {name_treatment(shown)}",
        shown.pattern,
        shown.queries,
        shown.keys,
        "queries",
        "keys",
        scale="weight",
        limit=float(shown.pattern.max()) or None if values[VIVID] else None,
        outlines=[] if row is None else [(row, None)],
    )
    picture = Matrices(
        [panel],
        key="heads-matrix",
        name=f"{title(place)} pattern, {rows} queries × {columns} keys",
        height=520,
        sets=lambda _, clicked, column: pattern.pin(record, values, None if clicked == row else clicked),
    )
    link = Link("Take this head apart, step by step", "self-attention", icon=":material/stairs:")
    return Shown(
        pictures=beside(run, all_heads_grid(run, place, values), [picture, link]),
        takeaway=pattern.read(record, place, shown, row),
        notes=pattern.done(record, place, shown),
        formula=pattern.pattern_formula(record),
        table=Table("pattern", shown.pattern, shown.queries, shown.keys),
        source=pattern.SOURCE,
    )
