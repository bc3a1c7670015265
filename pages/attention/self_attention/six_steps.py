"""The six steps of one head, and the arithmetic of any cell."""

from collections.abc import Iterator

from core.explorer.head.cells import Cell, cell
from core.explorer.head.grids import grid
from core.explorer.head.records import HeadRecord
from core.explorer.head.steps import Step, make_step
from core.readings.words import head_label
from core.tracing.run import Run
from pages.attention.self_attention.settings import COL, MATRIX, OF, RESULT, ROW, STEP
from pages.canvas import Matrices, Panel
from pages.queries import head as queries
from pages.queries.calls import core_call
from pages.shell import Shown
from pages.widgets import Control, Table, Values, control, place_controls, place_of

CLICK = "Click any cell, or choose it below the picture, to see how it is computed."


def steps_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield control(STEP)
    if values[STEP] == "1 project":
        yield control(OF, "below")
    record, step = _step(run, values)
    yield control(MATRIX, "below", options=[RESULT, *step.names])
    rows, cols = grid(record, _matrix(step, values)).values.shape
    yield control(ROW, "below", high=rows - 1)
    yield control(COL, "below", high=cols - 1)


def show_steps(run: Run, values: Values) -> Shown:
    """The matrices of one step, with the opened cell and what it was made of outlined."""
    record, step = _step(run, values)
    matrix, row, col = picked = _matrix(step, values), values[ROW], values[COL]
    origin, opened = core_call(cell, record, matrix, row, col), grid(record, matrix)
    panels = [_panel(record, name, sign, picked, origin) for name, sign in step.matrices]
    name = f"{head_label(record.place.layer, record.place.head)} {matrix}"
    return Shown(
        lead=f"{step.sentence} {CLICK}",
        pictures=[Matrices(panels, key="step-picture", name=f"step {values[STEP]}", height=330, sets=_open)],
        arithmetic=origin.text,
        takeaway=step.reading,
        formula=step.latex,
        table=Table(name, opened.values, opened.rows, opened.cols),
        source=step.source,
        pattern=Panel("A", *grid(record, "A").drawn),
    )


def _panel(record: HeadRecord, name: str, sign: str, picked: tuple[str, int, int], origin: Cell) -> Panel:
    shown, selected = grid(record, name), picked[1:] if picked[0] == name else None
    return Panel(name, *shown.drawn, before=sign, outlines=origin.outlines(name), selected=selected, unit=shown.unit)


def _step(run: Run, values: Values) -> tuple[HeadRecord, Step]:
    record = queries.head(run, place_of(run, values))
    of = values[OF] if values[STEP] == "1 project" else OF.default
    return record, core_call(make_step, record, values[STEP], of)


def _matrix(step: Step, values: Values) -> str:
    """The matrix whose cell is worked out: the one chosen, where this step shows it, else what the step makes."""
    return values[MATRIX] if values[MATRIX] in step.names else step.result


def _open(matrix: str, row: int, col: int) -> dict[str, object]:
    return {MATRIX.key: matrix, ROW.key: row, COL.key: col}
