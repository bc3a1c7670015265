"""The view of table 1 as curves and as a table: everything is counted, nothing is measured."""

from collections.abc import Iterator

import numpy as np

from core.charts.bars import bars_spec
from core.charts.style import SIZE
from core.readings.kv_cache import counted
from core.topics.layer_costs.charts import CostLine, cost_lines_data, cost_lines_spec, operation_bars_data
from core.topics.layer_costs.costs import COUNTS, LAYER_KINDS, LENGTHS, LayerSizes, TableOne, table_one
from core.topics.layer_costs.readings import read_layer_costs, write_layer_costs
from core.tracing.run import Run
from pages.comparisons.layer_costs.settings import COUNT, D, K, N, R
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import Chart, Columns, Control, Markdown, Table, Values, control, spec

LEAD = (
    "Five ways to turn n vectors of d numbers into n new ones. Each has a price in operations, in steps that must wait "
    "for one another, and in how far a signal travels between the first token and the last. A convolution sees k "
    "positions, windowed attention r."
)
ABOUT = (
    "Operations are multiplications, each with its addition, of matrix products. Table 1 of the paper leaves out "
    "constants and attention's four projections, 4·n·d²; “every multiply-add” counts the layers that the other views "
    "run: a GRU for the recurrent one, which takes 6·n·d², and one attention head. So a recurrent layer can cost less "
    "than a convolution here, and more than it in “your text”.",
    "All layers here are causal, so the longest path is that from the first input to the last output. Self-attention "
    "computes the masked pairs too. Windowed attention goes through the text in blocks of r queries, each block with "
    "the 2r − 1 keys that its queries see: no n × n matrix is made. A window longer than the text counts as n.",
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(N, width=230)
    yield control(D, width=200)
    yield control(K, "more", width=130)
    yield control(R, "more", width=170)
    yield control(COUNT)


def _show(run: Run, values: Values) -> Shown:
    """Show the three columns of table 1 along n, and at the chosen sizes."""
    sizes = LayerSizes(int(values[N]), int(values[D]), values[K], int(values[R]))
    table, exact = core_call(table_one, sizes, values[COUNT]), values[COUNT] != COUNTS[0]
    operations = dict(zip(LAYER_KINDS, table.here["operations"].tolist(), strict=True))
    costs = {kind: [table.here[name][row] for name in table.here] for row, kind in enumerate(LAYER_KINDS)}
    return Shown(
        lead=LEAD,
        takeaway=read_layer_costs(sizes.n, sizes.d, operations["recurrent"], operations["self-attention"]),
        pictures=[
            _bars(table),
            Markdown(write_layer_costs(exact, costs, sizes.n, sizes.r)),
            Columns(
                [
                    [_chart(table, "operations", "How many operations?", 400)],
                    [
                        _chart(table, "sequential steps", "How many steps wait for another?", 200),
                        _chart(table, "longest path", "How long is the longest path?", 200),
                    ],
                ],
                (3, 2),
            ),
        ],
        about=ABOUT,
        table=Table("layer costs", *table.table, corner="layer"),
        source=(
            *("core.topics.layer_costs.analysis.table_operations", "core.topics.layer_costs.analysis.layer_operations"),
            *("core.topics.layer_costs.analysis.longest_path", "core.model.layer_kinds.windowed_attention"),
        ),
    )


def _bars(table: TableOne) -> Chart:
    """Return the operations of each kind at the chosen sizes as bars."""
    operations = table.here["operations"].astype(int).tolist()
    title = f"Operations for {table.sizes.n:,} positions"
    data = operation_bars_data(LAYER_KINDS, operations, [counted(number) for number in operations])
    return Chart(data, spec(bars_spec, "layer", title, "operations, counted", False, SIZE), "layer-costs-here", title)


def _chart(table: TableOne, column: str, title: str, height: int) -> Chart:
    """Chart one column of table 1 along n, with the chosen n.

    Among operations, the crossing of recurrence and attention is marked too.
    """
    n, d = table.sizes.n, table.sizes.d
    lines = [CostLine(kind, np.array(LENGTHS), y) for kind, y in zip(LAYER_KINDS, table.along[column], strict=True)]
    rules, is_counted = [(float(n), "n here")], column == "operations"
    if is_counted:
        rules = [(float(n), "n = d, here")] if n == d else [(float(d), "n = d"), (float(n), "n here")]
    picture = spec(
        cost_lines_spec, title, "n: positions", column if is_counted else "steps", legend=is_counted, height=height
    )
    key = f"layer-costs-{column.replace(' ', '-')}"
    return Chart(cost_lines_data(lines, rules), picture, key=key, name=title)


VIEW = View("table 1", _show, _controls, reads_text=False)
