"""The view of one positional encoding as a heatmap, with the arithmetic of any number in it."""

from collections.abc import Iterator

from core.export.encodings import table_script
from core.export.script_parts import ScriptParts
from core.topics.positions.encodings import nearest, nearest_table
from core.topics.positions.readings.encodings import read_encoding, read_penalty, read_untrained, write_cell
from core.topics.positions.readings.measures import read_closest
from core.topics.shared.labels import with_labels
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.parts import encoding_controls, encoding_of
from pages.attention.positions.settings import AT_COLUMN, AT_ROW, KIND, LENGTH, WIDTH
from pages.canvas import Matrices, Opened, OpenMatrix, Panel
from pages.compute.cache import title_of
from pages.shell import Shown, View
from pages.widgets import Control, Markdown, Table, Values, control


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from encoding_controls(run, values)
    columns = LENGTH if values[KIND] == "alibi" else WIDTH
    yield control(AT_ROW, "below", high=values[LENGTH] - 1, width=130)
    yield control(AT_COLUMN, "below", high=values[columns] - 1, width=130)


def _show(run: Run, values: Values) -> Shown:
    """Show the whole table of an encoding; a click on a number opens it."""
    encoding, row, column = encoding_of(run, values), values[AT_ROW], values[AT_COLUMN]
    kind, axes, numbers = encoding.kind, encoding.axes, queries.encode(encoding)
    table, name = with_labels(numbers), f"{kind} positions"
    closest = None if kind == "alibi" else nearest(encoding)
    title = f"{'untrained table' if kind == 'learned' else name}, {numbers.shape[0]} × {numbers.shape[1]}"
    scale, unit = "size" if kind == "binary" else "signed", "penalty" if kind == "alibi" else "encoding"
    panels = [Panel("table", title, *table, *axes, scale, selected=(row, column), unit=unit)]
    beside = run.is_trained and run.config.positions == "learned"
    trained = queries.run_table(run, encoding.length) if beside and kind == "learned" else None
    if trained is not None:
        panels.append(Panel("trained", f"trained table: {title_of(run)}", *with_labels(trained), *axes, unit=unit))
    if kind not in ("none", "alibi"):
        square = with_labels(queries.dot_products(encoding).square)
        square_title = "dot product of every two positions"
        panels.append(Panel("square", square_title, *square, "positions", "positions", unit="dot product"))
    cells = OpenMatrix(0, (0,) * len(numbers), numbers.shape[1])
    opened = Opened(
        (None, AT_ROW.key, AT_COLUMN.key), (None, row, column), dict.fromkeys(("table", "trained"), cells), "table"
    )
    return Shown(
        pictures=[
            Markdown(read_encoding(kind)),
            Matrices(panels, key="positions-table", name=name, height=520, opened=opened),
        ],
        takeaway=read_penalty(numbers, encoding.slope) if kind == "alibi" else read_closest(kind, closest),
        notes=[read_untrained(queries.trained_kinds()["learned"], beside) if kind == "learned" else None],
        formula=write_cell(encoding, row, column, float(numbers[row, column])),
        table=[
            Table(f"positions-{kind}", *table, corner=axes[0]),
            *([Table("nearest", *nearest_table(closest), corner="positions")] if closest else []),
        ],
        source=(encoding.source,),
    )


def _script(run: Run, values: Values) -> ScriptParts:
    return table_script(encoding_of(run, values))


VIEW = View("heatmap", _show, _controls, reads_text=False, reads_mask=False, script=_script)
