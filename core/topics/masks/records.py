"""The results of the experiments with masks. Axes: Q queries, K keys (the same L tokens), N layers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.topics.masks.analysis.masks import RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE, empty_rows, telling_keys
from core.topics.shared.labels import Labelled
from core.topics.shared.masked_run import stream_names
from core.topics.shared.token_change import TokenChange
from core.tracing.run import TokenRow

COMPARED_WAYS = (RIGHT_WAY, ZEROS_AFTER, ZEROS_BEFORE)  # the right way and the two wrong ones that look like it
PADDING = ("hidden", "seen")  # the two treatments of padding in a batch


@dataclass(frozen=True)
class Painted:
    """A mask on a text; True = may attend.

    base (L, L): the mask before anything was painted on it.
    mask (L, L): the mask with the painted cells.
    """

    tokens: TokenRow
    base: np.ndarray
    mask: np.ndarray

    @property
    def empty_rows(self) -> tuple[int, ...]:
        """The queries that may attend to nothing."""
        return empty_rows(self.mask)


@dataclass(frozen=True)
class Ways:
    """One head's attention weights under the right way to apply a mask and under wrong ways.

    scores (L, L): the scores of the right run, from which all weights are computed.
    weights: (L, L) by the name of the way; see `analysis.masks.weights` of this topic. Only the "naive" weights of rows
        with nothing to attend are NaN.
    """

    tokens: TokenRow
    mask: np.ndarray
    scores: np.ndarray
    weights: dict[str, np.ndarray]

    @property
    def patterns(self) -> list[np.ndarray]:
        """The weights (L, L) in each of the ways `COMPARED_WAYS`."""
        return [self.weights[way] for way in COMPARED_WAYS]

    @property
    def drawn(self) -> list[np.ndarray]:
        """The weights (L, L) in each of the ways `COMPARED_WAYS`, with −∞ in the pairs that the mask hides.

        The way of masking `ZEROS_BEFORE` puts a score of 0 in place of −∞, so that hidden pairs get weights; there no
        pair is set to −∞.
        """
        return [np.where(self.mask | (way == ZEROS_BEFORE), self.weights[way], -np.inf) for way in COMPARED_WAYS]

    def row(self, query: int) -> dict[str, np.ndarray]:
        """Return one row (L,) of weights in each of the ways `COMPARED_WAYS`."""
        return {way: self.weights[way][query] for way in COMPARED_WAYS}

    def telling_keys(self, query: int, max_keys: int) -> np.ndarray:
        """Return at most `max_keys` of a row: hidden ones with large wrong weights, and the heaviest others."""
        row = self.row(query)
        return telling_keys(row[RIGHT_WAY], row[ZEROS_AFTER] + row[ZEROS_BEFORE], self.mask[query], max_keys)

    def bars(self, query: int, max_keys: int) -> tuple[list[np.ndarray], np.ndarray, list[str]]:
        """Return one query's weights on the keys that `telling_keys` chooses: an array for each way of masking.

        Return also whether each of these keys may be attended to, and their labels.
        """
        keys = self.telling_keys(query, max_keys)
        return (
            [row[keys] for row in self.row(query).values()],
            self.mask[query][keys],
            [self.tokens.labels[n] for n in keys],
        )

    def row_table(self, query: int) -> Labelled:
        """Return a row key by key with its sums below, (L + 1, 5), and labels; the sum of the scores is NaN."""
        mask, rows = self.mask[query], list(self.row(query).values())
        columns = np.stack([self.scores[query], mask, *rows], axis=1)
        sums = np.array([[np.nan, mask.sum(), *(row.sum() for row in rows)]])
        names = ["score", "may attend", "−∞ before", "zeros after", "0 for −∞"]
        return Labelled(np.concatenate([columns, sums]), [*self.tokens.labels, "sum"], names)


@dataclass(frozen=True)
class Leaks:
    """The results of one leak test under several masks, by the masks' names.

    chosen: the name of the mask that is shown.
    """

    by_mask: dict[str, TokenChange]
    chosen: str

    @property
    def mine(self) -> TokenChange:
        """The result of the test under the chosen mask."""
        return self.by_mask[self.chosen]

    @property
    def outputs(self) -> Labelled:
        """The changes of the output under each mask, (masks, L), with labels."""
        return Labelled(
            np.stack([leak.final for leak in self.by_mask.values()]), list(self.by_mask), self.mine.tokens.labels
        )


@dataclass(frozen=True)
class Emptied:
    """Queries that may attend to nothing, and the NaN that a plain softmax would spread from them.

    rows: those queries.
    pattern, naive (L, L): one head's weights, as they are computed here, without NaN, and with a plain softmax.
    broken (N + 1, L): where the stream holds NaN, as it enters and after each layer, when every head of every layer
    takes a plain softmax.
    largest: the largest |number| in the output of the run without NaN.
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
        """The weights (L, L), −∞ where the mask hides a pair, except in rows in which everything is hidden."""
        return np.where(self.mask | ~self.mask.any(1, keepdims=True), self.pattern, -np.inf)

    @property
    def by_layer(self) -> Labelled:
        """The array `broken` as numbers, 1 for NaN, with a label for each row."""
        return Labelled(self.broken.astype(np.float32), stream_names(len(self.broken)), self.tokens.labels)


@dataclass(frozen=True)
class Batched:
    """The shorter of two texts alone, and in a batch with the longer one, padded to its length L.

    rows: both texts as they are in the batch.
    short: which of them is the shorter, S tokens long.
    alone (S, S), hidden (L, L), seen (L, L): one head's weights for it alone, in the batch with the padding hidden, and
    with the padding seen.
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
        return [np.where(mask, pattern, -np.inf) for mask, pattern in zip(self.allowed, patterns, strict=True)]

    @property
    def padded(self) -> tuple[str, ...]:
        """The labels of the shorter text with its padding in the batch."""
        return self.rows[self.short].labels

    @property
    def own(self) -> tuple[str, ...]:
        """The labels of the shorter text alone."""
        return self.padded[: len(self.alone)]

    @property
    def taken(self) -> np.ndarray:
        """The weight that each token of the shorter text gives to the padding if it is not hidden, (S,)."""
        size = len(self.alone)
        return self.seen[:size, size:].sum(1)

    @property
    def most_taken(self) -> int:
        """The number of the token that gives most weight to the padding; of the last one if none gives any."""
        return int(self.taken.argmax()) if self.taken.any() else len(self.alone) - 1

    @property
    def moved(self) -> Labelled:
        """The largest change in each output vector with the padding hidden and not hidden, (2, S), with labels."""
        return Labelled(np.stack([self.moved_hidden, self.moved_seen]), PADDING, self.own)

    @property
    def table(self) -> Labelled:
        """The rows of `moved`, above the weight that each token gives to the padding, (3, S)."""
        values, rows, columns = self.moved
        return Labelled(np.vstack([values, self.taken]), (*rows, "weight given to it"), columns)
