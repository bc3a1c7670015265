"""One head of attention taken apart: six steps, any cell's arithmetic, asymmetry, and the soft dictionary."""

import numpy as np
import streamlit as st

from core.explorer.head.cells import cell
from core.explorer.head.grids import grid
from core.explorer.head.records import HeadRecord
from core.model.attention import attention, masked_softmax
from core.readings.heads import read_row
from core.readings.patterns import head_label
from pages.canvas.matrices.matrices import Matrices
from pages.canvas.soft_dictionary.soft_dictionary import SoftDictionary
from pages.ui import cache
from pages.ui.asymmetry import asymmetry
from pages.ui.choices import COL, MATRIX, OF, ROW, STEP, TEMPERATURE, VIEW
from pages.ui.frame import current_run, model_note
from pages.ui.numbers import numbers
from pages.ui.place import choose_place
from pages.ui.say import code, formula, opening, reading, shielded
from pages.ui.settings import ask
from pages.ui.steps import Step, make_step, panels


@st.fragment
def explorer() -> None:
    run = current_run()
    place = choose_place(run, beside=VIEW)
    with shielded():
        record = cache.head(run, place)
        {"six steps": six_steps, "why it is not symmetric": asymmetry, "soft dictionary": dictionary}[
            st.session_state[VIEW.key]
        ](record)


def six_steps(record: HeadRecord) -> None:
    with st.container(horizontal=True, gap="medium"):
        name = ask(STEP)
        of = ask(OF) if name == "1 project" else OF.default
    step = make_step(record, name, of)
    st.markdown(step.sentence)
    formula(step.latex)
    picture, controls = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
    matrix, row, col = picked = pick(record, step, controls)
    origin = cell(record, matrix, row, col)
    with picture:
        Matrices(
            panels(record, step, picked, origin), key="step-picture", name=f"step {name}", height=330, sets=take
        ).draw()
    st.code(origin.text, language=None, wrap_lines=True)
    reading(step.reading)
    code(*step.code, key="step-code")
    shown = grid(record, matrix)
    numbers(
        f"{head_label(record.place.layer, record.place.head)} {matrix}", shown.values, shown.rows, shown.cols, "step"
    )


def pick(record: HeadRecord, step: Step, where: st.delta_generator.DeltaGenerator) -> tuple[str, int, int]:
    """The cell that the controls name."""
    names = [name for name, _ in step.matrices]
    matrix = ask(MATRIX, where, options=names, default=step.result)
    rows, cols = grid(record, matrix).values.shape
    return matrix, ask(ROW, where, high=rows - 1), ask(COL, where, high=cols - 1)


def take(matrix: str, row: int, col: int) -> None:
    """A cell was clicked: the controls now name it."""
    st.session_state.update({MATRIX.key: matrix, ROW.key: row, COL.key: col})


def dictionary(record: HeadRecord) -> None:
    st.markdown(
        "An ordinary dictionary finds one key and returns its value. Attention finds **every** key a little, and "
        "returns the average of their values. Turn the temperature: near 0 it is an exact look-up, far above 1 it "
        "is the plain average; at 1 it is what this head computed."
    )
    shapes = rf"(1\times{len(record.keys)})\cdot({len(record.keys)}\times{record.v.shape[1]})"
    formula(
        r"w_j = \frac{e^{S_{ij}/T}}{\sum_{k\ \text{allowed}} e^{S_{ik}/T}} \qquad z_i = \sum_j w_j\, v_j \qquad "
        + shapes
    )
    with st.container(horizontal=True):
        row = ask(ROW, label="Query (row)", width=160, high=len(record.queries) - 1)
        temperature = ask(TEMPERATURE, width=160, format="%.4g")
    keys = record.keys.labels
    SoftDictionary(
        record.scores[row],
        record.v,
        record.mask[row],
        record.queries.labels[row],
        keys,
        key="dictionary",
        name="soft dictionary",
        temperature=temperature,
        sets=lambda turned: st.session_state.update({TEMPERATURE.key: turned}),
    ).draw()
    reading(f"At T = 1, {read_row(record.pattern[row], record.queries.labels[row], keys)}")
    st.caption(
        "While you turn T, your browser computes the softmax of S / T and the mix from this head's scores and values; "
        "at T = 1 they are the weights and the output that the code below computed."
    )
    code(attention, masked_softmax, key="dictionary-code")
    columns = np.column_stack([record.scores[row], record.pattern[row]])
    numbers(f"query {row}", columns, keys, ("score", "weight at T = 1"), "dictionary", corner="key")


opening(
    "How does one head of attention work, step by step?",
    "Each token asks a question (its **query**), holds up a sign (its **key**) and carries a parcel (its **value**).",
    "Where a query fits a key, the token takes home that share of the value.",
    "Click any cell, or choose it below the picture, to read the arithmetic behind it.",
)
model_note()
explorer()
