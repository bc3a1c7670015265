"""The view of the six steps of one head, with the arithmetic of any cell."""

from collections.abc import Iterator

from core.export.asked import HEAD_SCORES, HEAD_VECTORS, PATTERN
from core.readings.words import quoted
from core.text.labels import head_label
from core.topics.self_attention.cells import Cell, cell, links
from core.topics.self_attention.grids import Grid, grid, telling_column, telling_columns, telling_row
from core.topics.self_attention.headlines import read_step
from core.topics.self_attention.records import HeadRecord
from core.topics.self_attention.steps import Step, make_step
from core.tracing.run import Run
from pages.attention.self_attention.settings import COL, MATRIX, PROJECTION, RESULT, ROW, STEP
from pages.canvas import Matrices, Opened, OpenedRow, OpenMatrix, Panel, Token, TokenButtons
from pages.compute import one_head as queries
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import Control, Table, Values, control, place_controls, place_of

MOST_WEIGHTS = 25_000  # with which the words follow a click without the server
CLICK = "Click any cell, or choose it below the picture, to see how it is computed."
DRAWN = {
    "1 project": HEAD_VECTORS,
    "5 softmax": PATTERN,
    "6 mix": PATTERN,
}  # by step; the others: HEAD_SCORES
FOLLOW = "Click another word to follow it."


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield control(STEP)
    if values[STEP] == "1 project":
        yield control(PROJECTION, "below")
    record, step = _step(run, values)
    yield control(MATRIX, "below", options=[RESULT, *step.names])
    matrix = _matrix(step, values)
    rows, cols = grid(record, matrix).values.shape
    yield control(ROW, "below", high=rows - 1, placeholder=str(telling_row(record, matrix)))
    _, row, _ = _opened(record, step, values)
    yield control(COL, "below", high=cols - 1, placeholder=str(telling_column(record, matrix, row)))


def _show(run: Run, values: Values) -> Shown:
    """Show the matrices of one step, with the opened cell and the cells it was made from outlined."""
    record, step = _step(run, values)
    matrix, row, col = picked = _opened(record, step, values)
    origin, opened = core_call(cell, record, matrix, row, col), grid(record, matrix)
    query, cell_opened = _query(record, opened, values), _cell_opened(record, step, values)
    panels = [_panel(record, name, sign, picked, origin) for name, sign in step.matrices]
    name = f"{head_label(record.place.layer, record.place.head)} {matrix}"
    headline = read_step(record, values[STEP], query)
    return Shown(
        lead=step.sentence,
        click=CLICK,
        pictures=[
            _looks(record, query, cell_opened),
            Matrices(panels, key="step-picture", name=f"step {values[STEP]}", height=330, opened=cell_opened),
        ],
        arithmetic=origin.text,
        takeaway=[headline, step.reading],
        formula=step.latex,
        table=Table(name, opened.values, opened.rows, opened.cols),
        source=step.source,
        pattern=Panel("A", *grid(record, "A").drawn),
    )


def _query(record: HeadRecord, opened: Grid, values: Values) -> int:
    """Return the query whose weights are shown: the token of the chosen row, else that of the most informative link."""
    chosen = values[ROW] if opened.row_axis in _token_axes(record) else None
    return record.telling[0] if chosen is None else chosen


def _token_axes(record: HeadRecord) -> tuple[str, ...]:
    """Return the axes whose rows are the tokens that look."""
    return ("queries",) if record.place.cross else ("queries", "keys", "tokens")


def _cell_opened(record: HeadRecord, step: Step, values: Values) -> Opened:
    """Return the cell that the settings open, among those of the step."""
    matrices = {
        name: OpenMatrix(
            telling_row(record, name),
            telling_columns(record, name),
            grid(record, name).values.shape[1],
            links(record, name),
        )
        for name in step.names
    }
    keys, at = (MATRIX.key, ROW.key, COL.key), (values[MATRIX], values[ROW], values[COL])
    return Opened(keys, at, matrices, step.result)


def _looks(record: HeadRecord, query: int, opened: Opened) -> TokenButtons:
    """Return the text that is looked at, each token coloured by its share of the query's attention."""
    weights, query_pieces = record.pattern[query], record.queries.pieces
    cross = record.place.cross
    tokens = [
        Token(piece, f"weight {weight:.3f}", weight) for piece, weight in zip(record.keys.pieces, weights, strict=True)
    ]
    name = "Where {} looks"
    caption = f"{name}: the stronger the colour, the more of its attention."
    who = [quoted(piece) for piece in query_pieces]
    of = [matrix for matrix in opened.matrices if grid(record, matrix).row_axis in _token_axes(record)]
    row = OpenedRow(
        opened, record.pattern, of, record.telling[0], RESULT, who, name, caption if cross else f"{caption} {FOLLOW}"
    )
    return TokenButtons(
        tokens,
        key="step-looks",
        name=name.replace("{}", who[query]),
        selected=None if cross else query,
        caption=caption.replace("{}", who[query]),
        click=FOLLOW,
        sets=None if cross else lambda position: _open(RESULT, position, None),
        opened=row if record.pattern.size <= MOST_WEIGHTS else None,
    )


def _panel(record: HeadRecord, name: str, sign: str, picked: tuple[str, int, int], origin: Cell) -> Panel:
    shown, selected = grid(record, name), picked[1:] if picked[0] == name else None
    return Panel(name, *shown.drawn, before=sign, outlines=origin.outlines(name), selected=selected, unit=shown.unit)


def _step(run: Run, values: Values) -> tuple[HeadRecord, Step]:
    record = queries.head(run, place_of(run, values))
    of = values[PROJECTION] if values[STEP] == "1 project" else PROJECTION.default
    return record, core_call(make_step, record, values[STEP], of)


def _matrix(step: Step, values: Values) -> str:
    """Return the matrix whose cell is worked out: the chosen one if this step shows it, otherwise the step's result."""
    return values[MATRIX] if values[MATRIX] in step.names else step.result


def _opened(record: HeadRecord, step: Step, values: Values) -> tuple[str, int, int]:
    """Return the matrix, row and column of the cell to work out: as chosen, otherwise the most informative ones."""
    matrix = _matrix(step, values)
    row = telling_row(record, matrix) if values[ROW] is None else values[ROW]
    return matrix, row, telling_column(record, matrix, row) if values[COL] is None else values[COL]


def _drawn(values: Values) -> str:
    """Return what the script of the chosen step draws."""
    return DRAWN.get(values[STEP], HEAD_SCORES)


def _open(matrix: str, row: int, col: int | None) -> dict[str, object]:
    return {MATRIX.key: matrix, ROW.key: row, COL.key: col}


VIEW = View("six steps", _show, _controls, export=_drawn)
