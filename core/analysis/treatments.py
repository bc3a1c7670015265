"""The changes that make a pattern easier to read, always in one order: hide, merge, threshold."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.aggregate import hide_and_renormalise, merge_words, threshold


@dataclass(frozen=True)
class Treatment:
    """The changes that a visitor makes to a pattern before it is shown, such as a threshold or merged words.

    hide: keys to remove; their rows are then divided by the weight that is left.
    merge: whether pieces are merged into words.
    min_weight: the weight below which a cell is not shown, in [0, 1].
    """

    hide: tuple[int, ...] = ()
    merge: bool = False
    min_weight: float = 0.0


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a pattern: a label for each piece, the word it belongs to, and a label for each word."""

    labels: Sequence[str]
    words: Sequence[int]
    word_labels: Sequence[str]

    def names(self, merged: bool) -> tuple[str, ...]:
        """Return a label for each row or column of the pattern; all differ.

        merged: whether they are words, which are numbered; otherwise they are pieces.
        """
        if merged:
            return tuple(f"{number}:{label}" for number, label in enumerate(self.word_labels))
        return tuple(self.labels)

    def row_of(self, piece: int, merged: bool) -> int:
        """Return the row of the pattern that contains a piece.

        merged: whether a row is a word; otherwise it is a piece.
        """
        return self.words[piece] if merged else piece

    def first_piece(self, row: int, merged: bool) -> int:
        """Return the first piece that a row of the pattern contains.

        merged: whether a row is a word; otherwise it is a piece.
        """
        return self.words.index(row) if merged else row


@dataclass(frozen=True, eq=False)
class Treated:
    """A pattern (..., Q, K) after a treatment, with the labels of its rows and columns.

    whole: the pattern before small weights were hidden.
    queries, keys: the labels.
    pieces: the labels of the keys before they were merged.
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
    """Apply a treatment to patterns (..., Q, K), of one or several heads."""
    if treatment.hide:
        pattern = hide_and_renormalise(pattern, treatment.hide)
    if treatment.merge:
        merged = merge_words(pattern, queries.words, keys.words)
        pattern = np.minimum(merged, 1)  # a row in bfloat16 may sum to a little over 1
    whole, below = pattern, 0.0
    if treatment.min_weight > 0:
        pattern, below = threshold(pattern, treatment.min_weight)
    rows, columns = (side.names(treatment.merge) for side in (queries, keys))
    return Treated(pattern, whole, rows, columns, treatment, tuple(keys.labels), below)
