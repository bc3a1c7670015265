"""Two measurements on an encoding: dot products against distance, and the shift by k as a rotation."""

import numpy as np
import streamlit as st

from core.analysis.positions import Shift, by_distance, shift, turning
from core.charts.positions_lines import Line, lines_data
from core.explorer.positions.encodings import Encoding, moved_penalties
from core.explorer.positions.far import turned
from core.readings.positions import read_distances, read_shift, read_turned
from core.tracing.run import Run
from pages.canvas.chart_save.chart_save import chart_save
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui.frame import model_note
from pages.ui.numbers import numbers
from pages.ui.place import choose_place
from pages.ui.positions import cache, specs
from pages.ui.positions.choices import SHIFT
from pages.ui.positions.encoding import choose_encoding
from pages.ui.positions.tokens import choose_tokens
from pages.ui.say import code, formula, notes, reading

DRAWN = 64


def show_distance(run: Run) -> None:
    """The mean over all pairs at a distance, their spread, and what theory says."""
    encoding = choose_encoding(run)
    penalty = encoding.kind == "alibi"
    st.markdown(
        "Attention compares vectors by their **dot product**: the larger, the more alike. "
        + (
            "ALiBi has no vectors, so here is what it adds to each score."
            if penalty
            else "Here each position meets each."
        )
    )
    found = cache.dot_products(encoding)
    distances = np.arange(encoding.length)
    lines = [Line("measured", distances, found.measured.mean, found.measured.spread)]
    if found.theory is not None:
        lines.append(Line("theory", distances, found.theory, theory=True))
    spec = specs.penalties_by_distance() if penalty else specs.distances()
    with st.container(key="positions-distance"):
        st.vega_lite_chart(lines_data(lines), spec, width="stretch")
    chart_save("positions-distance", name=f"{encoding.kind} positions by distance")
    reading(read_distances(encoding.kind, found.measured, found.theory))
    formula(_distance_formula(encoding))
    pairs = encoding.length * (encoding.length + 1) // 2
    st.caption(
        f"Measured over all {pairs:,} pairs, each position with itself included; the band is one standard deviation."
    )
    rows = ["pairs", "mean", "spread", "theory"]
    theory = np.full(encoding.length, np.nan) if found.theory is None else found.theory
    values = np.stack([found.measured.pairs, found.measured.mean, found.measured.spread, theory])
    numbers("dot-products", values, rows, list(map(str, distances)), "positions-distance-numbers", "distance")
    code(by_distance, key="positions-code-distance")


def _distance_formula(encoding: Encoding) -> str:
    match encoding.kind:
        case "sinusoidal" | "rotary" if encoding.width % 2 == 0:
            return (
                r"PE(p) \cdot PE(q) = \sum_{i=0}^{D/2-1} \cos\left(\frac{p - q}{\alpha^{2i/D}}\right) "
                rf"\qquad D = {encoding.width} \qquad \alpha = {encoding.base:g}"
            )
        case "alibi":
            return rf"-m\,|i - j| \qquad m = {encoding.slope:.5g}"
        case "learned":
            return (
                r"\operatorname{E}[P_p \cdot P_q] = 0 \;(p \ne q) \qquad \operatorname{E}[P_p \cdot P_p] = 1 "
                rf"\qquad \text{{spread}} \approx 1/\sqrt{{D}} = 1/\sqrt{{{encoding.width}}}"
            )
    return rf"PE(p) \cdot PE(q) = \sum_{{i=0}}^{{{encoding.width - 1}}} PE(p, i)\, PE(q, i)"


def show_shift(run: Run) -> None:
    """Is there one matrix M(k) for every position? Rotary and ALiBi act on scores, so there the scores are tested."""
    encoding = choose_encoding(run, beside=SHIFT, on_scores=True)
    k = min(int(st.session_state.get(SHIFT.key, SHIFT.default)), encoding.length - 1)
    if k != st.session_state.get(SHIFT.key, SHIFT.default):
        notes([f"With {encoding.length} positions the longest shift is {k}."])
    if encoding.kind == "rotary":
        _rotary(run, encoding, k)
    elif encoding.kind == "alibi":
        _alibi(encoding, k)
    else:
        _matrix(encoding, k)


