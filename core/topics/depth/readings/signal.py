"""Sentences about a chart along depth, made from its numbers, and the chart's formulas."""

import math
from collections.abc import Sequence

import numpy as np

from core.readings.words import capital, listed, number, percent, plural

LOSS = {
    "decoder": "the cross-entropy of each next token",
    "encoder": "the cross-entropy of every fourth token, which the stack reads as [MASK]",
}
MAX_RATIO = 100  # ratio from which on a gradient explodes or fades away
WITHOUT_RESIDUAL = "without residual"  # the way of a line, as in `core.topics.depth.curves.WAYS`
NO_NORM = "no norm"  # the group of a line, as in `core.topics.depth.curves.NORM_NAMES`
SAME = 0.99  # the mean cosine of two tokens above which they are nearly the same
MAX_LINES = 4  # lines: their numbers are too many for one sentence
Ends = tuple[str, str, float, float]  # a line's group and way, its first number and its last


def read_depths(gradient: bool, layers: int, ends: Sequence[Ends]) -> str:
    """Say by what factor the gradients or the activations change over the depth of each stack.

    For gradients it is the first number of a line divided by the last, for activations the last divided by the first.
    With many lines the sentence names the largest and the smallest factor, and the range of the others.

    gradient: whether the lines are gradients, not activations.
    layers: number of layers.
    ends: the ends of each line.
    """
    ratios = [_ratio(first, last) if gradient else _ratio(last, first) for _, _, first, last in ends]
    if gradient:
        what, than = f"the gradient at the first of {plural(layers, 'layer')} is", "that after the last"
    else:
        what, than = f"the activations after {plural(layers, 'layer')} are", "what came in"
    if len(ends) < MAX_LINES or any(map(math.isnan, ratios)):
        times = [(group, way, _write_factor(ratio)) for (group, way, _, _), ratio in zip(ends, ratios, strict=True)]
        return _by_way(times, what, f"times {than}")
    (low, least), *others, (high, most) = sorted(zip(ratios, ends, strict=True), key=lambda pair: pair[0])
    between = dict.fromkeys(_write_factor(ratio) for ratio in (others[0][0], others[-1][0]))
    return (
        f"{capital(what)} {_write_factor(high)} times {than} ({most[0]}, {most[1]}s), {_write_factor(low)} times "
        f"({least[0]}, {least[1]}s), and {' to '.join(between)} times in the other {len(others)}."
    )


def read_fates(gradient: bool, ends: Sequence[Ends]) -> list[str]:
    """Return sentences on whether the numbers explode or fade away, in which stacks, and how far they change in others.

    If the factor of `read_depths` is undefined for a stack, only the stacks whose ends are no numbers are counted.

    gradient: whether the numbers are gradients, not activations.
    ends: the ends of each line.
    """
    ratios = [_ratio(first, last) if gradient else _ratio(last, first) for _, _, first, last in ends]
    what, total = "the gradient" if gradient else "the signal", len(ends)
    if any(map(math.isnan, ratios)):
        lost = sum(not all(math.isfinite(end) and end for end in (first, last)) for _, _, first, last in ends)
        return [f"In {lost} of {total} stacks {what} becomes 0, infinite or undefined."]
    fates: dict[str, list[str]] = {"explodes": [], "fades away": []}
    factors = []
    for ratio, (group, way, _, _) in zip(ratios, ends, strict=True):
        if ratio >= MAX_RATIO or ratio * MAX_RATIO <= 1:
            fates["explodes" if ratio >= MAX_RATIO else "fades away"].append(f"{group}, {way}s")
        else:
            factors.append(max(ratio, 1 / ratio))
    ways = " or ".join(fate for fate, names in fates.items() if names)
    phrases = [f"{fate} ({'; '.join(names)})" for fate, names in fates.items() if names]
    where = "in all stacks" if not phrases else "in the other" if len(factors) == 1 else f"in the other {len(factors)}"
    phrases += [f"stays within {number(max(factors), 2)} times its size {where}"] if factors else []
    if not ways:
        return [f"{capital(what)} {listed(phrases)}."]
    without_norms = [f"{group}, {way}s" for group, way, _, _ in ends if group == NO_NORM]
    if factors and set(without_norms) == {name for names in fates.values() for name in names}:
        kept = f"with norms it stays within {number(max(factors), 2)} times its size"
        return [f"Without norms {what} {ways}; {kept}.", f"It {listed(phrases[:-1])}."]
    count = f"{total - len(factors)} of {total} stacks" if factors else f"all {total} stacks"
    through = "on its way back from the last layer to the first" if gradient else "on its way through the layers"
    return [f"In {count} {what} {ways} {through}.", f"It {listed(phrases)}."]


