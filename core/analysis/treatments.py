"""What a screen may do to a pattern to make it easier to read, in one order: hide, merge, threshold."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.aggregate import hide_and_renormalise, merge_words, threshold
from core.readings.patterns import percent, quoted


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
    """pattern (..., Q, K) with the labels of its rows and columns, and one sentence for each thing done to it.

    whole: the pattern before small weights were hidden. state: the same in a few words, for the picture's title.
    """

    pattern: np.ndarray
    whole: np.ndarray
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    done: tuple[str, ...]
    state: str


def treat(pattern: np.ndarray, queries: Side, keys: Side, treatment: Treatment) -> Treated:
    """Patterns (..., Q, K), one or of several heads, with a treatment applied."""
    done, state = [], []
    if treatment.hide:
        pattern = hide_and_renormalise(pattern, treatment.hide)
        done.append(_hidden(treatment.hide, keys.labels))
        state.append(f"{len(treatment.hide)} of {len(keys.labels)} keys hidden")
    if treatment.merge:
        merged = merge_words(pattern, queries.words, keys.words)
        pattern = np.minimum(merged, 1)  # a row in bfloat16 may sum to a little over 1
        done.append("Pieces are merged into words: summed over a key's pieces, averaged over a query's.")
        state.append("words")
    whole = pattern
    if treatment.least > 0:
        pattern, share = threshold(pattern, treatment.least)
        done.append(
            f"Weights below {100 * treatment.least:g}% are hidden: {percent(share)} of all weight. Rows sum to less."
        )
        state.append(f"weights below {100 * treatment.least:g}% hidden")
    sums = "rows sum to 1" if whole.any(-1).all() else "rows sum to 1; those that may attend to nothing are zeros"
    return Treated(
        pattern,
        whole,
        queries.names(treatment.merge),
        keys.names(treatment.merge),
        tuple(done),
        ", ".join(state) or sums,
    )


def _hidden(keys: Sequence[int], labels: Sequence[str], most: int = 6) -> str:
    named = ", ".join(quoted(labels[key]) for key in keys[:most])
    more = f" and {len(keys) - most} more" if len(keys) > most else ""
    left = "Each row is divided by what is left, so it sums to 1 again; a row with nothing left is all zeros."
    return f"Hidden as keys: {named}{more}. {left}"
