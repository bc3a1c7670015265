"""Reading the letters of a painting (see `core.topics.masks.analysis.painting`) from an address, and painting on it."""

from collections.abc import Sequence

import numpy as np

from core.topics.masks.analysis.painting import decode_painting, stroke

Stroke = tuple[Sequence[int], bool]


def usable(letters: str) -> tuple[str, str]:
    """Return the painting and "", or "" and the reason if the letters are not a painting."""
    letters = letters.strip()
    try:
        decode_painting(letters)
    except ValueError as mistake:
        return "", str(mistake)
    return letters, ""


def painted_on(letters: str, base: np.ndarray, strokes: Sequence[Stroke]) -> tuple[str, str]:
    """Paint strokes; return the painting and "", or the painting before the first stroke that fails and the reason.

    A stroke fails if the text of the painting would be longer than an address can carry, or if `letters` is no
    painting.

    letters: the painting as text.
    base (L, L): the mask under the painting.
    strokes: pairs (cells, may); cells count row by row, and `may` says whether they become open or hidden.
    """
    try:
        for cells, may in strokes:
            letters = stroke(letters, base, cells, may)
    except ValueError as mistake:
        return letters, str(mistake)
    return letters, ""


def row_hidden(letters: str, base: np.ndarray, row: int) -> tuple[str, str]:
    """Hide every key from the query `row`; return the painting and "", or the old painting and the reason.

    It fails if the text of the painting would be longer than an address can carry, or if `letters` is no painting.

    letters: the painting as text.
    base (L, L): the mask under the painting.
    """
    length = len(base)
    return painted_on(letters, base, [(range(row * length, (row + 1) * length), False)])
