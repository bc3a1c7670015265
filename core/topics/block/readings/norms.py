"""Sentences and formulas about LayerNorm and RMSNorm."""

import numpy as np

from core.analysis.norms import NormTerms
from core.readings.words import latex_number, number

NAMES = {"layernorm": "LayerNorm", "rmsnorm": "RMSNorm"}
# A mean below this share of the deviation hardly counts; a cosine of nearly equal vectors.
CENTRED_SHARE, ALIKE_COSINE = 0.1, 0.995


def other_kind(kind: str) -> str:
    return next(name for name in NAMES if name != kind)


def write_spread(numbers: np.ndarray) -> str:
    """Write the mean and the standard deviation of some numbers."""
    mean = float(numbers.mean())
    return f"mean {number(0 if abs(mean) < 1e-6 * float(numbers.std() + 1) else mean, 2)} ± {number(numbers.std(), 3)}"


def read_norm(token: str, where: str, kind: str, terms: NormTerms, cosine: float, exists: bool) -> list[str]:
    """Return sentences on how a norm changes the spread of a token's numbers, and on what the other kind would do.

    token: the token's name.
    where: the norm's place in words.
    kind: "layernorm" or "rmsnorm".
    terms: the norm's computation for this token, term by term.
    cosine: between the results of both kinds; NaN leaves out the comparison.
    exists: whether the model has this norm; if not, the first sentence says how it would change them.
    """
    around = "around their mean" if kind == "layernorm" else "around 0"
    measured = f"It is {where}; the spread is measured" if exists else "The spread is measured"
    after = float(np.sqrt(np.mean(terms.normalised**2)))  # 1, but for vectors so small that eps counts
    spread_after = "1" if abs(after - 1) < 5e-3 else number(after, 2)
    turn = "shrink" if after < terms.spread else "widen"
    this = "This norm" if np.all(terms.gain == 1) else "Before its gain this norm"
    acts = f"{this} {turn}s" if exists else f"{'An' if kind == 'rmsnorm' else 'A'} {NAMES[kind]} would {turn}"
    turned = f"{acts} the spread of the numbers of {token} from {number(terms.spread)} to {spread_after}."
    said = [turned, f"{measured} {around}."]
    if cosine != cosine:
        return said
    other_name, small = NAMES[other_kind(kind)], abs(terms.x.mean()) < CENTRED_SHARE * terms.x.std()
    if cosine > ALIKE_COSINE and small:
        mean = number(terms.x.mean(), 2)
        return [*said, f"{other_name} would do nearly the same, because the mean is small: {mean}."]
    return [*said, f"{other_name} would give another direction (cosine {number(cosine)})."]


def note_no_norm(kind: str) -> str:
    """Say that the model has no norms, and which kind of norm is shown instead."""
    return f"This model has no norms: shown is what a {NAMES[kind]} with gain 1 and bias 0 would make of the vector."


def write_norm(kind: str, terms: NormTerms) -> str:
    """Write in LaTeX a norm with its shapes, and with the mean and deviation of one vector.

    kind: "layernorm" or "rmsnorm".
    terms: the norm's computation for that vector.
    """
    width, eps = len(terms.x), r"\epsilon"
    if kind == "rmsnorm":
        return (
            rf"y = \frac{{x}}{{\sqrt{{\frac1{{{width}}} \sum_i x_i^2 + {eps}}}}} \odot \gamma \qquad "
            rf"\sqrt{{\tfrac1{{{width}}} \textstyle\sum_i x_i^2 + {eps}}} = {latex_number(terms.spread, 4)} \qquad "
            rf"x, \gamma, y \in \mathbb{{R}}^{{{width}}}"
        )
    variance, mean = latex_number(terms.spread**2 - terms.eps, 4), latex_number(terms.mean, 4)
    return (
        rf"y = \frac{{x - \mu}}{{\sqrt{{\sigma^2 + {eps}}}}} \odot \gamma + \beta \qquad \mu = {mean} \qquad "
        rf"\sigma^2 = \tfrac1{{{width}}} \sum_i (x_i - \mu)^2 = {variance} \qquad {eps} = {_small(terms.eps)} "
        rf"\qquad x, \gamma, \beta, y \in \mathbb{{R}}^{{{width}}}"
    )


def write_number(kind: str, terms: NormTerms, index: int, model_output: np.ndarray | None) -> str:
    """Write in one line how a norm computed one number of its output.

    kind: "layernorm" or "rmsnorm".
    terms: the norm's computation for the vector.
    index: the place of the number in the vector.
    model_output: the output of the model's own norm, to compare with; None if the model has no norm there.
    """
    x, gain, bias, result = (number(array[index], 4) for array in (terms.x, terms.gain, terms.bias, terms.out))
    mean, spread = number(terms.mean, 4), number(terms.spread, 4)
    above = f"({x} − ({mean}))" if kind == "layernorm" else x
    behind = f" + ({bias})" if kind == "layernorm" else ""
    sentence = f"number {index}: {above} ÷ {spread} × {gain}{behind} = {result}"
    if model_output is None:
        return sentence
    return f"{sentence}; the model's own {NAMES[kind]} gave {number(model_output[index], 4)}"


def _small(x: float) -> str:
    """Write a number such as 10⁻⁵ in LaTeX."""
    factor, power = f"{x:.1e}".split("e")
    front = "" if factor == "1.0" else factor + r" \cdot "
    return rf"{front}10^{{{int(power)}}}"
