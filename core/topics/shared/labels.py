"""Matrices and tables with the names of their rows and columns, and labels of tokens."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

NamedColumns = dict[str, Sequence[str | int | float]]  # a table that holds words beside numbers
UNITS = {"q": "query", "k": "key", "v": "value"}  # which kind of vector each projection makes


class Labelled(NamedTuple):
    """Numbers (R, C) with the names of their rows and columns, as tables and pictures take them."""

    values: np.ndarray
    rows: Sequence[str]
    columns: Sequence[str]


def numbered(count: int) -> list[str]:
    """Return "0", "1", … as labels of `count` positions or dimensions."""
    return [str(number) for number in range(count)]


def with_labels(values: np.ndarray, *rows: str) -> Labelled:
    """Return a matrix (R, C), or one row of numbers (C,) as a matrix, with labels.

    Columns are labelled by number, and so are rows if no names are given.
    """
    matrix = np.atleast_2d(values)
    return Labelled(matrix, rows or numbered(len(matrix)), numbered(matrix.shape[1]))


def numbered_pieces(pieces: Sequence[str]) -> tuple[str, ...]:
    """Return labels that differ from each other: each piece with its position in front, counted from 0."""
    return tuple(f"{position}:{piece}" for position, piece in enumerate(pieces))


def cross_rows(pieces: Sequence[str]) -> tuple[str, ...]:
    """Return labels for the rows of cross-attention, such as "1:Le → chat".

    The query is the token read, "1:Le", and "→ chat" is the token that the model writes after reading it.
    pieces: the pieces that the decoder reads, in order; the last one, which has none after it, keeps its plain label.
    """
    read = numbered_pieces(pieces)
    return tuple(f"{label} → {after}" for label, after in zip(read, pieces[1:], strict=False)) + read[-1:]
