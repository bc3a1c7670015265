"""Predicts hidden pieces by counts alone, as baselines that a masked language model has to beat."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.text.special import MASK, PAD
from core.training.packing import PackedRows

CHUNK = 512  # positions whose probabilities for all pieces are held at once


@dataclass(frozen=True, eq=False)
class Counts:
    """The counts of each piece in the training rows, (V,), and of each piece followed by each other, (V, V)."""

    single: np.ndarray
    pairs: np.ndarray

    @cached_property
    def alone(self) -> np.ndarray:
        """The probability of each piece alone (V,): p(w) = (c(w) + 1) / (N + V)."""
        return (self.single + 1) / (self.single.sum() + len(self.single))

    @cached_property
    def followers(self) -> tuple[np.ndarray, np.ndarray]:
        """The number of pairs that each piece begins, c(b·), and of different ones, T(b), (V,) each."""
        return self.pairs.sum(1), (self.pairs > 0).sum(1)

    def after(self, before: np.ndarray) -> np.ndarray:
        """Return p(w | b) = (c(bw) + T(b) p(w)) / (c(b·) + T(b)), (n, V), for the n pieces b of `before`.

        It is p(w) if b was never followed. Witten & Bell 1991, in the form of Chen & Goodman 1999, section 2.6.
        """
        counts, kinds = (statistic[before, None] for statistic in self.followers)  # (n, 1)
        mixed = (self.pairs[before] + kinds * self.alone) / np.maximum(counts + kinds, 1)
        return np.where(kinds > 0, mixed, self.alone)

    def ahead(self, after: np.ndarray) -> np.ndarray:
        """Return p(a | w) for the n pieces a of `after` and every w, (n, V), by the same formula.

        It is 1 if a is hidden, or if there is no piece.
        """
        counts, kinds = self.followers
        alone = self.alone[after, None]  # (n, 1)
        mixed = (self.pairs.take(after, axis=1).T + kinds * alone) / np.maximum(counts + kinds, 1)
        known = ~np.isin(after, (PAD, MASK))[:, None]
        return np.where(known, np.where(kinds > 0, mixed, alone), 1.0)


def count_pieces(rows: PackedRows, vocabulary: int) -> Counts:
    """Count the pieces and the pairs of all rows; two pieces in different rows are no pair."""
    ids = rows.ids.astype(np.int64)
    codes = np.delete(ids[:-1] * vocabulary + ids[1:], rows.edges[1:-1] - 1)
    pairs = np.bincount(codes, minlength=vocabulary**2).reshape(vocabulary, vocabulary)
    return Counts(np.bincount(ids, minlength=vocabulary), pairs.astype(np.int32))


def baseline_scores(counts: Counts, tables: list[tuple[np.ndarray, np.ndarray]]) -> dict[str, float]:
    """Return the accuracy (percent) and the loss (nats per piece) of three ways to predict hidden pieces.

    tables: the pieces that are read and those to predict, (B, L) each.

    The ways are unigram: p(w); bigram: p(w | b), b the piece before; and both_sides: p(w | b, a) ∝ p(w | b) p(a | w), a
    the piece after. At the ends of a row, and beside a hidden piece, that side gives no information.
    """
    right: dict[str, int] = {}
    loss: dict[str, float] = {}
    predicted = 0
    for before, gold, after in _places(tables):
        predicted += len(gold)
        for name, probabilities in _probabilities(counts, before, after).items():
            right[name] = right.get(name, 0) + int((probabilities.argmax(1) == gold).sum())
            loss[name] = loss.get(name, 0.0) - float(np.log(probabilities[np.arange(len(gold)), gold]).sum())
    accuracies = {f"{name}_accuracy": round(100 * value / predicted, 2) for name, value in right.items()}
    return accuracies | {f"{name}_loss": round(value / predicted, 4) for name, value in loss.items()}


def _probabilities(counts: Counts, before: np.ndarray, after: np.ndarray) -> dict[str, np.ndarray]:
    """Return the probabilities of each way for each position, (n, V)."""
    bigram = counts.after(before)
    both = bigram * counts.ahead(after)
    return {
        "unigram": np.broadcast_to(counts.alone, bigram.shape),
        "bigram": bigram,
        "both_sides": both / both.sum(1, keepdims=True),
    }


def _places(tables: list[tuple[np.ndarray, np.ndarray]]) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield the pieces before, at and after the positions to predict, `CHUNK` positions at a time."""
    for given, gold in tables:
        framed = np.pad(given, ((0, 0), (1, 1)), constant_values=PAD)
        predicted = gold != PAD
        columns = framed[:, :-2][predicted], gold[predicted], framed[:, 2:][predicted]
        for start in range(0, len(columns[1]), CHUNK):
            before, middle, after = (column[start : start + CHUNK] for column in columns)
            yield before, middle, after
