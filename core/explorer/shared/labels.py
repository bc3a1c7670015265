"""Numbers that bear the names of their rows and columns, and the names of tokens."""

from collections.abc import Sequence

import numpy as np

LabelledMatrix = tuple[np.ndarray, Sequence[str], Sequence[str]]  # numbers (R, C), R names of rows, C of columns
NamedColumns = dict[str, Sequence[str | int | float]]  # a table that holds words beside numbers


def numbered_pieces(pieces: Sequence[str]) -> tuple[str, ...]:
    """Labels that differ from each other: each piece with its place, counted from 0."""
    return tuple(f"{place}:{piece}" for place, piece in enumerate(pieces))
