"""What a screen may do to a pattern to make it easier to read, in one order: hide, merge, threshold."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.aggregate import hide_and_renormalise, merge_words, threshold


@dataclass(frozen=True)
class Treatment:
    """hide: keys to take out, their rows then divided by what is left. merge: pieces into words. least: the weight
    below which a cell is not shown, in [0, 1]."""

    hide: tuple[int, ...] = ()
    merge: bool = False
    least: float = 0.0


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a pattern: a label for each piece, the word it belongs to, and a label for each word."""

    labels: Sequence[str]
    words: Sequence[int]
    word_labels: Sequence[str]

    def names(self, merged: bool) -> tuple[str, ...]:
        """Labels that differ from each other: of the pieces, or numbered ones of the words."""
        if merged:
            return tuple(f"{number}:{label}" for number, label in enumerate(self.word_labels))
        return tuple(self.labels)

    def row_of(self, piece: int, merged: bool) -> int:
        """The row where a piece is found."""
        return self.words[piece] if merged else piece

    def first_piece(self, row: int, merged: bool) -> int:
        """The first piece that a row stands for."""
        return self.words.index(row) if merged else row


@dataclass(frozen=True, eq=False)
class Treated:
    """pattern (..., Q, K) with the labels of its rows and columns, and what was done to it.

    whole: the pattern before small weights were hidden. pieces: the labels of the keys before they were merged.
    below: the share of all weight that was hidden as too small, in [0, 1].
    """

    pattern: np.ndarray
    whole: np.ndarray
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    treatment: Treatment
    pieces: tuple[str, ...]
    below: float


def treat(pattern: np.ndarray, queries: Side, keys: Side, treatment: Treatment) -> Treated:
    """Patterns (..., Q, K), one or of several heads, with a treatment applied."""
    if treatment.hide:
        pattern = hide_and_renormalise(pattern, treatment.hide)
    if treatment.merge:
        merged = merge_words(pattern, queries.words, keys.words)
        pattern = np.minimum(merged, 1)  # a row in bfloat16 may sum to a little over 1
    whole, below = pattern, 0.0
    if treatment.least > 0:
        pattern, below = threshold(pattern, treatment.least)
    rows, columns = (side.names(treatment.merge) for side in (queries, keys))
    return Treated(pattern, whole, rows, columns, treatment, tuple(keys.labels), below)
