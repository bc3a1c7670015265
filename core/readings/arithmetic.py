"""The arithmetic of one cell in lines of text."""

import math

import numpy as np

from core.analysis.arithmetic import Arithmetic, MaskedScore, Products, ScaledScore, Softmax
from core.readings.words import number

TERMS_SHOWN = 8


def as_text(record: Arithmetic, name: str, digits: int = 3) -> str:
    """Write the arithmetic in lines, `name` first ("q3·k1 = 0.120 × 0.800 + …"), with the model's own number if known.

    A sum of more than 8 terms shows its 8 largest, each after its place in the row, and the sum of the others. Every
    number shown is rounded to `digits` significant digits; the record has them in full. Another kind of record raises
    TypeError.
    """
    match record:
        case Products():
            steps = [_products_text(record, digits), number(record.total, digits)]
        case ScaledScore():
            raw, root = number(record.raw, digits), number(math.sqrt(record.d_k), digits)
            steps = [f"{raw} ÷ √{record.d_k}", f"{raw} ÷ {root}", number(record.total, digits)]
        case MaskedScore():
            score = number(record.score, digits)
            steps = [f"{score} (allowed: unchanged)" if record.allowed else f"−∞ (masked: it was {score})"]
        case Softmax():
            steps = _softmax_steps(record, digits)
        case _:
            raise TypeError(f"no text for a {type(record).__name__}")
    lines = [f"{name} = {steps[0]}", *(f"{' ' * len(name)} = {step}" for step in steps[1:])]
    if record.value is not None and record.difference is not None:
        lines.append(f"the model's value: {number(record.value, digits)}, difference {number(record.difference, 2)}")
    return "\n".join(lines)


def _sum_text(written: list[str], terms: np.ndarray, digits: int) -> str:
    """Join terms by plus signs: all in order, or the largest few with their places and the sum of the rest."""
    if len(terms) <= TERMS_SHOWN:
        return " + ".join(written)
    by_size = np.argsort(-np.abs(terms), kind="stable")
    shown, rest = by_size[:TERMS_SHOWN], by_size[TERMS_SHOWN:]
    count = f"{len(rest):,} smaller term{'s' if len(rest) > 1 else ''}"
    return (
        f"{' + '.join(f'[{i}] {written[i]}' for i in shown)} + … and {count} adding {number(terms[rest].sum(), digits)}"
    )


def _products_text(record: Products, digits: int) -> str:
    written = [f"{number(a, digits)} × {number(b, digits)}" for a, b in zip(record.left, record.right, strict=True)]
    text = _sum_text(written, record.products, digits)
    return text if record.bias is None else f"{text} + {number(record.bias, digits)} (bias)"


def _softmax_steps(record: Softmax, digits: int) -> list[str]:
    if record.denominator == 0:
        return ["0 (every key is masked, so the weight is set to 0)"]
    written = [f"exp({_lowered(score, record.maximum, digits)})" for score in record.scores]
    values = [number(exp, digits) for exp in record.exps]
    return [
        f"{written[record.j]} ÷ ({_sum_text(written, record.exps, digits)})",
        f"{values[record.j]} ÷ ({_sum_text(values, record.exps, digits)})",
        f"{values[record.j]} ÷ {number(record.denominator, digits)}",
        number(record.total, digits),
    ]


def _lowered(score: float, maximum: float | None, digits: int) -> str:
    if maximum is None or score == -math.inf:
        return number(score, digits)
    by = number(maximum, digits)
    return f"{number(score, digits)} − {f'({by})' if maximum < 0 else by}"
