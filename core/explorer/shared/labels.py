"""Numbers that bear the names of their rows and columns, and the names of tokens."""

from collections.abc import Sequence

import numpy as np

LabelledMatrix = tuple[np.ndarray, Sequence[str], Sequence[str]]  # numbers (R, C), R names of rows, C of columns
NamedColumns = dict[str, Sequence[str | int | float]]  # a table that holds words beside numbers
UNITS = {"q": "query", "k": "key", "v": "value"}  # what the numbers of a projection are


def numbered_pieces(pieces: Sequence[str]) -> tuple[str, ...]:
    """Labels that differ from each other: each piece with its place, counted from 0."""
    return tuple(f"{place}:{piece}" for place, piece in enumerate(pieces))


def cross_rows(pieces: Sequence[str]) -> tuple[str, ...]:
    """The rows of cross-attention: the query is the token read, "1:Le", and "→ chat" is what is written from there.

    pieces: what the decoder reads, in order; a token with none behind it keeps its own label.
    """
    read = numbered_pieces(pieces)
    return tuple(f"{label} → {after}" for label, after in zip(read, pieces[1:], strict=False)) + read[-1:]
