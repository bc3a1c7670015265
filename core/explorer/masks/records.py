"""What the experiments with masks hand to their page. Axes: Q queries, K keys (the same L tokens), N layers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.masks import AFTER, RIGHT, ZERO, empty_rows, largest_elsewhere, telling_keys
from core.tracing.run import TokenRow

COMPARED = (RIGHT, AFTER, ZERO)  # the right way and the two wrong ones that look like it
PADDING = ("hidden", "seen")  # what a batch may do with it
Labelled = tuple[np.ndarray, Sequence[str], Sequence[str]]  # numbers (R, C), and what their rows and columns are called


def stream_names(count: int) -> list[str]:
    """Where a stream of `count` rows is looked at: as it enters, and after each layer."""
    return ["as it enters", *(f"after layer {number}" for number in range(1, count))]


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

    @property
    def patterns(self) -> list[np.ndarray]:
        """The weights (L, L) by each of the ways `COMPARED`."""
        return [self.weights[way] for way in COMPARED]

    @property
    def drawn(self) -> list[np.ndarray]:
        """The same, −∞ where the mask hides a pair; where zeros stand for −∞, hidden pairs have weights to be seen."""
        return [np.where(self.mask | (way == ZERO), self.weights[way], -np.inf) for way in COMPARED]

    def row(self, query: int) -> dict[str, np.ndarray]:
        """One row (L,) of weights by each of the ways `COMPARED`."""
        return {way: self.weights[way][query] for way in COMPARED}

    def telling_keys(self, query: int, most: int) -> np.ndarray:
        """At most `most` keys of a row: those in which the wrong ways differ from the right one, and the heaviest."""
        row = self.row(query)
        return telling_keys(row[RIGHT], row[AFTER] + row[ZERO], self.mask[query], most)

    def bars(self, query: int, most: int) -> tuple[list[np.ndarray], np.ndarray, list[str]]:
        """Of the telling keys of a row: its weights by each way, whether they may be seen, and their labels."""
        keys = self.telling_keys(query, most)
        return (
            [row[keys] for row in self.row(query).values()],
            self.mask[query][keys],
            [self.tokens.labels[n] for n in keys],
        )

    def row_table(self, query: int) -> Labelled:
        """A row key by key, and below it the sums, (L + 1, 5): scores have none, NaN."""
        mask, rows = self.mask[query], list(self.row(query).values())
        columns = np.stack([self.scores[query], mask, *rows], axis=1)
        sums = np.array([[np.nan, mask.sum(), *(row.sum() for row in rows)]])
        names = ["score", "may attend", "−∞ before", "zeros after", "0 for −∞"]
        return np.concatenate([columns, sums]), [*self.tokens.labels, "sum"], names


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

    @property
    def by_layer(self) -> Labelled:
        """`layers` with a name for each row."""
        return self.layers, stream_names(len(self.layers)), self.tokens.labels


@dataclass(frozen=True)
class Leaks:
    """The same leak test under several masks, by their names; chosen: the name of the one looked at."""

    by_mask: dict[str, Leak]
    chosen: str

    @property
    def mine(self) -> Leak:
        """The test of the chosen mask."""
        return self.by_mask[self.chosen]

    @property
    def outputs(self) -> Labelled:
        """What moves in the output, mask by mask (masks, L)."""
        return np.stack([each.final for each in self.by_mask.values()]), list(self.by_mask), self.mine.tokens.labels


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

    @property
    def drawn(self) -> np.ndarray:
        """(L, L) the weights, −∞ where the mask hides a pair in a row that has others."""
        return np.where(self.mask | ~self.mask.any(1, keepdims=True), self.pattern, -np.inf)

    @property
    def by_layer(self) -> Labelled:
        """`broken` as numbers, 1 where it is NaN, with a name for each row."""
        return self.broken.astype(np.float32), stream_names(len(self.broken)), self.tokens.labels


@dataclass(frozen=True)
class Batched:
    """The shorter of two texts alone, and in a batch with the longer one, padded to its length L.

    rows: both texts as they stand in the batch; short: which of them is the shorter, S tokens long. alone (S, S),
    hidden (L, L), seen (L, L): one head's weights for it alone, in the batch with the padding hidden, and without.
    moved_hidden, moved_seen (S,): the largest change of any number in each output vector against the text alone.
    allowed: the mask of each of the three patterns, False = hidden.
    """

    rows: tuple[TokenRow, TokenRow]
    short: int
    alone: np.ndarray
    hidden: np.ndarray
    seen: np.ndarray
    moved_hidden: np.ndarray
    moved_seen: np.ndarray
    allowed: Sequence[np.ndarray]

    @property
    def drawn(self) -> list[np.ndarray]:
        """The weights alone, with the padding hidden, and with it seen; −∞ where a mask hides a pair."""
        patterns = (self.alone, self.hidden, self.seen)
        return [np.where(mask, each, -np.inf) for mask, each in zip(self.allowed, patterns, strict=True)]

    @property
    def padded(self) -> tuple[str, ...]:
        """The labels of the shorter text as it stands in the batch."""
        return self.rows[self.short].labels

    @property
    def own(self) -> tuple[str, ...]:
        """The labels of the shorter text alone."""
        return self.padded[: len(self.alone)]

    @property
    def taken(self) -> np.ndarray:
        """(S,) the weight that each token of the shorter text gives to padding where it is seen."""
        size = len(self.alone)
        return self.seen[:size, size:].sum(1)

    @property
    def moved(self) -> Labelled:
        """How far each output moves with the padding hidden, and with it seen, (2, S)."""
        return np.stack([self.moved_hidden, self.moved_seen]), PADDING, self.own
