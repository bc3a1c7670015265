"""What the mask does to one head: its weights without any mask, and with this one."""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.mask_painting import paint
from core.model.attention import apply_mask, masked_softmax
from core.readings.masks import read_effect
from core.readings.words import head_label
from core.readings.patterns import read_masked_rows
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui.masks import cache
from pages.ui.masks.chosen import RUNNING, Chosen, ask_scale, darkest, set_row
from pages.ui.numbers import numbers
from pages.ui.say import code, formula, notes, reading


def show_effect(chosen: Chosen, row: int, aside: DeltaGenerator) -> None:
    """Two patterns side by side; a click on one chooses a row."""
    with st.spinner(RUNNING, show_time=True):
        free = cache.masked(chosen.under("none"), chosen.place, "")
        record = cache.masked(chosen.run, chosen.place, chosen.painting)
    ask_scale(aside, free.pattern, record.pattern)
    labels = record.tokens.labels
    form: dict[str, Any] = {"rows": labels, "cols": labels, "row_axis": "queries", "col_axis": "keys"}
    form |= {"scale": "weight", "limit": darkest(free.pattern, record.pattern), "outlines": [(row, None)]}
    name = head_label(chosen.place.layer, chosen.place.head).capitalize()
    Matrices(
        [
            Panel("before", f"{name}, no mask", free.pattern, **form),
            Panel("after", f"{name}, {chosen.name}", record.pattern, **form, before="→"),
        ],
        key="mask-effect",
        name=f"{name} without and with the mask",
        height=400,
        sets=set_row,
    ).draw()
    reading(read_effect(free.pattern, record.pattern, record.mask, labels))
    notes(
        [
            read_masked_rows(record.pattern, labels),
            "Both are whole runs of the model: the mask also acts in the layers below." if chosen.place.layer else None,
        ]
    )
    length = len(labels)
    formula(
        rf"\underset{{{length} \times {length}}}{{A}} = \mathrm{{softmax}}_{{\text{{keys}}}}"
        rf"\Big(\underset{{{length} \times {length}}}{{S}} + \underset{{{length} \times {length}}}{{M}}\Big)"
        r"\qquad M_{ij} = \begin{cases} 0 & i \text{ may attend to } j \\ -\infty & \text{otherwise} \end{cases}"
    )
    numbers("pattern", record.pattern, labels, labels, "mask-effect")
    code(apply_mask, masked_softmax, paint, key="mask-code-effect")
