"""Token and position in one vector: what a score of sums contains, and what concatenating would cost."""

import streamlit as st

from core.explorer.positions.terms import TERMS, input_weights, terms
from core.readings.positions import read_terms
from core.tracing.run import Run
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui.frame import model_note
from pages.ui.numbers import numbers
from pages.ui.positions import cache
from pages.ui.positions.tokens import choose_head
from pages.ui.say import code, formula, notes, reading

DRAWN = 64


def show_adding(run: Run) -> None:
    """The four terms of every score in the first layer, on one scale of colours."""
    st.markdown(
        "A query and a key each hold a token and its position, added. Their dot product multiplies out to **four "
        "terms**: token with token, token with position, position with token, position with position."
    )
    model_note()
    place = choose_head(run)
    found = cache.terms(run, place)
    part = slice(DRAWN)
    limit = float(abs(found.values[:, part, part]).max())
    labels = found.labels[part]
    shown = [n for n in range(len(TERMS)) if n < 4 or found.sizes[n] > 0]
    panels = [
        Panel(
            f"term{n}", TERMS[n], found.values[n, part, part], labels, labels, "queries", "keys", limit=limit,
            before="+" if n else "",
        )
        for n in shown
    ]  # fmt: skip
    raw = found.raw[part, part]
    panels.append(Panel("raw", "the model's scores, not scaled", raw, labels, labels, "queries", "keys", before="="))
    Matrices(panels, key="positions-terms", name="The terms of the scores", height=190).draw()
    cut = len(found.labels) > DRAWN
    notes([f"Drawn are the first {DRAWN} of {len(found.labels)} tokens; all are measured." if cut else None])
    reading(read_terms(TERMS, found.sizes))
    formula(
        r"(e_i + p_i) W \cdot (e_j + p_j) U = \qquad e_i W \cdot e_j U + e_i W \cdot p_j U + "
        r"\qquad p_i W \cdot e_j U + p_i W \cdot p_j U"
    )
    general = " (times the matrix of its score)" if run.config.score == "general" else ""
    st.caption(
        f"Layer 1, head {place.head + 1}; W and U are this head's W_Q and W_K{general}. The terms add up to what "
        f"the model computed, to within {found.off:.1e}."
        + (" The norm before the projections divides every part by the same number." if _normed(run) else "")
    )
    _concatenated(run)
    numbers("terms", found.sizes[None], ["size (root mean square)"], TERMS, "positions-terms-numbers", "term")
    code(terms, key="positions-code-terms")


def _normed(run: Run) -> bool:
    return run.config.norm_position == "pre"


def _concatenated(run: Run) -> None:
    config = run.config
    added, joined = input_weights(
        config.d_model, config.d_model, config.heads * (2 * config.key_width + config.value_width)
    )
    st.markdown(
        "**And if they were concatenated?** Written one behind the other, token and position never mix in a plain dot "
        "product: only the first and the last term are left. A projection brings all four back, now with weights of "
        "the position's own; adding makes both share one matrix."
    )
    formula(
        r"[e_i; p_i] \cdot [e_j; p_j] = e_i \cdot e_j + p_i \cdot p_j \qquad "
        r"[e; p] \begin{pmatrix} W_e \\ W_p \end{pmatrix} = e W_e + p W_p"
    )
    st.caption(
        f"Weights of W_Q, W_K and W_V in one layer: {added:,} with positions added, {joined:,} with "
        f"{config.d_model} numbers of position concatenated."
    )
