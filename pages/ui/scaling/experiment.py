"""Queries and keys drawn at random: what becomes of scores and softmax as d_k grows, with and without scaling."""

from functools import cache as once
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.readings.words import number
from core.analysis.scaling import (
    MOST_GRADIENT,
    REPETITIONS,
    WIDTHS,
    Spread,
    measure_softmax,
    measure_variance,
    softmax_rows,
    theory_of_ties,
)
from core.charts.scaling_weights import weights_data, weights_spec
from core.charts.scaling_widths import SERIES, positive, widths_data, widths_spec
from core.explorer.scaling.comparison import own_scores
from core.explorer.shared.places import Place
from core.readings.words import percent
from core.readings.scaling import (
    read_entropies,
    read_gradients,
    read_own_softmax,
    read_own_variance,
    read_variances,
    read_weights,
)
from core.tracing.run import Run
from pages.canvas.chart_save.chart_save import chart_save
from pages.ui.numbers import numbers
from pages.ui.say import code, formula, reading
from pages.ui.scaling import cache
from pages.ui.scaling.choices import DRAW_SEED, EACH, KEYS, SOURCE, WIDTH
from pages.ui.settings import ask

COLUMNS = ("mean", "standard error", "5 %", "50 %", "95 %")
TIES = "Dashed: theory for wide vectors without scaling, where only near ties of two keys leave anything."
SOFTMAX = r"p = \mathrm{softmax}(s) \quad\text{or}\quad p = \mathrm{softmax}(s \div \sqrt{d_k})"


def show_variance(run: Run, place: Place) -> None:
    """The variance of q·k at each d_k beside the line d_k."""
    st.markdown(
        "Draw the d_k numbers of a **query** q and of a **key** k at random, each with mean 0 and variance 1, and take "
        "their **dot product** q·k: a sum of d_k products. Its **variance**, the mean squared distance from its mean, "
        "should be d_k. Divided by √d_k it should stay 1, however wide the vectors."
    )
    source, each, _, seed = _choose(False)
    found, own = cache.variances(source, each, seed), cache.own(run, place)
    theory = (np.array(WIDTHS, np.float32), np.ones(len(WIDTHS), np.float32))
    mine = (own.width, own.variance, own.variance / own.width)
    data = positive(widths_data(found.raw, found.scaled, theory, own=mine))
    _draw(data, _variance_spec(), "variance", "of the repetitions' variances. Dashed: theory, d_k and 1.")
    reading(read_variances(found))
    sizes = (own.q_variance, own.k_variance)
    reading(read_own_variance(own.width, own.pairs, own.variance, own.expected, sizes))
    formula(
        r"\mathrm{Var}(q \cdot k) = \textstyle\sum_{i=1}^{d_k} \mathrm{Var}(q_i k_i) = d_k \cdot 1 \qquad "
        r"\mathrm{Var}(q \cdot k \div \sqrt{d_k}) = 1 \qquad "
        rf"d_k = {own.width}\text{{ in this head}}"
    )
    _numbers("variance", found.raw, found.scaled)
    code(measure_variance, own_scores, key="scaling-code-variance")


def show_weights(run: Run, place: Place) -> None:
    """The sorted weights of the softmax at one d_k."""
    st.markdown(
        "Each query scores the same keys, and the **softmax** turns its scores into **weights** that sum to 1. Large "
        "scores lie far apart, and the softmax then gives nearly everything to one key. Move d_k and compare."
    )
    source, each, keys, seed = _choose()
    place_of = WIDTHS.index(int(ask(WIDTH)))
    found, own = cache.softmaxes(source, each, keys, seed), cache.own(run, place)
    weights = found.raw.weights, found.scaled.weights
    with st.container(key="scaling-weights"):
        st.vega_lite_chart(weights_data(*weights, place_of), _weights_spec(), width="stretch")
    chart_save("scaling-weights", name="weights from the largest to the smallest")
    st.caption(f"Bars: the mean over {_drawn(each)} queries. Lines: from the 5 % to the 95 % quantile of the queries.")
    reading(read_weights(found, place_of))
    if own.raw and own.scaled:
        largest = percent(own.raw.largest), percent(own.scaled.largest)
        reading(read_own_softmax(own.width, "of each query's largest weight", *largest))
    formula(
        rf"{SOFTMAX} \qquad s_j = q \cdot k_j, \; j = 1 \dots {keys} \qquad "
        rf"\sqrt{{d_k}} = \sqrt{{{WIDTHS[place_of]}}} = {WIDTHS[place_of] ** 0.5:.4g}"
    )
    rows = [f"{name}, weight {rank + 1}" for name in SERIES for rank in range(weights[0].mean.shape[1])]
    columns = [np.concatenate([getattr(each, name)[place_of] for each in weights]) for name in _FIELDS]
    numbers("weights", np.stack(columns, axis=1), rows, COLUMNS, "scaling-weights-numbers", "scores")
    code(measure_softmax, softmax_rows, key="scaling-code-weights")


