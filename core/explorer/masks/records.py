"""What the experiments with masks hand to their page. Axes: Q queries, K keys (the same L tokens), N layers."""

from dataclasses import dataclass

import numpy as np

from core.analysis.masks import AFTER, RIGHT, ZERO, empty_rows, largest_elsewhere, telling_keys
from core.tracing.run import TokenRow

COMPARED = (RIGHT, AFTER, ZERO)  # the right way and the two wrong ones that look like it


@dataclass(frozen=True)
class Painted:
    """A mask on a text. base (L, L): before anything was painted on it; mask: with the painting. True = may attend."""

    tokens: TokenRow
    base: np.ndarray
    mask: np.ndarray

    @property
    def empty_rows(self) -> tuple[int, ...]:
        """The queries that may attend to nothing."""
        return empty_rows(self.mask)


@dataclass(frozen=True)
class MaskedHead(Painted):
    """One head under a mask. pattern (L, L): its weights."""

    pattern: np.ndarray


@dataclass(frozen=True)
class Ways:
    """One head's scores (L, L) and mask, and its weights (L, L) by way (see `core.analysis.masks.weights`).

    The scores are those of the right run; NaN only in the "naive" weights of rows with nothing to attend.
    """

    tokens: TokenRow
    mask: np.ndarray
    scores: np.ndarray
    weights: dict[str, np.ndarray]

    def row(self, query: int) -> dict[str, np.ndarray]:
        """One row (L,) of weights by each of the ways `COMPARED`."""
        return {way: self.weights[way][query] for way in COMPARED}

    def telling_keys(self, query: int, most: int) -> np.ndarray:
        """At most `most` keys of a row: those in which the wrong ways differ from the right one, and the heaviest."""
        row = self.row(query)
        return telling_keys(row[RIGHT], row[AFTER] + row[ZERO], self.mask[query], most)


@dataclass(frozen=True)
class Leak:
    """What moves when token `at` becomes the token `piece`.

    layers (N + 1, L): the largest change of any number in each position's vector, as it enters and after each layer;
    final (L,): of the output, after a last norm where there is one. reached (N + 1, L): where the mask lets it come.
    """

    tokens: TokenRow
    at: int
    piece: str
    layers: np.ndarray
    final: np.ndarray
    reached: np.ndarray

    def elsewhere(self, changes: np.ndarray) -> float | None:
        """The largest of some changes (R, L) at another token than the changed one; None where nothing else moves."""
        return largest_elsewhere(changes, self.at)


@dataclass(frozen=True)
class Emptied:
    """Rows with nothing to attend, and what a softmax without care makes of them.

    rows: those queries; pattern, naive (L, L): one head's weights; broken (N + 1, L): where the stream holds NaN, as
    it enters and after each layer, when every head of every layer takes a plain softmax; largest: the largest |number|
    in the right run's output.
    """

    tokens: TokenRow
    mask: np.ndarray
    rows: tuple[int, ...]
    pattern: np.ndarray
    naive: np.ndarray
    broken: np.ndarray
    largest: float


@dataclass(frozen=True)
class Batched:
    """The shorter of two texts alone, and in a batch with the longer one, padded to its length L.

    rows: both texts as they stand in the batch; short: which of them is the shorter, S tokens long. alone (S, S),
    hidden (L, L), seen (L, L): one head's weights for it alone, in the batch with the padding hidden, and without.
    moved_hidden, moved_seen (S,): the largest change of any number in each output vector against the text alone.
    """

    rows: tuple[TokenRow, TokenRow]
    short: int
    alone: np.ndarray
    hidden: np.ndarray
    seen: np.ndarray
    moved_hidden: np.ndarray
    moved_seen: np.ndarray
