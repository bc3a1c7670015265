"""Queries and keys drawn at random: what becomes of scores and softmax as d_k grows, with and without scaling."""

from collections.abc import Iterator
from typing import Any

from core.charts.scaling_weights import weights_data, weights_spec
from core.charts.scaling_widths import SERIES, positive, widths_data, widths_spec
from core.explorer.scaling.comparison import OwnScores
from core.explorer.scaling.experiment import (
    MOST_GRADIENT,
    REPETITIONS,
    STATISTICS,
    WIDTHS,
    Curves,
    Softmaxes,
    entropy_curves,
    gradient_curves,
    statistics,
    variance_curves,
)
from core.readings.scaling import (
    read_entropies,
    read_gradients,
    read_own_softmax,
    read_own_variance,
    read_variances,
    read_weights,
)
from core.readings.words import number, percent
from core.tracing.run import Run
from pages.attention.scaling import queries
from pages.attention.scaling.settings import DRAWN_FROM, DRAWS, KEYS, SEED, WIDTH
from pages.shell import Shown
from pages.widgets import Chart, Control, Table, Values, control, place_controls, place_of, spec

TIES = "Dashed: theory for wide vectors without scaling, where only near ties of two keys leave anything."
SOFTMAX = r"p = \mathrm{softmax}(s) \quad\text{or}\quad p = \mathrm{softmax}(s \div \sqrt{d_k})"
MEASURE = ("core.analysis.scaling.measure_softmax", "core.analysis.scaling.softmax_rows")
THEORY = "core.analysis.scaling.theory_of_ties"


def variance_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield control(DRAWN_FROM, width=150)
    yield control(DRAWS, width=170)
    yield control(SEED, width=150)


def softmax_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from variance_controls(run, values)
    yield control(KEYS, width=130)


def weights_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from softmax_controls(run, values)
    yield control(WIDTH, width=480)


def show_variance(run: Run, values: Values) -> Shown:
    """The variance of q·k at each d_k beside the line d_k."""
    found, own = queries.variances(values[DRAWN_FROM], values[DRAWS], values[SEED]), _own(run, values)
    sizes = own.q_variance, own.k_variance
    return _against_width(
        "variance",
        variance_curves(found, own),
        spec(widths_spec, "Does the variance of q·k grow with d_k?", "variance", log=True),
        "of the repetitions' variances. Dashed: theory, d_k and 1.",
        lead="Draw the d_k numbers of a **query** q and of a **key** k at random, each with mean 0 and variance 1, and "
        "take their **dot product** q·k: a sum of d_k products. Its **variance**, the mean squared distance from its "
        "mean, should be d_k. Divided by √d_k it should stay 1, however wide the vectors.",
        takeaway=[
            read_variances(found),
            read_own_variance(own.width, own.pairs, own.variance, own.expected, sizes),
        ],
        formula=r"\mathrm{Var}(q \cdot k) = \textstyle\sum_{i=1}^{d_k} \mathrm{Var}(q_i k_i) = d_k \cdot 1 \qquad "
        r"\mathrm{Var}(q \cdot k \div \sqrt{d_k}) = 1 \qquad "
        rf"d_k = {own.width}\text{{ in this head}}",
        source=("core.analysis.scaling.measure_variance", "core.explorer.scaling.comparison.own_scores"),
    )


def show_weights(run: Run, values: Values) -> Shown:
    """The sorted weights of the softmax at one d_k."""
    found, own = _softmaxes(values), _own(run, values)
    width, place = int(values[WIDTH]), WIDTHS.index(int(values[WIDTH]))
    raw, scaled = found.raw.weights, found.scaled.weights
    rows = [f"{series}, weight {rank + 1}" for series in SERIES for rank in range(raw.mean.shape[1])]
    data = weights_data(raw, scaled, place)
    return Shown(
        lead="Each query scores the same keys, and the **softmax** turns its scores into **weights** that sum to 1. "
        "Large scores lie far apart, and the softmax then gives nearly everything to one key. Move d_k and compare.",
        pictures=[
            Chart(data, spec(weights_spec), key="scaling-weights", name="weights from the largest to the smallest")
        ],
        takeaway=[read_weights(found, place), *_in_this_head(own, "of each query's largest weight", "largest")],
        formula=rf"{SOFTMAX} \qquad s_j = q \cdot k_j, \; j = 1 \dots {found.keys} \qquad "
        rf"\sqrt{{d_k}} = \sqrt{{{width}}} = {width**0.5:.4g}",
        about=f"Bars: the mean over {_drawn(values)} queries. Lines: from the 5 % to the 95 % quantile of the queries.",
        table=Table("weights", statistics(raw, scaled, place), rows, tuple(STATISTICS), "scores"),
        source=MEASURE,
    )


