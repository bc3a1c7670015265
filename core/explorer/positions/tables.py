"""Numbers with the labels of their rows and columns."""

from collections.abc import Sequence

import numpy as np

Labelled = tuple[np.ndarray, Sequence[str], Sequence[str]]


def numbered(count: int) -> list[str]:
    """Labels of so many positions or dimensions."""
    return [str(number) for number in range(count)]


def with_labels(values: np.ndarray, *rows: str) -> Labelled:
    """A matrix (R, C), or one row of numbers (C,), with the labels of its rows and columns: the numbers of the columns,
    and those of the rows too where they have no names."""
    matrix = np.atleast_2d(values)
    return matrix, rows or numbered(len(matrix)), numbered(matrix.shape[1])
