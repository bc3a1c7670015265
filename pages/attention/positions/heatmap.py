"""One encoding of positions as a heatmap, and how a number in it comes about."""

from collections.abc import Iterator, Sequence

from core.explorer.positions.encodings import Encoding, nearest
from core.readings.positions import read_closest, read_penalty
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.encoding import SOURCES, encoding_controls, encoding_of, numbered, table_words
from pages.attention.positions.settings import AT_COLUMN, AT_ROW, KIND, LENGTH, WIDTH
from pages.canvas import Matrices, Panel
from pages.shell import Shown
from pages.widgets import Control, Table, Values, control


def heatmap_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from encoding_controls(run, values)
    columns = LENGTH if values[KIND] == "alibi" else WIDTH
    yield control(AT_ROW, "below", high=values[LENGTH] - 1, width=130)
    yield control(AT_COLUMN, "below", high=values[columns] - 1, width=130)


def show_heatmap(run: Run, values: Values) -> Shown:
    """The whole table; a click on a number opens it."""
    encoding = encoding_of(run, values)
    kind, table = encoding.kind, queries.encode(encoding)
    row, column = values[AT_ROW], values[AT_COLUMN]
    axes = ("queries", "keys") if kind == "alibi" else ("positions", "dimensions")
    labels = numbered(table.shape[0]), numbered(table.shape[1])
    name = "untrained table" if kind == "learned" else f"{kind} positions"
    panel = Panel(
        "table",
        f"{name}, {table.shape[0]} × {table.shape[1]}",
        table,
        *labels,
        *axes,
        scale="weight" if kind == "binary" else "signed",
        selected=(row, column),
    )
    panels = [panel, *_trained_table(run, encoding)]
    penalty = kind == "alibi"
    return Shown(
        pictures=[
            table_words(kind),
            Matrices(panels, key="positions-table", name=f"{kind} positions", height=520, sets=_open),
        ],
        takeaway=read_penalty(table, encoding.slope) if penalty else read_closest(kind, nearest(encoding)),
        notes=[_about_learned(run) if kind == "learned" else None],
        formula=_cell_formula(encoding, row, column, float(table[row, column])),
        table=Table(f"positions-{kind}", table, *labels, corner=axes[0]),
        source=(SOURCES[kind],),
    )


def _trained_table(run: Run, encoding: Encoding) -> Sequence[Panel]:
    """The chosen model's own learned table, where training has made one."""
    if encoding.kind != "learned" or not run.checkpoint or run.config.positions != "learned":
        return []
    table = queries.own_table(run, encoding.length)
    if table is None:
        return []
    labels = numbered(table.shape[0]), numbered(table.shape[1])
    return [Panel("trained", f"trained table of {run.checkpoint}", table, *labels, "positions", "dimensions")]


def _about_learned(run: Run) -> str:
    said = "This table is untrained: random numbers, as a model with this seed begins."
    found = queries.trained_with("learned")
    if not found:
        return said + (" No trained model here has learned positions, so there is no trained table to show beside it.")
    if run.config.positions != "learned" or not run.checkpoint:
        return f"{said} A trained one is shown when you choose {' or '.join(found)} as the model."
    return said


def _open(panel: str, row: int, column: int) -> dict[str, int]:
    return {AT_ROW.key: row, AT_COLUMN.key: column}


def _cell_formula(encoding: Encoding, row: int, column: int, value: float) -> str:
    """LaTeX: how one number of the heatmap comes about."""
    turn = encoding.angle(row, column)
    pair = rf"{row} / {encoding.base:g}^{{{column // 2 * 2}/{encoding.width}}}"
    match encoding.kind:
        case "sinusoidal":
            wave = r"\cos" if column % 2 else r"\sin"
            return rf"PE({row}, {column}) = {wave}\left({pair}\right) \qquad = {wave}({turn:.5g}) = {value:.4f}"
        case "rotary":
            wave = r"\sin" if column % 2 else r"\cos"
            return rf"\theta = {pair} = {turn:.5g} \qquad {wave}(\theta) = {value:.4f}"
        case "binary":
            digit = rf"\text{{digit }} {column} \text{{ of }} {row}"
            return rf"{digit} \qquad {row} = {row:b}_2 \qquad \text{{is }} {value:.0f}"
        case "alibi":
            return (
                rf"-m \cdot |i - j| = \qquad -{encoding.slope:.5g} \cdot |{row} - {column}| = {value:.4f} "
                rf"\qquad m = {encoding.slope:.5g} \text{{, head }} {encoding.head + 1} \text{{ of }} {encoding.heads}"
            )
        case "learned":
            size = rf"{encoding.length} \times {encoding.width}"
            return rf"P_{{{row},{column}}} = {value:.4f} \qquad P \in \mathbb{{R}}^{{{size}}}"
    return rf"P_{{{row},{column}}} = 0"
