"""The letters of a painting (see `core.analysis.mask_painting`) as they are read from an address and painted on."""

from collections.abc import Sequence

import numpy as np

from core.analysis.mask_painting import read, stroke

Stroke = tuple[Sequence[int], bool]


def usable(letters: str) -> tuple[str, str]:
    """The painting and "", or "" and why what is written there is none."""
    letters = letters.strip()
    try:
        read(letters)
    except ValueError as mistake:
        return "", str(mistake)
    return letters, ""


def painted_on(letters: str, base: np.ndarray, strokes: Sequence[Stroke]) -> tuple[str, str]:
    """The painting with strokes on it, and why one of them could not be kept, if any.

    base (L, L): the mask under the painting. A stroke is (cells, may): cells count row by row; may: what it makes them.
    """
    try:
        for cells, may in strokes:
            letters = stroke(letters, base, cells, may)
    except ValueError as mistake:
        return letters, str(mistake)
    return letters, ""


def row_hidden(letters: str, base: np.ndarray, row: int) -> tuple[str, str]:
    """The painting with every key hidden from one query, and why that could not be kept, if so."""
    length = len(base)
    return painted_on(letters, base, [(range(row * length, (row + 1) * length), False)])