def show_entropy(run: Run, place: Place) -> None:
    """How spread out the weights are at each d_k."""
    st.markdown(
        "**Entropy** says how far a query spreads its weights over the keys, in bits: 0 where one key gets all, and "
        "log₂ of the number of keys where all get the same."
    )
    source, each, keys, seed = _choose()
    found, own = cache.softmaxes(source, each, keys, seed), cache.own(run, place)
    entropies, limit = (found.raw.entropy, found.scaled.entropy), float(np.log2(keys))
    data = widths_data(*entropies, (theory_of_ties(keys)[0], None), limit=limit)
    _draw(data, _entropy_spec(), "entropy", f"of {_drawn(each)} queries. Dotted: all keys alike. {TIES}")
    reading(read_entropies(found))
    if own.raw and own.scaled:
        reading(read_own_softmax(own.width, "entropy in bits", number(own.raw.entropy), number(own.scaled.entropy)))
    formula(
        rf"H(p) = -\textstyle\sum_{{j=1}}^{{{keys}}} p_j \log_2 p_j \le \log_2 {keys} = {limit:.4g} \qquad {SOFTMAX}"
    )
    _numbers("entropy", *entropies)
    code(measure_softmax, softmax_rows, theory_of_ties, key="scaling-code-entropy")


def show_gradient(run: Run, place: Place) -> None:
    """How much of the gradient gets through the softmax at each d_k."""
    st.markdown(
        "Training sends a **gradient** back through the softmax: it is multiplied by the **Jacobian**, the table of "
        "how much each weight moves when a score moves. Where one weight is 1 and the others are 0, nothing moves any "
        "more: the table is all zeros, and nothing is learned. Its size is measured by its **Frobenius norm**, the "
        "root of the sum of its squared numbers; that is at most 0.5."
    )
    source, each, keys, seed = _choose()
    found, own = cache.softmaxes(source, each, keys, seed), cache.own(run, place)
    gradients = found.raw.gradient, found.scaled.gradient
    data = widths_data(*gradients, (theory_of_ties(keys)[1], None))
    _draw(data, _gradient_spec(), "gradient", f"of {_drawn(each)} queries. {TIES}")
    reading(read_gradients(found))
    if own.raw and own.scaled:
        reading(read_own_softmax(own.width, "norm", number(own.raw.gradient), number(own.scaled.gradient)))
    formula(
        r"J = \frac{\partial p}{\partial s} = \mathrm{diag}(p) - p\,p^\top "
        rf"\in \mathbb{{R}}^{{{keys} \times {keys}}} \qquad "
        r" \|J\|_F = \sqrt{\textstyle\sum_{ij} J_{ij}^2} \qquad "
        r"\frac{\partial L}{\partial s} = J\,\frac{\partial L}{\partial p}"
    )
    _numbers("gradient", *gradients)
    code(measure_softmax, softmax_rows, theory_of_ties, key="scaling-code-gradient")


_FIELDS = ("mean", "error", "low", "middle", "high")


def _choose(with_keys: bool = True) -> tuple[str, int, int, int]:
    """What is drawn: source, draws in each repetition, keys, seed."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        source = ask(SOURCE, width=150)
        each = ask(EACH, width=170)
        keys = ask(KEYS, width=130) if with_keys else KEYS.default
        seed = ask(DRAW_SEED, width=150)
    return source, each, keys, seed


def _draw(data: pd.DataFrame, spec: dict[str, Any], name: str, of_what: str) -> None:
    with st.container(key=f"scaling-{name}"):
        st.vega_lite_chart(data, spec, width="stretch")
    chart_save(f"scaling-{name}", name=f"{name} against d_k")
    mine = " Diamonds: this head." if data["own"].notna().any() else ""
    st.caption(
        f"Dots: the mean of {REPETITIONS} repetitions, with its standard error. "
        f"Band: from the 5 % to the 95 % quantile {of_what}{mine}"
    )


def _numbers(name: str, raw: Spread, scaled: Spread) -> None:
    rows = [f"{series}, d_k = {width}" for series in SERIES for width in WIDTHS]
    columns = [np.concatenate([getattr(each, field) for each in (raw, scaled)]) for field in _FIELDS]
    numbers(name, np.stack(columns, axis=1), rows, COLUMNS, f"scaling-{name}-numbers", "scores")


def _drawn(each: int) -> str:
    return f"{REPETITIONS} × {each}"


@once
def _variance_spec() -> dict[str, Any]:
    return widths_spec("Does the variance of q·k grow with d_k?", "variance", log=True)


@once
def _entropy_spec() -> dict[str, Any]:
    return widths_spec("Does a query still look at more than one key?", "entropy, bits")


@once
def _gradient_spec() -> dict[str, Any]:
    return widths_spec("How much of the gradient is left?", "norm of the Jacobian", top=MOST_GRADIENT)


@once
def _weights_spec() -> dict[str, Any]:
    return weights_spec()
