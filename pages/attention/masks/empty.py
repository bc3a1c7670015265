"""Rows that may attend to nothing: zeros here, NaN with a softmax that takes no care."""

from collections.abc import Sequence

import numpy as np

from core.explorer.masks.painting import row_hidden
from core.explorer.masks.records import Emptied
from core.readings.masks import empty_row_arithmetic, read_broken
from core.readings.words import quoted
from core.tracing.run import Run
from pages.attention.masks import queries
from pages.attention.masks.brush import hide_row
from pages.attention.masks.chosen import Chosen, chosen, darkest, pick_row, scale_switch
from pages.canvas import Matrices, Panel
from pages.shell import Shown
from pages.widgets import Button, Columns, Notes, Part, Table, Values, plain

OUTLINED = 6


def show_empty(run: Run, values: Values) -> Shown:
    """The head's weights and where NaN would be; without an empty row, the chosen one is emptied as a trial."""
    mask = chosen(run, values)
    trial, painting = not mask.painted.empty_rows, mask.painting
    if trial:
        painting, _ = row_hidden(painting, mask.painted.base, mask.row)
    record = queries.emptied(mask.run, mask.place, painting)
    labels, first = record.tokens.labels, record.rows[0]
    picture = _picture(record, darkest(values, record.pattern))
    return Shown(
        pictures=[
            Columns([[*_trial_words(mask), picture]]) if trial else picture,
            *scale_switch(record.pattern),
        ],
        arithmetic=empty_row_arithmetic(first, record.naive[first], record.pattern[first], record.largest),
        takeaway=read_broken(record.broken, record.rows, labels),
        about="NaN (“not a number”) is what 0 ÷ 0 gives. It spreads: NaN times 0 is NaN, so from the next layer on a "
        "hidden key with NaN in its value spoils every row, masked or not. Rows like this arise in practice when "
        "padding tokens ask, or when two masks leave nothing in common.",
        table=Table("naive", record.naive, labels, labels),
        source=("core.analysis.masks.weights",),
    )


def _trial_words(mask: Chosen) -> Sequence[Part]:
    label = mask.painted.tokens.labels[mask.row]
    return [
        Notes([f"No row is empty under this mask. Below, every key is hidden from {quoted(label)} as a trial."]),
        Button(
            plain(f"Keep it: paint the row of {label}"),
            "masks-keep",
            lambda: hide_row(mask.painted, mask.painting, mask.row),
            ":material/brush:",
        ),
    ]


def _picture(record: Emptied, limit: float | None) -> Matrices:
    labels, outlines = record.tokens.labels, [(empty, None) for empty in record.rows[:OUTLINED]]
    layers = ["as it enters", *(f"after layer {number}" for number in range(1, len(record.broken)))]
    zeros, nan = "This model: a row of zeros", "Plain softmax: where is NaN? (1 = NaN)"
    pattern = (record.pattern, labels, labels, "queries", "keys", "weight", limit)
    broken = (record.broken.astype(np.float32), layers, labels, "", "vector of", "weight")
    return Matrices(
        [Panel("pattern", zeros, *pattern, outlines=outlines), Panel("broken", nan, *broken)],
        key="mask-empty",
        name="Rows with nothing to attend",
        height=360,
        sets=lambda name, row, col: pick_row(name, row, col) if name == "pattern" else None,
    )
