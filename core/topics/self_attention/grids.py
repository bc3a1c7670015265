"""The matrices of one head by name, with the meaning of their rows and columns."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.topics.self_attention.records import HeadRecord
from core.topics.shared.labels import UNITS

Labels = tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """One matrix (R, C): its values, a title, labels and the meaning of rows and columns.

    scale: "signed", "weight" or "mask".
    tint: "q", "k", "v" or None.
    allowed (R, C): False = hidden by a mask.
    unit: the name of the numbers, if the scale does not say it.
    """

    values: np.ndarray
    title: str
    rows: Labels
    cols: Labels
    row_axis: str
    col_axis: str
    scale: str = "signed"
    tint: str | None = None
    allowed: np.ndarray | None = None
    unit: str = ""

    @property
    def drawn(self) -> tuple[str, np.ndarray, Labels, Labels, str, str, str, None, str | None]:
        """The arguments of the drawing.

        These are the title, the values (−∞ if hidden), the labels of rows and columns, their axes, the scale, None as
        its limit, and the tint.
        """
        values = self.values if self.allowed is None else np.where(self.allowed, self.values, -np.inf)
        labels, axes = (self.rows, self.cols), (self.row_axis, self.col_axis)
        return self.title, values, *labels, *axes, self.scale, None, self.tint


def _dims(letter: str, count: int) -> tuple[str, ...]:
    return tuple(f"{letter}{number}" for number in range(count))


def _projected(values: np.ndarray, title: str, tokens: tuple[str, ...], letter: str) -> Grid:
    axis = "queries" if letter == "q" else "keys"
    width = "d_v numbers" if letter == "v" else "d_k numbers"
    return Grid(values, title, tokens, _dims(letter, values.shape[1]), axis, width, tint=letter, unit=UNITS[letter])


def _weight(values: np.ndarray, title: str, letter: str) -> Grid:
    width = "d_v numbers" if letter == "v" else "d_k numbers"
    rows, cols = _dims("x", len(values)), _dims(letter, values.shape[1])
    return Grid(values, title, rows, cols, "d_model numbers", width, tint=letter, unit="parameter")


def _square(values: np.ndarray, title: str, record: HeadRecord, scale: str = "signed") -> Grid:
    return Grid(
        values,
        title,
        record.queries.labels,
        record.keys.labels,
        "queries",
        "keys",
        scale,
        unit="score" * (scale == "signed"),
    )


def _input(values: np.ndarray, title: str, tokens: tuple[str, ...]) -> Grid:
    return Grid(values, title, tokens, _dims("x", values.shape[1]), "tokens", "d_model numbers", unit="vector")


def _left(record: HeadRecord) -> Grid:
    _given(record.parts.w)
    title = "Q W" if record.parts.kind == "general" else "Q Wᵀ"
    return _projected(record.parts.left, title, record.queries.labels, "q")


def _right(record: HeadRecord) -> Grid:
    _given(record.parts.u)
    return _projected(record.parts.right, "K Uᵀ", record.keys.labels, "k")


def _transposed_keys(record: HeadRecord) -> Grid:
    keys = _given(None if record.parts.kind == "additive" else record.parts.right).T
    title = f"Kᵀ{record.scored}: keys as columns"
    return Grid(keys, title, _dims("k", len(keys)), record.keys.labels, "d_k numbers", "keys", tint="k", unit="key")


def _score_vector(record: HeadRecord) -> Grid:
    v = _given(record.parts.v)
    return Grid(v[None, :], "v", ("v",), _dims("v", len(v)), "", "d_k numbers", unit="parameter")


def _score_matrix(values: np.ndarray | None, title: str, letter: str) -> Grid:
    names = _dims(letter, len(_given(values)))
    return Grid(_given(values), title, names, names, "d_k numbers", "d_k numbers", tint=letter, unit="parameter")


def _scores_title(record: HeadRecord) -> str:
    scaled = "scaled" if record.parts.kind == "scaled_dot" else "not scaled"
    with_bias = {"alibi": ", with ALiBi", "relative": ", with relative positions"}
    return f"S: {scaled}" + (with_bias[record.parts.positions] if record.parts.bias is not None else "")


def _bias_title(record: HeadRecord) -> str:
    return {"alibi": "ALiBi bias"}.get(record.parts.positions, "relative bias")


def _weights_title(record: HeadRecord) -> str:
    total = "1" if record.sink is None else "less than 1"
    return f"A: weights, rows sum to {total}" + ("" if record.mask.any(1).all() else " (or 0: nothing to attend to)")


MAKERS: dict[str, Callable[[HeadRecord], Grid]] = {
    "X": lambda r: _input(r.x, "X: one row a token", r.queries.labels),
    "M": lambda r: _input(_given(r.memory if r.place.cross else None), "M: the encoder's output", r.keys.labels),
    "W_Q": lambda r: _weight(r.w_q, "W_Q: makes queries", "q"),
    "W_K": lambda r: _weight(r.w_k, "W_K: makes keys", "k"),
    "W_V": lambda r: _weight(r.w_v, "W_V: makes values", "v"),
    "Q": lambda r: _projected(r.q, "Q: queries", r.queries.labels, "q"),
    "K": lambda r: _projected(r.k, "K: keys", r.keys.labels, "k"),
    "V": lambda r: _projected(r.v, "V: values", r.keys.labels, "v"),
    "Q normed": lambda r: _projected(
        _given(r.normed.q if r.normed else None), "Q normed: queries", r.queries.labels, "q"
    ),
    "K normed": lambda r: _projected(_given(r.normed.k if r.normed else None), "K normed: keys", r.keys.labels, "k"),
    "Q rotated": lambda r: _projected(_given(r.q_rotated), "Q rotated: queries", r.queries.labels, "q"),
    "K rotated": lambda r: _projected(_given(r.k_rotated), "K rotated: keys", r.keys.labels, "k"),
    "W": lambda r: _score_matrix(r.parts.w, "W", "q"),
    "U": lambda r: _score_matrix(r.parts.u, "U", "k"),
    "QW": _left,
    "KU": _right,
    "v": _score_vector,
    "Kᵀ": _transposed_keys,
    "raw S": lambda r: _square(r.raw, "S_raw: before scaling", r),
    "bias": lambda r: _square(_given(r.parts.bias), _bias_title(r), r),
    "S": lambda r: _square(r.scores, _scores_title(r), r),
    "mask": lambda r: _square(r.mask.astype(np.float32), "mask: 1 may attend", r, "mask"),
    "masked S": lambda r: _square(r.masked, "S_masked: hidden scores are −∞", r),
    "A": lambda r: replace(_square(r.pattern, _weights_title(r), r, "weight"), allowed=r.mask),
    "Z": lambda r: Grid(
        r.z,
        "Z: values, mixed",
        r.queries.labels,
        _dims("z", r.z.shape[1]),
        "queries",
        "d_v numbers",
        tint="v",
        unit="mix",
    ),
}


def grid(record: HeadRecord, name: str) -> Grid:
    """Return the matrix called `name`; ValueError, which lists the existing names, if there is none."""
    if name not in MAKERS:
        raise ValueError(f"no matrix {name!r}; there are {', '.join(MAKERS)}")
    return MAKERS[name](record)


def telling_row(record: HeadRecord, name: str) -> int:
    """Return the row that is selected at first in the matrix called `name`.

    It is the row of the query with the most informative link, or of the key that this query attends to. If rows are
    numbers of a vector, it is the one with the largest |number|.
    """
    shown, (query, key) = grid(record, name), record.telling
    row_of_axis = {"queries": query, "keys": key, "tokens": key if name == "M" else query}
    return row_of_axis.get(shown.row_axis, int(np.abs(shown.values).max(1).argmax()))


def telling_column(record: HeadRecord, name: str, row: int) -> int:
    """Return the column that is selected at first in a row of the matrix called `name`.

    It is the key that the row's query looks at most. If columns are numbers of a vector, it is the largest |number| of
    the row.
    """
    return telling_columns(record, name)[row]


def telling_columns(record: HeadRecord, name: str) -> tuple[int, ...]:
    """Return `telling_column` of every row."""
    shown = grid(record, name)
    if shown.col_axis == "keys" and shown.row_axis != "queries":
        return (record.telling[1],) * len(shown.values)
    by_size = record.pattern if shown.col_axis == "keys" else np.abs(shown.values)
    return tuple(map(int, by_size.argmax(1)))


def _given(values: np.ndarray | None) -> np.ndarray:
    if values is None:
        raise ValueError("this head has no such matrix: that depends on positions, score and kind of attention")
    return values
