"""The arithmetic of one number of a head, and the rows and columns from which it was made."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.analysis.arithmetic import dot_terms, mask_terms, mix_terms, projection_terms, scaling_terms, softmax_terms
from core.analysis.norms import rms_norm_terms
from core.readings.arithmetic import as_text
from core.readings.words import number
from core.topics.self_attention.grids import grid
from core.topics.self_attention.records import HeadRecord

Sources = tuple[tuple[str, int | None, int | None], ...]
# None for a whole column or row, "row" or "col" for that of the cell, or a number for each column of the cell.
Index = None | int | str | tuple[int, ...]
Links = tuple[tuple[str, Index, Index], ...]  # the sources of every cell of a matrix: matrix, row, column


@dataclass(frozen=True)
class Cell:
    """The arithmetic of one cell.

    text: the arithmetic in lines.
    sources: the (matrix, row or None, column or None) that were used.
    """

    text: str
    sources: Sources = ()

    def outlines(self, name: str) -> list[tuple[int | None, int | None]]:
        """Return the (row or None, column or None) of the matrix `name` that were used."""
        return [(row, col) for source, row, col in self.sources if source == name]


def cell(record: HeadRecord, name: str, row: int, col: int) -> Cell:
    """Return the arithmetic of one cell of the matrix `name`; ValueError for a cell outside it."""
    rows, cols = grid(record, name).values.shape
    if not (0 <= row < rows and 0 <= col < cols):
        raise ValueError(f"{name} has {rows} rows and {cols} columns, so there is no cell ({row}, {col})")

    def number(index: Index) -> int | None:
        if isinstance(index, str):
            return row if index == "row" else col
        return index[col] if isinstance(index, tuple) else index

    sources = dict.fromkeys((source, number(i), number(j)) for source, i, j in links(record, name))
    return Cell(EXPLAIN[name](record, row, col), tuple(sources))


def links(record: HeadRecord, name: str) -> Links:
    """Return the rows and columns from which the cells of the matrix `name` were made."""
    scored, parts = record.scored, record.parts
    general = parts.kind == "general"
    match name.split():
        case ["Q" | "K" | "V" as letter]:
            read = "M" if record.place.cross and letter != "Q" else "X"
            return (read, "row", None), (f"W_{letter}", None, "col")
        case ["Q" | "K" as letter, "rotated"]:
            return _turned_links(record, letter + " normed" * bool(record.normed))
        case ["Q" | "K" as letter, "normed"]:
            return ((letter, "row", None),)
        case ["QW"]:
            return (f"Q{scored}", "row", None), ("W", None, "col") if general else ("W", "col", None)
        case ["KU"]:
            return (f"K{scored}", "row", None), ("U", "col", None)
        case ["Kᵀ"]:
            return ((f"K{scored}", "col", "row"),)
        case ["raw", "S"] if parts.v is None:
            return ("QW" if general else f"Q{scored}", "row", None), ("Kᵀ", None, "col")
        case ["S"] if parts.bias is None:
            return (("raw S", "row", "col"),)
    return LINKS.get(name, ())


LINKS: dict[str, Links] = {
    "raw S": (("QW", "row", None), ("KU", "col", None), ("v", 0, None)),
    "S": (("raw S", "row", "col"), ("bias", "row", "col")),
    "masked S": (("S", "row", "col"), ("mask", "row", "col")),
    "A": (("masked S", "row", None),),
    "Z": (("A", "row", None), ("V", None, "col")),
}


def _turned_links(record: HeadRecord, came: str) -> Links:
    """Return the two numbers from which each number after the rotation was made; one where it is not turned."""
    assert record.turning is not None
    pairs = [record.turning.pair(col) or (None, col, col) for col in range(record.q.shape[1])]
    return (came, "row", tuple(pair[1] for pair in pairs)), (came, "row", tuple(pair[2] for pair in pairs))


def _projection(letter: str) -> Callable[[HeadRecord, int, int], str]:
    def explain(record: HeadRecord, row: int, col: int) -> str:
        x = record.memory if record.place.cross and letter != "q" else record.x
        weights, bias, result = (getattr(record, f"{part}{letter}") for part in ("w_", "b_", ""))
        terms = projection_terms(x[row], weights[:, col], float(bias[col]), float(result[row, col]))
        return as_text(terms, f"{letter}{row}[{col}]")

    return explain


def _rotated(letter: str) -> Callable[[HeadRecord, int, int], str]:
    def explain(record: HeadRecord, row: int, col: int) -> str:
        turned, turning = getattr(record, f"{letter}_rotated"), record.turning
        assert turning is not None
        flat = getattr(record.normed or record, letter)
        if (pair := turning.pair(col)) is None:
            reason = f"only the first {2 * len(turning.periods)} numbers of a head are turned"
            value = number(float(turned[row, col]))
            return f"rotated {letter}{row}[{col}] = {letter}{row}[{col}] = {value}: {reason}"
        pair_index, first_col, second_col = pair
        period = float(turning.periods[pair_index])
        cos, sin = math.cos(row / period), math.sin(row / period)
        factors = np.array([cos, -sin] if col == first_col else [sin, cos])
        terms = dot_terms(flat[row, [first_col, second_col]], factors, float(turned[row, col]))
        how = f"position ÷ period = {row} ÷ {number(period)}"
        if turning.plain:
            how = f"position × α^(−2i/d_k) = {row} × {number(turning.base)}^(−{2 * pair_index}/{flat.shape[1]})"
        return f"angle = {how} = {number(row / period)} rad\n" + as_text(terms, f"rotated {letter}{row}[{col}]")

    return explain


def _normed(letter: str) -> Callable[[HeadRecord, int, int], str]:
    def explain(record: HeadRecord, row: int, col: int) -> str:
        norm = record.normed
        assert norm is not None
        terms = rms_norm_terms(getattr(record, letter)[row], getattr(norm, f"gain_{letter}"), norm.eps)
        x, spread, gain = (number(term) for term in (terms.x[col], terms.spread, terms.gain[col]))
        value = number(float(getattr(norm, letter)[row, col]))
        text = f"normed {letter}{row}[{col}] = {x} ÷ {spread} × {gain} = {value}\n"
        return text + "(÷ the root mean square of the row, × a learned gain)"

    return explain


def _transformed(record: HeadRecord, row: int, col: int) -> str:
    parts = record.parts
    q = grid(record, f"Q{record.scored}").values
    general = parts.kind == "general"
    matrix = grid(record, "W").values
    weights = matrix[:, col] if general else matrix[col]
    terms = dot_terms(q[row], weights, float(parts.left[row, col]))
    return as_text(terms, f"(q{row} W)[{col}]" if general else f"(W q{row})[{col}]")


def _transformed_key(record: HeadRecord, row: int, col: int) -> str:
    k = grid(record, f"K{record.scored}").values
    terms = dot_terms(k[row], grid(record, "U").values[col], float(record.parts.right[row, col]))
    return as_text(terms, f"(U k{row})[{col}]")


def _raw(record: HeadRecord, row: int, col: int) -> str:
    parts, value = record.parts, float(record.raw[row, col])
    if parts.v is not None:
        inside = np.tanh(parts.left[row].astype(float) + parts.right[col].astype(float))
        return as_text(dot_terms(parts.v, inside, value), f"v · tanh(W q{row} + U k{col})")
    name = f"q{row} W · k{col}" if parts.kind == "general" else f"q{row}·k{col}"
    return as_text(dot_terms(parts.left[row], parts.right[col], value), name)


def _scaled(record: HeadRecord, row: int, col: int) -> str:
    parts, raw, value = record.parts, float(record.raw[row, col]), float(record.scores[row, col])
    if parts.bias is None and parts.kind == "scaled_dot":
        return as_text(scaling_terms(raw, record.q.shape[1], value), f"S[{row},{col}]")
    if parts.bias is None:
        return f"S[{row},{col}] = {number(raw)} (this score is not scaled)"
    terms = projection_terms(np.array([raw]), np.array([parts.scale]), float(parts.bias[row, col]), value)
    return as_text(terms, f"S[{row},{col}]").replace("(bias)", BIASES[parts.positions])


def _masked(record: HeadRecord, row: int, col: int) -> str:
    terms = mask_terms(float(record.scores[row, col]), bool(record.mask[row, col]), float(record.masked[row, col]))
    return as_text(terms, f"masked S[{row},{col}]")


def _weight(record: HeadRecord, row: int, col: int) -> str:
    scores = record.masked[row] if record.sink is None else np.append(record.masked[row], record.sink)
    terms = softmax_terms(scores, col, value=float(record.pattern[row, col]))
    return as_text(terms, f"A[{row},{col}]")


def _mixed(record: HeadRecord, row: int, col: int) -> str:
    terms = mix_terms(record.pattern[row], record.v[:, col], float(record.z[row, col]))
    return as_text(terms, f"z{row}[{col}]")


def _key_column(record: HeadRecord, row: int, col: int) -> str:
    value = number(float(record.parts.right[col, row]))
    return f"Kᵀ[{row},{col}] = k{col}[{row}] = {value}: K{record.scored}, with rows and columns swapped"


def _as_it_stands(name: str, where_from: str) -> Callable[[HeadRecord, int, int], str]:
    def explain(record: HeadRecord, row: int, col: int) -> str:
        values = grid(record, name).values
        return f"{name}[{row},{col}] = {number(float(values[row, col]))}: {where_from}"

    return explain


def _bias(record: HeadRecord, row: int, col: int) -> str:
    slope = "−slope of this head × the distance between the two tokens"
    learned = "learned for this head and the distance between the two tokens"
    return _as_it_stands("bias", slope if record.parts.positions == "alibi" else learned)(record, row, col)


LEARNED = "a weight of this head, learned in training (in a model of random weights: drawn)"
BIASES = {"alibi": "(ALiBi: −slope × distance)", "relative": "(learned for this head and distance)"}
READ = "a number of the vector that the attention reads"
ENCODED = "a number of the encoder's output"
EXPLAIN: dict[str, Callable[[HeadRecord, int, int], str]] = {
    "X": _as_it_stands("X", READ),
    "M": _as_it_stands("M", ENCODED),
    "W_Q": _as_it_stands("W_Q", LEARNED),
    "W_K": _as_it_stands("W_K", LEARNED),
    "W_V": _as_it_stands("W_V", LEARNED),
    "Q": _projection("q"),
    "K": _projection("k"),
    "V": _projection("v"),
    "Q normed": _normed("q"),
    "K normed": _normed("k"),
    "Q rotated": _rotated("q"),
    "K rotated": _rotated("k"),
    "W": _as_it_stands("W", LEARNED),
    "U": _as_it_stands("U", LEARNED),
    "v": _as_it_stands("v", LEARNED),
    "QW": _transformed,
    "KU": _transformed_key,
    "Kᵀ": _key_column,
    "raw S": _raw,
    "bias": _bias,
    "S": _scaled,
    "mask": _as_it_stands("mask", "1: this query may attend to this key; 0: it may not"),
    "masked S": _masked,
    "A": _weight,
    "Z": _mixed,
}
