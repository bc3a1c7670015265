"""−∞ before the softmax, and two ways that look alike and are wrong."""

from functools import cache as once
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.masks import AFTER, RIGHT, ZERO, telling_keys, weights
from core.charts.masks_row import NAMES, masks_row_data, masks_row_spec
from core.explorer.masks.records import Ways
from core.readings.masks import read_ways, row_arithmetic
from pages.canvas.chart_save.chart_save import chart_save
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui.masks import cache
from pages.ui.masks.chosen import RUNNING, Chosen, ask_scale, darkest, set_row
from pages.ui.numbers import numbers
from pages.ui.say import code, notes, reading

ORDER = (RIGHT, AFTER, ZERO)
BARS = 24


def show_row(chosen: Chosen, row: int, aside: DeltaGenerator) -> None:
    """One row of weights made in three ways from the same scores, in bars and in a sentence."""
    with st.spinner(RUNNING, show_time=True):
        record = cache.ways(chosen.run, chosen.place, chosen.painting)
    ask_scale(aside, *(record.weights[way] for way in ORDER))
    labels, rows = record.tokens.labels, _rows(record, row)
    st.caption(
        "All three start from this head's own scores. A softmax turns scores into weights that sum to 1: each weight "
        "is e^score, divided by the sum of all. −∞ takes a key out of that sum; the other two leave it in."
    )
    _bars(rows, record.mask[row], labels)
    reading(read_ways(rows, record.mask[row], labels[row]))


def show_ways(chosen: Chosen, row: int) -> None:
    """The three whole patterns, where a click chooses a row, and the row's arithmetic."""
    record = cache.ways(chosen.run, chosen.place, chosen.painting)
    labels, rows = record.tokens.labels, _rows(record, row)
    axes, outlines = ("queries", "keys"), [(row, None)]
    limit = darkest(*(record.weights[way] for way in ORDER))
    panels = [
        Panel(way, title, record.weights[way], labels, labels, *axes, "weight", limit, outlines=outlines)
        for way, title in zip(ORDER, NAMES, strict=True)
    ]
    Matrices(panels, key="mask-ways", name="Three ways to mask", height=300, sets=set_row).draw()
    st.code(row_arithmetic(record.scores[row], record.mask[row], row), language=None, wrap_lines=True)
    st.caption(
        "“Zeros after it” could be mended by dividing each row by its sum: that gives the weights of −∞ again. Without "
        "it the output shrinks by a factor that depends on hidden keys, so hidden words still leak."
    )
    table = np.stack([record.scores[row], record.mask[row], *(rows[way] for way in ORDER)], axis=1)
    total = np.array([[np.nan, record.mask[row].sum(), *(rows[way].sum() for way in ORDER)]])
    columns = ["score", "may attend", "−∞ before", "zeros after", "0 for −∞"]
    numbers("ways", np.concatenate([table, total]), [*labels, "sum"], columns, "mask-ways-table", "key")
    code(weights, key="mask-code-ways")


def _rows(record: Ways, row: int) -> dict[str, np.ndarray]:
    return {way: record.weights[way][row] for way in ORDER}


def _bars(rows: dict[str, np.ndarray], mask: np.ndarray, labels: tuple[str, ...]) -> None:
    shown = telling_keys(rows[RIGHT], rows[AFTER] + rows[ZERO], mask, BARS)
    if len(shown) < len(labels):
        notes([f"Of {len(labels)} keys these are the first hidden ones and those with the largest weights."])
    data = masks_row_data([rows[way][shown] for way in ORDER], mask[shown], [labels[place] for place in shown])
    with st.container(key="mask-row-chart"):
        st.vega_lite_chart(data, _spec(), width="stretch")
    chart_save("mask-row-chart", name="one row three ways")


@once
def _spec() -> dict[str, Any]:
    return masks_row_spec()
