"""The arithmetic of one cell in lines of text."""

import math

import numpy as np

from core.analysis.arithmetic import Arithmetic, MaskedScore, Products, ScaledScore, Softmax
from core.readings.words import number

TERMS_SHOWN = 8


def as_text(record: Arithmetic, name: str) -> str:
    """Write the arithmetic in lines, `name` first ("q3·k1 = 0.120 × 0.800 + …"), with the model's own number if known.

    A sum of more than 8 terms shows its 8 largest, each after its place in the row, and the sum of the others. Every
    number shown is rounded to three significant digits; the record has them in full. Another kind of record raises
    TypeError.
    """
    match record:
        case Products():
            steps = [_products_text(record), number(record.total)]
        case ScaledScore():
            raw, root = number(record.raw), number(math.sqrt(record.d_k))
            steps = [f"{raw} ÷ √{record.d_k}", f"{raw} ÷ {root}", number(record.total)]
        case MaskedScore():
            score = number(record.score)
            steps = [f"{score} (allowed: unchanged)" if record.allowed else f"−∞ (masked: it was {score})"]
        case Softmax():
            steps = _softmax_steps(record)
        case _:
            raise TypeError(f"no text for a {type(record).__name__}")
    lines = [f"{name} = {steps[0]}", *(f"{' ' * len(name)} = {step}" for step in steps[1:])]
    if record.value is not None and record.difference is not None:
        lines.append(f"the model's value: {number(record.value)}, difference {number(record.difference, 2)}")
    return "\n".join(lines)


def _sum_text(written: list[str], terms: np.ndarray) -> str:
    """Join terms by plus signs: all in order, or the largest few with their places and the sum of the rest."""
    if len(terms) <= TERMS_SHOWN:
        return " + ".join(written)
    by_size = np.argsort(-np.abs(terms), kind="stable")
    shown, rest = by_size[:TERMS_SHOWN], by_size[TERMS_SHOWN:]
    count = f"{len(rest):,} smaller term{'s' if len(rest) > 1 else ''}"
    return f"{' + '.join(f'[{i}] {written[i]}' for i in shown)} + … and {count} adding {number(terms[rest].sum())}"


def _products_text(record: Products) -> str:
    written = [f"{number(a)} × {number(b)}" for a, b in zip(record.left, record.right, strict=True)]
    text = _sum_text(written, record.products)
    return text if record.bias is None else f"{text} + {number(record.bias)} (bias)"


def _softmax_steps(record: Softmax) -> list[str]:
    if record.denominator == 0:
        return ["0 (every key is masked, so the weight is set to 0)"]
    written = [f"exp({_lowered(score, record.maximum)})" for score in record.scores]
    values = [number(exp) for exp in record.exps]
    return [
        f"{written[record.j]} ÷ ({_sum_text(written, record.exps)})",
        f"{values[record.j]} ÷ ({_sum_text(values, record.exps)})",
        f"{values[record.j]} ÷ {number(record.denominator)}",
        number(record.total),
    ]


def _lowered(score: float, maximum: float | None) -> str:
    if maximum is None or score == -math.inf:
        return number(score)
    by = number(maximum)
    return f"{number(score)} − {f'({by})' if maximum < 0 else by}"
