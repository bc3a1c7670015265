"""Sentences about scores and their scaling, made from the numbers: plain text; and their formulas."""

import math
from collections.abc import Mapping
from typing import Protocol

import numpy as np

from core.readings.words import number, percent, plural
from core.topics.scaling.analysis import REPETITIONS, WIDTHS, Softmaxes, Spread, Variances

SOFTMAX = r"p = \mathrm{softmax}(s) \quad\text{or}\quad p = \mathrm{softmax}(s \div \sqrt{d_k})"
PAPERS = {
    "dot": "Luong et al. 2015",
    "scaled dot": "Vaswani et al. 2017",
    "general": "Luong et al. 2015",
    "additive": "Bahdanau et al. 2015, also called concat",
}
MEASURE_NAMES = {"largest": "of each query's largest weight", "entropy": "entropy in bits", "gradient": "norm"}


class SoftmaxKept(Protocol):
    """The means of three measurements of the softmax over the queries of one head."""

    @property
    def largest(self) -> float: ...
    @property
    def entropy(self) -> float: ...
    @property
    def gradient(self) -> float: ...


def read_spreads(spreads: Mapping[str, float], keys: int) -> list[str]:
    """Return sentences on how many keys a query attends to under the score functions "dot" and "scaled dot".

    spreads: the mean effective number of keys, by the name of the score function.
    keys: number of keys.
    """
    if not any(spreads.values()):
        return ["No query may attend to any key, whatever the score."]
    if keys == 1:
        return ["There is one key, so its weight is 1 whatever the score."]
    plain, scaled = (round(spreads[name]) for name in ("dot", "scaled dot"))
    headline = f"Scaling the scores lets a word look at about {plural(scaled, 'word')} instead of {plain}."
    if plain == scaled:
        headline = f"Scaled or not, the scores let a word look at about {plural(plain, 'word')}."
    return [headline, f"Scaled, they are divided by √d_k. There are {plural(keys, 'word')} to look at."]


def read_spread(spread: float, random: bool) -> str:
    """Say at how many keys a query looks on average under one score function.

    random: whether its parameters are random.
    """
    return f"{'Untrained: on' if random else 'On'} average a word looks at {spread:.1f} words."


def read_variances(variances: Variances) -> list[str]:
    """Return sentences on how the variance of q·k grows with the width, and on its values at the largest width."""
    width = WIDTHS[-1]
    raw, scaled = (
        f"{number(spread.mean[-1], 4)} ± {number(spread.error[-1], 2)}" for spread in (variances.raw, variances.scaled)
    )
    narrow, wide = float(variances.raw.mean[0]), float(variances.raw.mean[-1])
    steady = 10 * float(np.ptp(variances.scaled.mean)) < wide - narrow
    return [
        f"Dot products of longer vectors spread {'wider' if wide > narrow else 'less'}"
        f"{'; scaled, they spread about the same at every length' if steady else ''}.",
        f"At d_k = {width:,} the variance of q·k is {raw} (theory: {width:,}); after division by √d_k it is {scaled}.",
    ]


def read_weights(softmaxes: Softmaxes, width_index: int) -> tuple[str, str]:
    """Return sentences on the mean of the largest softmax weight without scaling and with it, at one width.

    width_index: the index of that width in WIDTHS.
    """
    raw, scaled = (
        percent(float(softened.weights.mean[width_index, 0])) for softened in (softmaxes.raw, softmaxes.scaled)
    )
    drawn = softmaxes.raw.weights.mean.shape[1]
    cut = f", of which the {drawn} largest are drawn" if drawn < softmaxes.keys else ""
    which = "The only weight is" if softmaxes.keys == 1 else "The largest weight is"
    return (
        f"{which} {raw} on average without scaling, and {scaled} with it.",
        f"Here d_k = {WIDTHS[width_index]:,}, and a query has {plural(softmaxes.keys, 'weight')}{cut}.",
    )


def read_entropies(softmaxes: Softmaxes) -> list[str]:
    """Return sentences on the number of keys over which attention spreads at the largest width, and on entropies."""
    raw, scaled = (_from_to(softened.entropy) for softened in (softmaxes.raw, softmaxes.scaled))
    change = f"goes from {raw} bits without scaling, and from {scaled} with it"
    plain, divided = (round(2 ** float(softened.entropy.mean[-1])) for softened in (softmaxes.raw, softmaxes.scaled))
    spread = f"With long vectors a query looks at about {plural(plain, 'key')}"
    return [
        f"{spread} without scaling, and at {f'about {divided}' if divided != plain else 'about as many'} with it.",
        f"There are {plural(softmaxes.keys, 'key')}. From d_k = 1 to {WIDTHS[-1]:,} the mean entropy {change}.",
    ]


def read_gradients(softmaxes: Softmaxes) -> list[str]:
    """Return sentences on the gradient that passes the softmax at the largest width, with and without scaling."""
    raw, scaled = softmaxes.raw.gradient, softmaxes.scaled.gradient
    means = [number(spread.mean[-1], 2) for spread in (raw, scaled)]
    if raw.middle[-1] < 0.01 * scaled.middle[-1]:
        headline = "With long vectors and no scaling, the typical query gets almost no gradient."
    elif scaled.mean[-1] > raw.mean[-1]:
        headline = "With long vectors, scaling lets more of the gradient through."
    else:
        headline = "With these settings scaling lets no more of the gradient through."
    return [
        headline,
        f"At d_k = {WIDTHS[-1]:,} the norm is {means[0]} on average without scaling, and {means[1]} with it; "
        f"half of all queries are left with at most {number(raw.middle[-1], 2)} without it.",
    ]


