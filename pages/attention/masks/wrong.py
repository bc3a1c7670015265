"""−∞ before the softmax, and two ways that look alike and are wrong."""

import numpy as np

from core.charts.masks_row import NAMES, masks_row_data, masks_row_spec
from core.explorer.masks.records import COMPARED, Ways
from core.readings.masks import read_ways, row_arithmetic
from core.tracing.run import Run
from pages.attention.masks import queries
from pages.attention.masks.chosen import chosen, darkest, pick_row, scale_switch
from pages.canvas import Matrices, Panel
from pages.shell import Shown
from pages.widgets import Chart, Table, Values, spec

BARS = 24


def show_ways(run: Run, values: Values) -> Shown:
    """One row made in three ways from the same scores, and the three whole patterns, where a click chooses a row."""
    mask = chosen(run, values)
    record, at = queries.ways(mask.run, mask.place, mask.painting), mask.row
    labels, patterns = record.tokens.labels, [record.weights[way] for way in COMPARED]
    form = (labels, labels, "queries", "keys", "weight", darkest(values, *patterns))
    panels = [
        Panel(way, title, pattern, *form, outlines=[(at, None)])
        for way, title, pattern in zip(COMPARED, NAMES, patterns, strict=True)
    ]
    shown = record.telling_keys(at, BARS)
    cut = f"Of {len(labels)} keys the bars show the first hidden ones and those with the largest weights."
    return Shown(
        lead="All three start from this head's own scores. A softmax turns scores into weights that sum to 1: each "
        "weight is e^score, divided by the sum of all. −∞ takes a key out of that sum; the other two leave it in.",
        pictures=[
            _bars(record, at, shown),
            *scale_switch(*patterns),
            Matrices(panels, key="mask-ways", name="Three ways to mask", height=300, sets=pick_row),
        ],
        arithmetic=row_arithmetic(record.scores[at], record.mask[at], at),
        takeaway=read_ways(record.row(at), record.mask[at], labels[at]),
        notes=[cut if len(shown) < len(labels) else None],
        about="“Zeros after it” could be mended by dividing each row by its sum: that gives the weights of −∞ again. "
        "Without it the output shrinks by a factor that depends on hidden keys, so hidden words still leak.",
        table=_row_table(record, at),
        source=("core.analysis.masks.weights",),
    )


def _bars(record: Ways, at: int, shown: np.ndarray) -> Chart:
    labels = record.tokens.labels
    rows = [weights[shown] for weights in record.row(at).values()]
    data = masks_row_data(rows, record.mask[at][shown], [labels[place] for place in shown])
    return Chart(data, spec(masks_row_spec), key="mask-row-chart", name="one row three ways")


def _row_table(record: Ways, at: int) -> Table:
    mask, rows = record.mask[at], list(record.row(at).values())
    columns = np.stack([record.scores[at], mask, *rows], axis=1)
    total = np.array([[np.nan, mask.sum(), *(row.sum() for row in rows)]])
    names = ("score", "may attend", "−∞ before", "zeros after", "0 for −∞")
    return Table("ways", np.concatenate([columns, total]), [*record.tokens.labels, "sum"], names, corner="key")
