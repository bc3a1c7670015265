"""Where one number of a head came from: its arithmetic, and the rows and columns it was made of."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.analysis.arithmetic import dot_terms, mask_terms, mix_terms, projection_terms, scaling_terms, softmax_terms
from core.explorer.head.grids import grid
from core.explorer.head.records import HeadRecord
from core.readings.arithmetic import as_text
from core.readings.words import number

Sources = tuple[tuple[str, int | None, int | None], ...]


@dataclass(frozen=True)
class Cell:
    """text: the arithmetic in lines. sources: (matrix, row or None, column or None) that went into it."""

    text: str
    sources: Sources = ()

    def outlines(self, name: str) -> list[tuple[int | None, int | None]]:
        """What of the matrix `name` went into it."""
        return [(row, col) for source, row, col in self.sources if source == name]


def cell(record: HeadRecord, name: str, row: int, col: int) -> Cell:
    """The arithmetic of one cell of the matrix `name`; ValueError outside it."""
    rows, cols = grid(record, name).values.shape
    if not (0 <= row < rows and 0 <= col < cols):
        raise ValueError(f"{name} has {rows} rows and {cols} columns, so there is no cell ({row}, {col})")
    return EXPLAIN[name](record, row, col)


def _projection(letter: str) -> Callable[[HeadRecord, int, int], Cell]:
    def explain(record: HeadRecord, row: int, col: int) -> Cell:
        left = "M" if record.place.cross and letter != "q" else "X"
        x = record.memory if left == "M" else record.x
        weights, bias, result = (getattr(record, f"{part}{letter}") for part in ("w_", "b_", ""))
        terms = projection_terms(x[row], weights[:, col], float(bias[col]), float(result[row, col]))
        sources = ((left, row, None), (f"W_{letter.upper()}", None, col))
        return Cell(as_text(terms, f"{letter}{row}[{col}]"), sources)

    return explain


def _rotated(letter: str) -> Callable[[HeadRecord, int, int], Cell]:
    def explain(record: HeadRecord, row: int, col: int) -> Cell:
        flat, turned = getattr(record, letter), getattr(record, f"{letter}_rotated")
        even, base, width = col - col % 2, float(record.rotary_base or 1), flat.shape[1]
        angle = row * base ** (-even / width)
        cos, sin = math.cos(angle), math.sin(angle)
        factors = np.array([cos, -sin] if col == even else [sin, cos])
        terms = dot_terms(flat[row, even : even + 2], factors, float(turned[row, col]))
        turn = f"angle = position × α^(−2i/d_k) = {row} × {number(base)}^(−{even}/{width}) = {number(angle)} rad\n"
        text = turn + as_text(terms, f"rotated {letter}{row}[{col}]")
        return Cell(text, ((letter.upper(), row, even), (letter.upper(), row, even + 1)))

    return explain


def _transformed(record: HeadRecord, row: int, col: int) -> Cell:
    parts = record.parts
    q = record.q if record.q_rotated is None else record.q_rotated
    general = parts.kind == "general"
    matrix = grid(record, "W").values
    weights = matrix[:, col] if general else matrix[col]
    terms = dot_terms(q[row], weights, float(parts.left[row, col]))
    source = "Q" if record.q_rotated is None else "Q rotated"
    return Cell(
        as_text(terms, f"(q{row} W)[{col}]" if general else f"(W q{row})[{col}]"),
        ((source, row, None), ("W", None, col) if general else ("W", col, None)),
    )


def _transformed_key(record: HeadRecord, row: int, col: int) -> Cell:
    k = record.k if record.k_rotated is None else record.k_rotated
    terms = dot_terms(k[row], grid(record, "U").values[col], float(record.parts.right[row, col]))
    return Cell(
        as_text(terms, f"(U k{row})[{col}]"),
        (("K" if record.k_rotated is None else "K rotated", row, None), ("U", col, None)),
    )


def _raw(record: HeadRecord, row: int, col: int) -> Cell:
    parts, value = record.parts, float(record.raw[row, col])
    if parts.v is not None:
        inside = np.tanh(parts.left[row].astype(float) + parts.right[col].astype(float))
        text = as_text(dot_terms(parts.v, inside, value), f"v · tanh(W q{row} + U k{col})")
        return Cell(text, (("QW", row, None), ("KU", col, None), ("v", 0, None)))
    general = parts.kind == "general"
    name = f"q{row} W · k{col}" if general else f"q{row}·k{col}"
    left = "QW" if general else "Q" if record.q_rotated is None else "Q rotated"
    text = as_text(dot_terms(parts.left[row], parts.right[col], value), name)
    return Cell(text, ((left, row, None), ("Kᵀ", None, col)))


def _scaled(record: HeadRecord, row: int, col: int) -> Cell:
    parts, raw, value = record.parts, float(record.raw[row, col]), float(record.scores[row, col])
    sources: Sources = (("raw S", row, col),)
    if parts.bias is None and parts.kind == "scaled_dot":
        return Cell(as_text(scaling_terms(raw, record.q.shape[1], value), f"S[{row},{col}]"), sources)
    if parts.bias is None:
        return Cell(f"S[{row},{col}] = {number(raw)} (this score is not scaled)", sources)
    terms = projection_terms(np.array([raw]), np.array([parts.scale]), float(parts.bias[row, col]), value)
    text = as_text(terms, f"S[{row},{col}]").replace("(bias)", "(ALiBi: −slope × distance)")
    return Cell(text, (*sources, ("bias", row, col)))


def _masked(record: HeadRecord, row: int, col: int) -> Cell:
    terms = mask_terms(float(record.scores[row, col]), bool(record.mask[row, col]), float(record.masked[row, col]))
    return Cell(as_text(terms, f"masked S[{row},{col}]"), (("S", row, col), ("mask", row, col)))


def _weight(record: HeadRecord, row: int, col: int) -> Cell:
    terms = softmax_terms(record.masked[row], col, value=float(record.pattern[row, col]))
    return Cell(as_text(terms, f"A[{row},{col}]"), (("masked S", row, None),))


def _mixed(record: HeadRecord, row: int, col: int) -> Cell:
    terms = mix_terms(record.pattern[row], record.v[:, col], float(record.z[row, col]))
    return Cell(as_text(terms, f"z{row}[{col}]"), (("A", row, None), ("V", None, col)))


def _key_column(record: HeadRecord, row: int, col: int) -> Cell:
    source = "K" if record.k_rotated is None else "K rotated"
    value = number(float(record.parts.right[col, row]))
    return Cell(
        f"Kᵀ[{row},{col}] = k{col}[{row}] = {value}: {source}, with rows and columns swapped", ((source, col, row),)
    )


def _as_it_stands(name: str, where_from: str) -> Callable[[HeadRecord, int, int], Cell]:
    def explain(record: HeadRecord, row: int, col: int) -> Cell:
        values = grid(record, name).values
        return Cell(f"{name}[{row},{col}] = {number(float(values[row, col]))}: {where_from}")

    return explain


LEARNED = "a weight of this head, learned in training (in a model of random weights: drawn)"
READ = "a number of the vector that the attention reads"
ENCODED = "a number of the encoder's output"
EXPLAIN: dict[str, Callable[[HeadRecord, int, int], Cell]] = {
    "X": _as_it_stands("X", READ),
    "M": _as_it_stands("M", ENCODED),
    "W_Q": _as_it_stands("W_Q", LEARNED),
    "W_K": _as_it_stands("W_K", LEARNED),
    "W_V": _as_it_stands("W_V", LEARNED),
    "Q": _projection("q"),
    "K": _projection("k"),
    "V": _projection("v"),
    "Q rotated": _rotated("q"),
    "K rotated": _rotated("k"),
    "W": _as_it_stands("W", LEARNED),
    "U": _as_it_stands("U", LEARNED),
    "v": _as_it_stands("v", LEARNED),
    "QW": _transformed,
    "KU": _transformed_key,
    "Kᵀ": _key_column,
    "raw S": _raw,
    "bias": _as_it_stands("bias", "−slope of this head × the distance between the two tokens"),
    "S": _scaled,
    "mask": _as_it_stands("mask", "1: this query may attend to this key; 0: it may not"),
    "masked S": _masked,
    "A": _weight,
    "Z": _mixed,
}