def read_own_depth(gradient: bool, layers: int, first: float, last: float) -> str:
    """Say by what factor the gradients or the activations of a trained model change over its depth.

    The factor is the number at the end of the pass over the one at its beginning: activations pass from the first layer
    to the last, gradients from the last to the first.

    gradient: whether the numbers are gradients, not activations.
    layers: number of layers.
    first, last: the numbers before the first layer and after the last.
    """
    if gradient:
        where, end = (
            ("before its one layer", "it") if layers == 1 else (f"at the first of its {layers:,} layers", "the last")
        )
        return f"In the trained model the gradient {where} is {_times(first, last)} times that after {end}."
    grown = _times(last, first)
    return f"In the trained model the activations after its {plural(layers, 'layer')} are {grown} times what came in."


def read_remains(word: str, added: Sequence[float], replaced: Sequence[float]) -> str:
    """Say how much of its direction a word's vector keeps after one layer, with residual connections and without.

    word: in quotes.
    added, replaced: the cosines with the first vector with residual connections and without, N + 1 each for N layers.
    """
    return (
        f"With residual connections the vector of {word} keeps {_left(added[1])} of its direction after one layer; "
        f"without them {_left(replaced[1])}."
    )


def read_own_remains(layers: int, last: float) -> str:
    """Say how much of its direction a word's vector keeps after the layers of a trained model."""
    return f"In the trained model it keeps {_left(last)} of it after {plural(layers, 'layer')}."


def read_limits(over: Sequence[str], under: Sequence[str], undefined: Sequence[str] = ()) -> str | None:
    """Say which lines, computed in float64, leave the range of float32 or are undefined; None if none does.

    over, under: the lines that become too large and too small.
    undefined: the lines that contain NaN.
    """
    parts = []
    if over:
        parts.append(f"With {listed(over)} the norm passes 3.4·10³⁸: a model that computes in float32 has ∞ there.")
    if under:
        parts.append(f"With {listed(under)} it falls below 1.4·10⁻⁴⁵: a model that computes in float32 has 0 there.")
    if undefined:
        parts.append(
            f"With {listed(undefined)} it is undefined (NaN) where there is no line: scores so large are rounded by "
            "more than they differ, even in float64."
        )
    return " ".join(parts) or None


def read_cosines(layers: int, lines: Sequence[tuple[str, str, np.ndarray]]) -> tuple[str, str]:
    """Return sentences on whether tokens grow alike up to the last layer, and on the mean cosines in each stack.

    layers: number of layers.
    lines: the group, the way and the cosines (N + 1,) of each stack, before the first layer and after each.
    """
    start = _cosine(lines[0][2][0])
    ends = [(group, way, _cosine(cosines[-1])) for group, way, cosines in lines]
    grown = sum(bool(cosines[-1] > cosines[0]) for _, _, cosines in lines)
    where = f"all {len(lines)} stacks" if grown == len(lines) else f"{grown} of {len(lines)} stacks"
    headline = f"From the first layer to the last, the tokens grow more alike in {where}."
    apart = max(_apart(cosines) for _, way, cosines in lines if way == WITHOUT_RESIDUAL)
    if apart < layers:
        headline = f"Without residuals all tokens are nearly the same after {plural(apart + 1, 'layer')}"
        slower = all(_apart(cosines) == layers for _, way, cosines in lines if way != WITHOUT_RESIDUAL)
        headline += f"; with them it takes more than {layers}." if slower and apart + 1 < layers else "."
    return (
        headline,
        _by_way(ends, f"the mean cosine of two tokens goes from {start} to", f"after {plural(layers, 'layer')}"),
    )


