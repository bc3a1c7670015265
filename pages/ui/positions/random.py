"""How close to orthogonal random directions are, and the tokens and positions of a model."""

import numpy as np
import streamlit as st

from core.analysis.orthogonality import SIZES, density, histogram, random_cosines
from core.charts.positions_random import cosines_data, means_data, variance_data
from core.explorer.positions.terms import angles
from core.readings.positions import read_random
from core.tracing.run import Run
from pages.canvas.chart_save.chart_save import chart_save
from pages.ui.frame import model_note
from pages.ui.numbers import numbers
from pages.ui.positions import cache, specs
from pages.ui.positions.choices import DRAW_SEED, DRAWS, RANDOM, SIZE
from pages.ui.say import code, formula, notes, reading
from pages.ui.settings import ask


def show_random(run: Run) -> None:
    """Random vectors, or every token vector of the model against every position vector."""
    st.markdown(
        "The **cosine** of two vectors is 1 when they point the same way and 0 when they stand at right angles "
        "(**orthogonal**). In many dimensions almost any two directions are nearly orthogonal, so a sum of a token and "
        "a position keeps the two nearly apart."
    )
    if ask(RANDOM) == "random":
        _random()
    else:
        _of_model(run)


def _random() -> None:
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        size = int(ask(SIZE, width=260))
        draws, seed = ask(DRAWS, width=220), ask(DRAW_SEED, width=160)
    found = cache.cosines(size, draws, seed)
    left, right = st.columns(2, gap="large")
    with left:
        with st.container(key="positions-variance"):
            st.vega_lite_chart(variance_data(found), specs.variance(), width="stretch")
        chart_save("positions-variance", name="Variance of random cosines")
    with right:
        with st.container(key="positions-means"):
            st.vega_lite_chart(means_data(found), specs.means(), width="stretch")
        chart_save("positions-means", name="Mean and spread of random cosines")
    with st.container(key="positions-cosines"):
        st.vega_lite_chart(cosines_data(histogram(found.of_size, size)), specs.cosines(), width="stretch")
    chart_save("positions-cosines", name="Random cosines")
    reading(read_random(found, size))
    formula(
        r"\operatorname{E}[\cos] = 0 \qquad \operatorname{Var}[\cos] = \frac{1}{n} "
        rf"= \frac{{1}}{{{size}}} = {1 / size:.5f} \qquad f(c) \propto (1 - c^2)^{{(n-3)/2}}"
    )
    st.caption(
        f"{draws:,} pairs at every size; bars reach two standard errors to each side, the band holds nine cosines of "
        "ten. Theory is dashed."
    )
    rows = ["mean", "standard error", "variance", "standard error of it", "theory 1/n", "5 % below", "5 % above"]
    parts = (found.mean, found.mean_error, found.variance, found.variance_error, 1 / found.sizes, found.low, found.high)
    numbers("random-cosines", np.stack(parts), rows, [f"n = {n}" for n in SIZES], "positions-random-numbers", "measure")
    code(random_cosines, density, key="positions-code-random")


def _of_model(run: Run) -> None:
    model_note()
    found = cache.angles(run)
    with st.container(key="positions-angles"):
        st.vega_lite_chart(cosines_data(found.histogram), specs.angles(), width="stretch")
    chart_save("positions-angles", name="Tokens against positions")
    reading(
        f"Over {found.pieces:,} tokens and {found.positions:,} positions the mean cosine is {found.mean:+.4f} and the "
        f"variance {found.variance:.5f}, where random directions in {found.width} dimensions have 0 and "
        f"{1 / found.width:.5f}; the largest in size is {found.largest:.2f}."
    )
    kind = run.config.positions
    never = f"This model adds no positions ({kind}). Measured are sinusoidal vectors of its width, which it never saw."
    notes([None if found.own else never])
    st.caption(
        f"As they enter the stream, a token's vector is {found.token_norm:.3g} long on average, a position's "
        f"{found.position_norm:.3g}."
    )
    rows = ["share per unit of cosine", "theory for random directions"]
    bins = [f"{centre:.4f}" for centre in found.histogram.centres]
    values = np.stack([found.histogram.density, found.histogram.theory])
    numbers("angles", values, rows, bins, "positions-angles-numbers", "cosine")
    code(angles, key="positions-code-angles")