def read_own_variance(width: int, pairs: int, variance: float, expected: float, sizes: tuple[float, float]) -> str:
    """Compare the variance of a head's own dot products with its value in theory.

    width: d_k.
    pairs: number of dot products.
    variance, expected: the measured variance, and that of independent numbers.
    sizes: the variances of the numbers in the queries and in the keys.
    """
    if pairs == 1:
        return "This head has one query and one key: a single dot product has no variance."
    q, k = (number(size, 2) for size in sizes)
    return (
        f"This head's {pairs:,} dot products (d_k = {width:,}) have a variance of {number(variance)}. The numbers "
        f"in its queries have variance {q}, those in its keys {k}. Were they independent, the dot products would have "
        f"{number(expected)}."
    )


def read_own_softmax(width: int, field: str, raw: SoftmaxKept | None, scaled: SoftmaxKept | None) -> list[str]:
    """Return a sentence on the mean of one number over a head's own queries, without scaling and with it.

    The list is empty if no query may attend to any key.

    width: d_k.
    field: a name in `SoftmaxKept`.
    raw, scaled: the means for q·k and for q·k ÷ √d_k; None if no query may attend to any key.
    """
    if raw is None or scaled is None:
        return []
    write = percent if field == "largest" else number
    without, with_it = (write(getattr(means, field)) for means in (raw, scaled))
    return [
        f"In this head (d_k = {width:,}) the mean {MEASURE_NAMES[field]} is {without} without scaling, "
        f"and {with_it} with it."
    ]


def read_scoring(name: str, own: bool, parameters: int, width: int, seed: int) -> str:
    """Say in markdown which parameters a score function has, and who published it.

    name: the score function.
    own: whether it is the model's own score.
    parameters: number of parameters of a head.
    width: d_k.
    seed: the seed of random parameters.
    """
    count = {"general": f" = d_k² = {width:,}²", "additive": f" = 2 d_k² + d_k = 2 · {width:,}² + {width:,}"}
    drawn = {"general": f"W is random, from seed {seed}.", "additive": f"W, U and v are random, from seed {seed}."}
    whose = "**The model's own score.**" if own else drawn.get(name, "Nothing to learn.")
    return f"Parameters a head: **{parameters:,}**{count.get(name, '')}. {whose} {PAPERS[name]}."


def read_bands(what: str, marked: bool) -> str:
    """Say how to read a chart of a measured number against d_k.

    what: the numbers whose quantiles the band shows, in words.
    marked: whether the head's own number is marked.
    """
    return (
        f"Dots: the mean of {REPETITIONS} repetitions, with its standard error. Band: from the 5% to the 95% "
        f"quantile {what}{' Diamonds: this head.' if marked else ''}"
    )


def read_drawn(draws: int) -> str:
    """Say how many random queries were drawn: `draws` in each repetition."""
    return f"{REPETITIONS} × {draws} queries"


def write_scoring(name: str, width: int) -> str:
    """Write in LaTeX the score of a query and a key of `width` numbers."""
    return {
        "dot": r"q^\top k",
        "scaled dot": rf"q^\top k \div \sqrt{{{width}}}",
        "general": r"q^\top W k",
        "additive": r"v^\top \tanh(W q + U k)",
    }[name]


def write_variance(width: int) -> str:
    """Write in LaTeX the variance of a dot product, before and after scaling.

    width: d_k of a head.
    """
    return (
        r"\mathrm{Var}(q \cdot k) = \textstyle\sum_{i=1}^{d_k} \mathrm{Var}(q_i k_i) = d_k \cdot 1 \qquad "
        r"\mathrm{Var}(q \cdot k \div \sqrt{d_k}) = 1 \qquad "
        rf"d_k = {width}\text{{ in this head}}"
    )


def write_weights(keys: int, width: int) -> str:
    """Write in LaTeX the softmax of the scores with `keys` keys, and the root of d_k."""
    return (
        rf"{SOFTMAX} \qquad s_j = q \cdot k_j, \; j = 1 \dots {keys} \qquad "
        rf"\sqrt{{d_k}} = \sqrt{{{width}}} = {width**0.5:.4g}"
    )


def write_entropy(keys: int) -> str:
    """Write in LaTeX the entropy of `keys` weights and its upper bound."""
    bound = rf"\log_2 {keys} = {math.log2(keys):.4g}"
    return rf"H(p) = -\textstyle\sum_{{j=1}}^{{{keys}}} p_j \log_2 p_j \le {bound} \qquad {SOFTMAX}"


def write_jacobian(keys: int) -> str:
    """Write in LaTeX the Jacobian of the softmax of `keys` scores, its norm, and its effect on a gradient."""
    return (
        r"J = \frac{\partial p}{\partial s} = \mathrm{diag}(p) - p\,p^\top "
        rf"\in \mathbb{{R}}^{{{keys} \times {keys}}} \qquad "
        r" \|J\|_F = \sqrt{\textstyle\sum_{ij} J_{ij}^2} \qquad "
        r"\frac{\partial L}{\partial s} = J\,\frac{\partial L}{\partial p}"
    )


def _from_to(spread: Spread) -> str:
    return f"{number(spread.mean[0], 2)} to {number(spread.mean[-1], 2)}"
