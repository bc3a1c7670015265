"""What the journey hands to its page: frozen records of numpy arrays on the CPU, without the batch axis.

Axes: Q queries, K keys, H heads.
"""

from dataclasses import dataclass

import numpy as np

from core.explorer.shared.places import Place
from core.tracing.run import TokenRow


@dataclass(frozen=True)
class Stage:
    """One stop of the journey: the tensor at `key`, one of the core's sites.

    values: its first rows and columns; shape: its whole shape; axes: the letters of its rows and columns.
    """

    key: str
    values: np.ndarray
    shape: tuple[int, ...]
    axes: tuple[str, ...]
    sentence: str

    @property
    def part(self) -> str:
        """What of the whole tensor `values` are: "first 64 columns"; "" where they are all of it."""
        rows, columns = self.values.shape
        if (rows, columns) == self.shape:
            return ""
        if rows == self.shape[0]:
            return f"first {columns} columns"
        return f"first {rows} rows" if columns == self.shape[1] else f"first {rows} × {columns}"


@dataclass(frozen=True)
class Journey:
    """One text from pieces to output through one layer: its stages by name.

    Names are those of the sites, and "entered" (what enters the first layer), "stream" (what this attention's output
    is added to) and, in cross-attention, "memory" (what keys and values are made from). patterns (H, Q, K): the
    weights of every head, cut like the stages. hidden_pairs: how many pairs of query and key the mask hides, and
    empty_rows: how many queries it leaves nothing, both of the whole pattern. readings: what the head's whole pattern
    shows. next_pieces: the likeliest tokens after token `last`, with their probabilities; empty for an encoder.
    """

    place: Place
    tokens: TokenRow
    keys: TokenRow
    stages: dict[str, Stage]
    patterns: np.ndarray
    hidden_pairs: int
    empty_rows: int
    readings: tuple[str, ...]
    last: int
    next_pieces: tuple[tuple[str, float], ...]

    @property
    def allowed(self) -> np.ndarray:
        """(Q, K) False where the mask hides a pair, cut like the stages."""
        return ~np.isneginf(self.stages["masked_scores"].values)

    def drawn(self, weights: np.ndarray) -> np.ndarray:
        """Weights (Q, K), −∞ where the mask hides a pair."""
        return np.where(self.allowed, weights, -np.inf)

    def labels(self, axis: str, count: int) -> tuple[str, ...]:
        """The labels of the first `count` rows or columns of an axis; none where they are numbers of a vector."""
        row = {"L": self.tokens, "Q": self.tokens, "K": self.keys}.get(axis)
        return tuple(row.labels[:count]) if row else ()
