"""Rows that may attend to nothing: zeros here, NaN with a softmax that takes no care."""

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.mask_painting import stroke
from core.analysis.masks import empty_rows, weights
from core.readings.masks import read_broken
from core.readings.words import quoted
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui.masks import cache
from pages.ui.masks.chosen import RUNNING, Chosen, ask_scale, darkest, repaint, set_row
from pages.ui.numbers import numbers
from pages.ui.say import code, notes, plain, reading

OUTLINED, SHOWN = 6, 3


def show_empty(chosen: Chosen, row: int, aside: DeltaGenerator) -> None:
    """The head's weights and where NaN would be; without an empty row, the chosen one is emptied as a trial."""
    mask = cache.painted(chosen.run, chosen.painting)
    labels, painting = mask.tokens.labels, chosen.painting
    if not empty_rows(mask.mask):
        cells = [row * len(labels) + key for key in range(len(labels))]
        painting = stroke(painting, mask.base, cells, False)
        notes([f"No row is empty under this mask. Below, every key is hidden from {quoted(labels[row])} as a trial."])
        st.button(
            plain(f"Keep it: paint the row of {labels[row]}"),
            on_click=repaint,
            args=(mask, [(cells, False)]),
            icon=":material/brush:",
            type="tertiary",
        )
    with st.spinner(RUNNING, show_time=True):
        record = cache.emptied(chosen.run, chosen.place, painting)
    ask_scale(aside, record.pattern)
    outlines = [(empty, None) for empty in record.rows[:OUTLINED]]
    layers = ["as it enters", *(f"after layer {number}" for number in range(1, len(record.broken)))]
    broken = record.broken.astype(np.float32)
    Matrices(
        [
            Panel(
                "pattern",
                "This model: a row of zeros",
                record.pattern,
                labels,
                labels,
                "queries",
                "keys",
                "weight",
                darkest(record.pattern),
                outlines=outlines,
            ),
            Panel(
                "broken", "Plain softmax: where is NaN? (1 = NaN)", broken, layers, labels, "", "vector of", "weight"
            ),
        ],
        key="mask-empty",
        name="Rows with nothing to attend",
        height=360,
        sets=lambda name, at, key: set_row(name, at, key) if name == "pattern" else None,
    ).draw()
    reading(read_broken(record.broken, record.rows, labels))
    first = record.rows[0]
    shown, zeros = (", ".join(f"{value:g}" for value in each[first][:SHOWN]) for each in (record.naive, record.pattern))
    more = ", …" if len(labels) > SHOWN else ""
    st.code(
        f"{f'row {first}':<15}every score is −∞, so the largest is too\n"
        f"plain softmax  e^(−∞ − (−∞)) = e^nan → [{shown}{more}]\n"
        f"this model     weights [{zeros}{more}], so z = 0\n"
        f"{'':<15}largest number of the output: {record.largest:.4g}",
        language=None,
        wrap_lines=True,
    )
    st.caption(
        "NaN (“not a number”) is what 0 ÷ 0 gives. It spreads: NaN times 0 is NaN, so from the next layer on a hidden "
        "key with NaN in its value spoils every row, masked or not. Rows like this arise in practice when padding "
        "tokens ask, or when two masks leave nothing in common."
    )
    numbers("naive", record.naive, labels, labels, "mask-empty")
    code(weights, key="mask-code-empty")
