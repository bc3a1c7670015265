"""Why who-looks-at-whom is not mutual: the scores against their transpose, and the matrix that makes them."""

import numpy as np
import streamlit as st

from core.analysis.symmetry import split
from core.explorer.head.records import HeadRecord
from core.readings.patterns import percent, read_scores
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui.numbers import numbers
from pages.ui.say import code, formula, plain, reading

WIDEST = 256


def asymmetry(record: HeadRecord) -> None:
    if record.place.cross:
        st.info("In cross-attention queries and keys come from two texts: there is no pair of tokens to swap.")
        return
    labels = record.queries.labels
    parts = split(record.raw)
    st.markdown(
        "“cat” may look for “sat” without “sat” looking for “cat”: the query of one meets the key of the other, and "
        "queries and keys are made by different weights. Any square matrix is a **symmetric** part, the same in "
        "both directions, plus an **antisymmetric** part, which changes its sign."
    )
    formula(r"S_\text{raw} = \tfrac12(S_\text{raw} + S_\text{raw}^\top) + \tfrac12(S_\text{raw} - S_\text{raw}^\top)")
    limit = float(np.abs(record.raw).max())

    def square(name: str, title: str, values: np.ndarray, sign: str = "") -> Panel:
        return Panel(name, title, values, labels, labels, "queries", "keys", limit=limit, before=sign)

    drawn = [
        square("S", "S_raw", record.raw),
        square("ST", "S_rawᵀ: query and key swapped", record.raw.T, "vs"),
        square("symmetric", f"symmetric part: {percent(parts.symmetric_share)}", parts.symmetric, "→"),
        square("anti", f"antisymmetric part: {percent(parts.antisymmetric_share)}", parts.antisymmetric, "+"),
    ]
    Matrices(drawn, key="asymmetry-picture", name="symmetric and antisymmetric parts", height=290).draw()
    reading(read_scores(record.raw, labels))
    _weights_behind(record)
    code(split, key="asymmetry-code")
    numbers("antisymmetric part", parts.antisymmetric, labels, labels, "asymmetry")


def _weights_behind(record: HeadRecord) -> None:
    """W_Q W_Kᵀ, the one matrix that scores two vectors, where the score is a plain dot product."""
    if record.parts.kind not in ("dot", "scaled_dot") or record.q_rotated is not None:
        return
    product = record.w_q @ record.w_k.T  # (D, D)
    parts = split(product)
    st.markdown(
        f"The cause is in the weights. Without the biases, S_raw = X (W_Q W_Kᵀ) Xᵀ, and W_Q W_Kᵀ is not symmetric: "
        f"**{plain(percent(parts.antisymmetric_share))}** of its squared size is antisymmetric. Were it symmetric (as "
        "with W_K = W_Q), the scores would be mutual; the weights still would not, since each row has its own softmax."
    )
    dims = [f"x{number}" for number in range(min(WIDEST, len(product)))]
    window = product[:WIDEST, :WIDEST]
    title = (
        "W_Q W_Kᵀ" if len(product) <= WIDEST else f"W_Q W_Kᵀ, the first {WIDEST} of {len(product):,} rows and columns"
    )
    Matrices(
        [Panel("product", title, window, dims, dims, "d_model", "d_model")],
        key="asymmetry-weights",
        name="query-key matrix",
        height=300,
    ).draw()
