"""Frozen records of the journey for its page: numpy arrays on the CPU, without the batch axis.

Axes: Q queries, K keys, H heads.
"""

from dataclasses import dataclass

import numpy as np

from core.topics.shared.places import HeadAddress
from core.tracing.run import TokenRow


@dataclass(frozen=True)
class Stage:
    """One stop of the journey: the tensor at `key`, one of the core's sites.

    values: its first rows and columns.
    shape: the shape of the whole tensor.
    axes: the letters of its rows and columns.
    """

    key: str
    values: np.ndarray
    shape: tuple[int, ...]
    axes: tuple[str, ...]
    sentence: str

    @property
    def part(self) -> str:
        """The name of the part of the tensor that `values` holds, such as "first 64 columns"; "" if it is all of it."""
        rows, columns = self.values.shape
        if (rows, columns) == self.shape:
            return ""
        if rows == self.shape[0]:
            return f"first {columns} columns"
        return f"first {rows} rows" if columns == self.shape[1] else f"first {rows} × {columns}"


@dataclass(frozen=True)
class Journey:
    """All tensors of one text on its way through one layer, from pieces to output.

    stages: the tensors by name. Names are those of the sites, and "entered" (the input of the first layer), "stream"
        (to which this attention's output is added) and, in cross-attention, "memory" (from which keys and values are
        made).
    patterns (H, Q, K): the weights of every head, cut like the stages.
    hidden_pairs: number of pairs of query and key in the whole pattern that the mask hides.
    empty_rows: number of queries in the whole pattern that may attend to nothing.
    weights: the whole pattern of the head.
    last: the token after which `next_pieces` come.
    next_pieces: the likeliest next tokens, with their probabilities; empty for an encoder.
    """

    place: HeadAddress
    tokens: TokenRow
    keys: TokenRow
    stages: dict[str, Stage]
    patterns: np.ndarray
    hidden_pairs: int
    empty_rows: int
    weights: np.ndarray
    last: int
    next_pieces: tuple[tuple[str, float], ...]

    @property
    def allowed(self) -> np.ndarray:
        """Booleans (Q, K), False where the mask hides a pair, cut like the stages."""
        return ~np.isneginf(self.stages["masked_scores"].values)

    def drawn(self, weights: np.ndarray) -> np.ndarray:
        """Return weights (Q, K), with −∞ where the mask hides a pair."""
        return np.where(self.allowed, weights, -np.inf)

    def labels(self, axis: str, count: int) -> tuple[str, ...]:
        """Return the labels of the first `count` rows or columns of an axis; empty if they are numbers of a vector."""
        row = {"L": self.tokens, "Q": self.tokens, "K": self.keys}.get(axis)
        return tuple(row.labels[:count]) if row else ()
