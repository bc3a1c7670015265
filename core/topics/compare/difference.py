"""The difference of two attention patterns, token by token, even if their texts differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from core.analysis.alignment import aligned_difference, partners
from core.text.labels import bare
from core.text.words import JOIN

Sized = tuple[np.ndarray, Sequence[str], Sequence[str]]  # weights (Q, K) with the labels of their rows and columns


@dataclass(frozen=True, eq=False)
class PatternChange:
    """The change from a pinned attention pattern to the current one.

    values (Q, K): current − pinned, on the current rows and columns; NaN if a row or column has no partner.
    weights: current and pinned (Q, K), NaN in the same cells.
    queries, keys: the current tokens, without their numbers.
    added: the current tokens that have no partner, each named once.
    lost: the tokens of the pinned pattern that have no partner, each named once.
    """

    values: np.ndarray
    weights: tuple[np.ndarray, np.ndarray]
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    added: tuple[str, ...]
    lost: tuple[str, ...]

    @property
    def hatched(self) -> np.ndarray:
        """The values with −∞ in place of NaN, as pictures expect them."""
        return np.where(np.isnan(self.values), -np.inf, self.values)


def pattern_change(pinned: Sized, now: Sized) -> PatternChange:
    """Return the change from one pattern to the other; a masked cell, −∞, counts as a weight of 0."""
    (before, *old), (after, *new) = pinned, now
    before, after = (np.where(np.isneginf(weights), 0.0, weights) for weights in (before, after))
    texts = [(tuple(map(bare, a)), tuple(map(bare, b))) for a, b in zip(old, new, strict=True)]
    rows, columns = (token_partners(*pair) for pair in texts)
    values = aligned_difference(before, after, rows, columns)
    shared = np.where(np.isnan(values), np.nan, after)
    added: list[str] = []
    lost: list[str] = []
    for (a, b), pairs in zip(texts, (rows, columns), strict=True):
        lost += _without(a, {pair[0] for pair in pairs})
        added += _without(b, {pair[1] for pair in pairs})
    (_, queries), (_, keys) = texts
    once = [tuple(dict.fromkeys(tokens)) for tokens in (added, lost)]
    return PatternChange(values, (shared, shared - values), queries, keys, *once)


def token_partners(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of corresponding tokens: those of the words that both texts have in the same order.

    Words with the same pieces are the same.
    """
    (old, old_starts), (new, new_starts) = (_words(tokens) for tokens in (before, after))
    return [(old_starts[a] + n, new_starts[b] + n) for a, b in partners(old, new) for n in range(len(old[a]))]


def _words(tokens: Sequence[str]) -> tuple[list[tuple[str, ...]], list[int]]:
    """Return the pieces of each word, and the index at which each word begins."""
    numbers, count = [], -1
    for token in tokens:
        count += not (len(token) > len(JOIN) and token.startswith(JOIN) and count >= 0)
        numbers.append(count)
    words = [tuple(tokens[index] for index in group) for _, group in groupby(range(len(tokens)), numbers.__getitem__)]
    return words, [numbers.index(number) for number in range(count + 1)]


def _without(tokens: Sequence[str], paired: set[int]) -> list[str]:
    return [token for index, token in enumerate(tokens) if index not in paired]