def show_entropy(run: Run, values: Values) -> Shown:
    """How spread out the weights are at each d_k."""
    found, keys = _softmaxes(values), values[KEYS]
    curves = entropy_curves(found)
    return _against_width(
        "entropy",
        curves,
        spec(widths_spec, "Does a query still look at more than one key?", "entropy, bits"),
        f"of {_drawn(values)} queries. Dotted: all keys alike. {TIES}",
        lead="**Entropy** says how far a query spreads its weights over the keys, in bits: 0 where one key gets all, "
        "and log₂ of the number of keys where all get the same.",
        takeaway=[read_entropies(found), *_in_this_head(_own(run, values), "entropy in bits", "entropy")],
        formula=rf"H(p) = -\textstyle\sum_{{j=1}}^{{{keys}}} p_j \log_2 p_j \le \log_2 {keys} = {curves.limit:.4g} "
        rf"\qquad {SOFTMAX}",
        source=(*MEASURE, THEORY),
    )


def show_gradient(run: Run, values: Values) -> Shown:
    """How much of the gradient gets through the softmax at each d_k."""
    found, keys = _softmaxes(values), values[KEYS]
    return _against_width(
        "gradient",
        gradient_curves(found),
        spec(widths_spec, "How much of the gradient is left?", "norm of the Jacobian", top=MOST_GRADIENT),
        f"of {_drawn(values)} queries. {TIES}",
        lead="Training sends a **gradient** back through the softmax: it is multiplied by the **Jacobian**, the table "
        "of how much each weight moves when a score moves. Where one weight is 1 and the others are 0, nothing moves "
        "any more: the table is all zeros, and nothing is learned. Its size is measured by its **Frobenius norm**, "
        "the root of the sum of its squared numbers; that is at most 0.5.",
        takeaway=[read_gradients(found), *_in_this_head(_own(run, values), "norm", "gradient")],
        formula=r"J = \frac{\partial p}{\partial s} = \mathrm{diag}(p) - p\,p^\top "
        rf"\in \mathbb{{R}}^{{{keys} \times {keys}}} \qquad "
        r" \|J\|_F = \sqrt{\textstyle\sum_{ij} J_{ij}^2} \qquad "
        r"\frac{\partial L}{\partial s} = J\,\frac{\partial L}{\partial p}",
        source=(*MEASURE, THEORY),
    )


def _against_width(name: str, curves: Curves, chart: dict[str, Any], of_what: str, **words: Any) -> Shown:
    """One number at every d_k: its chart, how to read it, its table; words: the other parts."""
    data = widths_data(WIDTHS, curves.raw, curves.scaled, curves.theory, curves.limit, curves.own)
    data = positive(data) if name == "variance" else data
    mine = " Diamonds: this head." if data["own"].notna().any() else ""
    rows = [f"{series}, d_k = {width}" for series in SERIES for width in WIDTHS]
    return Shown(
        pictures=[Chart(data, chart, key=f"scaling-{name}", name=f"{name} against d_k")],
        about=f"Dots: the mean of {REPETITIONS} repetitions, with its standard error. Band: from the 5 % to the 95 % "
        f"quantile {of_what}{mine}",
        table=Table(name, statistics(curves.raw, curves.scaled), rows, tuple(STATISTICS), "scores"),
        **words,
    )


def _softmaxes(values: Values) -> Softmaxes:
    return queries.softmaxes(values[DRAWN_FROM], values[DRAWS], values[KEYS], values[SEED])


def _own(run: Run, values: Values) -> OwnScores:
    return queries.own_scores(run, place_of(run, values))


def _in_this_head(own: OwnScores, what: str, field: str) -> list[str]:
    """The mean of one number over the queries of this head; nothing where none may attend to any key."""
    if own.raw is None or own.scaled is None:
        return []
    write = percent if field == "largest" else number
    return [read_own_softmax(own.width, what, *(write(getattr(each, field)) for each in (own.raw, own.scaled)))]


def _drawn(values: Values) -> str:
    return f"{REPETITIONS} × {values[DRAWS]}"