def _apart(cosines: np.ndarray) -> int:
    """Return the last layer after which the tokens are not nearly the same; −1 if they always are."""
    return int(np.flatnonzero(~(cosines > SAME)).max(initial=-1))


def read_own_alike(layers: int, first: float, last: float) -> str:
    """Say how the mean cosine between two tokens changes over the layers of a trained model, from `first` to `last`."""
    return f"In the trained model it goes from {_cosine(first)} to {_cosine(last)} over its {plural(layers, 'layer')}."


def note_cut(read: int, whole: int) -> str | None:
    """Say that the stacks read only the first tokens of a text; None if they read all of them.

    read: number of tokens that they read.
    whole: number of tokens in the text, 0 if all are read.
    """
    return f"The stacks read the first {read} of {whole} tokens." if whole else None


def write_norms(tokens: int, width: int, gradient: bool) -> str:
    """Write in LaTeX the norm of the stream X_n, or the chain rule for the loss's gradient with respect to it.

    tokens, width: the shape of X_n.
    gradient: whether to write the chain rule.
    """
    rows = rf"X_n \in \mathbb{{R}}^{{{tokens} \times {width}}}"
    norm = r"\lVert X_n \rVert = \sqrt{\textstyle\sum_{t,i} X_{n,ti}^2}"
    if not gradient:
        return rf"{norm} \qquad {rows}"
    chain = (
        r"\frac{\partial L}{\partial X_n} = "
        r"\Big(\frac{\partial X_{n+1}}{\partial X_n}\Big)^{\!\top} \frac{\partial L}{\partial X_{n+1}}"
    )
    return rf"{chain} \qquad {rows}"


def write_alike(tokens: int) -> str:
    """Write in LaTeX the mean cosine of all pairs of tokens."""
    return (
        rf"\frac{{1}}{{{tokens} \cdot {tokens - 1}}} \sum_{{s \neq t}} "
        r"\frac{x_s \cdot x_t}{\lVert x_s \rVert \, \lVert x_t \rVert}"
    )


def write_remains() -> str:
    """Write in LaTeX the cosine of a token's vector after n layers with the one that enters the first."""
    return (
        r"\frac{x^{(n)} \cdot x^{(0)}}{\lVert x^{(n)} \rVert \, \lVert x^{(0)} \rVert}"
        r"\qquad \text{with: } x^{(n+1)} = x^{(n)} + f(x^{(n)}) \qquad \text{without: } x^{(n+1)} = f(x^{(n)})"
    )


def _by_way(numbers: Sequence[tuple[str, str, str]], before: str, behind: str) -> str:
    """Write one sentence for numbers by group and way: all groups of the first way, then those of the second."""
    ways = list(dict.fromkeys(way for _, way, _ in numbers))
    lists = [listed([f"{value} ({group})" for group, of, value in numbers if of == way]) for way in ways]
    others = "".join(f"; {way}s: {values}" for way, values in zip(ways[1:], lists[1:], strict=True))
    return f"{capital(ways[0])}s {before} {lists[0]} {behind}{others}."


def _times(above: float, below: float) -> str:
    """Write above ÷ below, or "undefined" if below is 0 or not finite."""
    return _write_factor(_ratio(above, below))


def _ratio(above: float, below: float) -> float:
    return above / below if below and math.isfinite(below) else math.nan


def _write_factor(ratio: float) -> str:
    return number(ratio, 2)


def _left(cosine: float) -> str:
    return "an undefined part" if math.isnan(cosine) else percent(cosine) if cosine >= 0.005 else "nothing"


def _cosine(value: float) -> str:
    return "undefined" if math.isnan(value) else number(value, 3) if abs(value) < 0.995 else f"{value:.4f}"
