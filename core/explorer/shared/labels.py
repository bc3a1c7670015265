"""Matrices and tables with the names of their rows and columns, and labels of tokens."""

from collections.abc import Sequence

import numpy as np

LabelledMatrix = tuple[np.ndarray, Sequence[str], Sequence[str]]  # numbers (R, C), R row names, C column names
NamedColumns = dict[str, Sequence[str | int | float]]  # a table that holds words beside numbers
UNITS = {"q": "query", "k": "key", "v": "value"}  # which kind of vector each projection makes


def numbered_pieces(pieces: Sequence[str]) -> tuple[str, ...]:
    """Return labels that differ from each other: each piece with its position in front, counted from 0."""
    return tuple(f"{place}:{piece}" for place, piece in enumerate(pieces))


def cross_rows(pieces: Sequence[str]) -> tuple[str, ...]:
    """Return labels for the rows of cross-attention, such as "1:Le → chat".

    The query is the token read, "1:Le", and "→ chat" is the token that the model writes after reading it.
    pieces: the pieces that the decoder reads, in order; the last one, which has none after it, keeps its plain label.
    """
    read = numbered_pieces(pieces)
    return tuple(f"{label} → {after}" for label, after in zip(read, pieces[1:], strict=False)) + read[-1:]
