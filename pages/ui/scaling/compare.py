"""Four ways to score the same queries and keys, side by side, and any cell's arithmetic."""

import streamlit as st

from core.explorer.head.cells import cell
from core.explorer.head.records import HeadRecord
from core.explorer.scaling.comparison import Scored, compare, rescored
from core.explorer.shared.places import Place
from core.model.attention import attention
from core.model.config import SCORES
from core.model.scores import Additive, Dot, General
from core.readings.scaling import read_spreads
from core.tracing.run import Run
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui import cache
from pages.ui.choices import COL, ROW
from pages.ui.numbers import numbers
from pages.ui.say import code, notes, reading
from pages.ui.scaling.cache import compared
from pages.ui.scaling.choices import DRAW_SEED, FIT, FITS, SHOWN
from pages.ui.settings import ask

NAMES = dict(zip(SCORES, FITS, strict=True))
SOURCES = {
    "dot": "Luong et al. 2015",
    "scaled_dot": "Vaswani et al. 2017",
    "general": "Luong et al. 2015",
    "additive": "Bahdanau et al. 2015, also called concat",
}
ARITHMETIC = ("raw S", "S", "masked S", "A")


def show_scores(run: Run, place: Place) -> None:
    """The four score functions on the queries and keys of this head."""
    st.markdown(
        "Each function turns a **query** q and a **key** k, of d_k numbers each, into one **score**. A softmax over "
        "each row of scores makes the **weights**. Only the function differs: queries, keys and mask are the same. "
        "Click any cell to read its arithmetic."
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        shown, seed = ask(SHOWN), ask(DRAW_SEED, label="Seed of W, U and v", width=180)
    record, scored = cache.head(run, place), compared(run, place, seed)
    picture, controls = st.container(), st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
    fit = ask(FIT, controls)
    rows, cols = record.raw.shape
    picked = ask(ROW, controls, high=rows - 1, width=130), ask(COL, controls, high=cols - 1, width=130)
    with picture:
        _picture(record, scored, shown, fit, picked, seed)
        reading(read_spreads({NAMES[one.kind]: one.spread for one in scored}, cols))
        notes(["ALiBi's penalty for distance is taken off every score." if record.parts.bias is not None else None])
    chosen = next(one for one in scored if NAMES[one.kind] == fit)
    st.code(_arithmetic(record, chosen, *picked), language=None, wrap_lines=True)
    numbers(f"{shown}, {fit}", chosen.pattern if shown == "weights" else chosen.masked, *_labels(record), "scaling-fit")
    code(Dot, General, Additive, attention, compare, key="scaling-code-scores")


def _picture(
    record: HeadRecord, scored: tuple[Scored, ...], shown: str, fit: str, picked: tuple[int, int], seed: int
) -> None:
    """Two by two: each function with its formula, what it has to learn, and its matrix."""
    places = [column for _ in range(2) for column in st.columns(2, border=True)]
    for where, one in zip(places, scored, strict=True):
        with where:
            name, weights = NAMES[one.kind], shown == "weights"
            _head(one, record.q.shape[1], seed)
            panel = Panel(
                name,
                "A: weights" if weights else "S: scores",
                one.pattern if weights else one.masked,
                *_labels(record),
                "queries",
                "keys",
                "weight" if weights else "signed",
                outlines=[picked] if name != fit else [],
                selected=picked if name == fit else None,
            )
            Matrices([panel], key=f"scaling-{one.kind}", name=f"{name} {shown}", height=300, sets=_take).draw()


def _head(scored: Scored, width: int, seed: int) -> None:
    formula, count, fresh = {
        "dot": (r"q^\top k", "", "Nothing to learn."),
        "scaled_dot": (rf"q^\top k \div \sqrt{{{width}}}", "", "Nothing to learn."),
        "general": (r"q^\top W k", f" = d_k² = {width:,}²", f"W is fresh, from seed {seed}."),
        "additive": (
            r"v^\top \tanh(W q + U k)",
            f" = 2 d_k² + d_k = 2 · {width:,}² + {width:,}",
            f"W, U and v are fresh, from seed {seed}.",
        ),
    }[scored.kind]
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.markdown(f"**{NAMES[scored.kind].capitalize()}**", width="content")
        st.latex(formula, width="content")
    whose = "**The model's own score.**" if scored.own else fresh
    st.caption(f"Parameters a head: **{scored.parameters:,}**{count}. {whose} {SOURCES[scored.kind]}.")


def _labels(record: HeadRecord) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return record.queries.labels, record.keys.labels


def _arithmetic(record: HeadRecord, scored: Scored, row: int, col: int) -> str:
    """From the raw score to the weight of one cell, in lines."""
    head = rescored(record, scored)
    steps = [cell(head, name, row, col).text for name in ARITHMETIC]
    text = "\n\n".join(steps)
    return text if scored.own else text.replace("the model's value", "computed in float32")


def _take(panel: str, row: int, col: int) -> None:
    """A cell was clicked: the controls now name it."""
    st.session_state.update({FIT.key: panel, ROW.key: row, COL.key: col})