def _matrix(encoding: Encoding, k: int) -> None:
    st.markdown(
        "Is there one **matrix** M(k), a table of weights, that turns the vector of any position into the one k "
        "further on? Then a head can learn “k words back” once for the whole text."
    )
    found = cache.shifted(encoding, k)
    at = np.arange(found.rows)
    lines = [Line("fitted", at, found.errors_fitted)]
    if found.unseen is not None:
        lines.append(Line("on unseen positions", at[1::2], found.errors_unseen))
    if found.errors_constructed is not None:
        lines.append(Line("from the formula", at, found.errors_constructed))
    left, right = st.columns([3, 2], gap="large")
    with left:
        with st.container(key="positions-shift"):
            st.vega_lite_chart(lines_data(lines, log=True), specs.shift_errors(), width="stretch")
        chart_save("positions-shift", name="Errors of the shift")
    with right:
        Matrices(_drawn(found, k), key="positions-matrix", name=f"M({k})", height=300).draw()
    reading(read_shift(encoding.kind, found, k, encoding.width))
    if found.constructed is not None:
        formula(
            r"M(k) = \begin{pmatrix} \cos k\omega_i & \sin k\omega_i \\ -\sin k\omega_i & \cos k\omega_i \end{pmatrix}"
            rf"\qquad \text{{for each pair}} \qquad \omega_i = \alpha^{{-2i/D}} \qquad k = {k} "
            rf"\qquad M \in \mathbb{{R}}^{{{encoding.width} \times {encoding.width}}}"
        )
    else:
        formula(rf"\min_M \sum_p \lVert M \cdot PE(p) - PE(p + {k}) \rVert^2")
    if found.unseen is not None and encoding.kind != "none":
        st.caption(
            "A fit can be perfect only because it is free to be, so another was made on every second position and "
            f"tried on the unseen ones between: the largest error there is {found.unseen:.2g}."
        )
    names = [str(n) for n in range(encoding.width)]
    numbers(f"M-{k}", found.fitted, names, names, "positions-shift-numbers", "dimension")
    code(shift, turning, key="positions-code-shift")


def _drawn(found: Shift, k: int) -> list[Panel]:
    """M(k) from the formula where there is one, else the fitted one; of a large matrix the first corner."""
    matrix = found.fitted if found.constructed is None else found.constructed
    part = matrix[:DRAWN, :DRAWN]
    names = [str(n) for n in range(len(part))]
    how = "fitted" if found.constructed is None else "from the formula"
    cut = "" if part.shape == matrix.shape else f", its first {DRAWN} rows and columns"
    return [Panel("matrix", f"M({k}), {how}{cut}", part, names, names, "new dimension", "old dimension")]


def _rotary(run: Run, encoding: Encoding, k: int) -> None:
    st.markdown(
        "Rotary has no vectors to shift, so the test is made on a real query and key of your text: their score should "
        "depend on how far apart they stand, not on where."
    )
    model_note()
    place = choose_place(run)
    tokens = choose_tokens(run, place)
    found = cache.turned(run, place, tokens, k, encoding.length, encoding.base)
    at = np.arange(len(found.scores))
    lines = [
        Line("turned", at, found.scores),
        Line("not turned", at, np.full(len(at), found.unturned)),
        Line("theory", at, np.full(len(at), found.theory), theory=True),
    ]
    with st.container(key="positions-turned"):
        st.vega_lite_chart(lines_data(lines), specs.turned(), width="stretch")
    chart_save("positions-turned", name="A turned pair at every position")
    reading(f"Query {found.query}, key {found.key}. {read_turned(found.scores, k, found.theory, found.unturned)}")
    formula(
        r"(R_{p+k}\, \mathbf{q}) \cdot (R_p\, \mathbf{k}) = (R_k\, \mathbf{q}) \cdot \mathbf{k} "
        r"\qquad \text{for every } p \qquad "
        rf"d_k = {run.config.key_width} \qquad \alpha = {encoding.base:g}"
    )
    numbers("turned", found.scores[None], ["q · k"], list(map(str, at)), "positions-turned-numbers", "position p")
    code(turned, key="positions-code-turned")


def _alibi(encoding: Encoding, k: int) -> None:
    st.markdown(
        "ALiBi has no vectors to shift. Its penalty should depend on how far apart two words stand, not on where."
    )
    found = cache.moved_penalties(encoding, k)
    at = np.arange(len(found))
    with st.container(key="positions-moved"):
        st.vega_lite_chart(lines_data([Line("change", at, found)]), specs.moved(), width="stretch")
    chart_save("positions-moved", name="ALiBi's penalty at every position")
    reading(
        f"At distance {k} the penalty is {-encoding.slope * k:.4g} wherever the pair stands: over {len(found)} "
        f"placings it changes by at most {found.max():.2g}."
    )
    formula(rf"-m\,|(p + k) - p| = -m\,k = -{encoding.slope:.5g} \cdot {k}")
    numbers("moved", found[None], ["change"], list(map(str, at)), "positions-moved-numbers", "position p")
    code(moved_penalties, key="positions-code-moved")
