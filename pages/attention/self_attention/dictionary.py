"""Attention as a soft dictionary: one query against all keys, with a temperature to turn."""

from collections.abc import Iterator

import numpy as np

from core.readings.heads import read_row
from core.tracing.run import Run
from pages.attention.self_attention.settings import ROW, TEMPERATURE
from pages.canvas import SoftDictionary
from pages.queries import head as queries
from pages.shell import Shown
from pages.widgets import Control, Table, Values, control, place_controls, place_of


def dictionary_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    last = len(queries.head(run, place_of(run, values)).queries) - 1
    yield control(ROW, label="Query (row)", width=160, high=last)
    yield control(TEMPERATURE, width=160, format="%.4g")


def show_dictionary(run: Run, values: Values) -> Shown:
    """The look-up of one query."""
    record, row = queries.head(run, place_of(run, values)), values[ROW]
    query, keys = record.queries.labels[row], record.keys.labels
    picture = SoftDictionary(
        record.scores[row],
        record.v,
        record.mask[row],
        query,
        keys,
        key="dictionary",
        name="soft dictionary",
        temperature=values[TEMPERATURE],
        sets=lambda turned: {TEMPERATURE.key: turned},
    )
    shapes = rf"(1\times{len(keys)})\cdot({len(keys)}\times{record.v.shape[1]})"
    columns = np.column_stack([record.scores[row], record.pattern[row]])
    return Shown(
        lead="An ordinary dictionary finds one key and returns its value. Attention finds **every** key a little, and "
        "returns the average of their values. Turn the temperature: near 0 it is an exact look-up, far above 1 it "
        "is the plain average; at 1 it is what this head computed.",
        pictures=[picture],
        takeaway=f"At T = 1, {read_row(record.pattern[row], query, keys)}",
        formula=r"w_j = \frac{e^{S_{ij}/T}}{\sum_{k\ \text{allowed}} e^{S_{ik}/T}} \qquad z_i = \sum_j w_j\, v_j "
        rf"\qquad {shapes}",
        about="While you turn T, your browser computes the softmax of S / T and the mix from this head's scores and "
        "values; at T = 1 they are the weights and the output that the code below computed.",
        table=Table(f"query {row}", columns, keys, ("score", "weight at T = 1"), corner="key"),
        source=("core.model.attention.attention", "core.model.attention.masked_softmax"),
    )
