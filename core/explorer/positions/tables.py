"""Numbers with the labels of their rows and columns."""

from collections.abc import Sequence

import numpy as np

Labelled = tuple[np.ndarray, Sequence[str], Sequence[str]]


def numbered(count: int) -> list[str]:
    """Return "0", "1", … as labels of `count` positions or dimensions."""
    return [str(number) for number in range(count)]


def with_labels(values: np.ndarray, *rows: str) -> Labelled:
    """Return a matrix (R, C), or one row of numbers (C,) as a matrix, with labels.

    Columns are labelled by number, and so are rows if no names are given.
    """
    matrix = np.atleast_2d(values)
    return matrix, rows or numbered(len(matrix)), numbered(matrix.shape[1])
