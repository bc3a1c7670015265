"""Reducing many attention patterns to fewer, and making one easier to read.

A pattern is (..., Q, K): rows are queries, columns are keys, each row sums to 1 or, if a query may attend to nothing,
is all zeros. Sums are taken in float64 and results are float32.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np


class Thresholded(NamedTuple):
    """A pattern with small weights set to 0, and the share of all weight that this hid, in [0, 1]."""

    pattern: np.ndarray
    hidden: float


def average_heads(patterns: np.ndarray) -> np.ndarray:
    """Average patterns over the heads, from (..., H, Q, K) to (..., Q, K)."""
    return patterns.mean(-3, dtype=np.float64).astype(np.float32)


def rollout(patterns: np.ndarray, residual: bool = True) -> np.ndarray:
    """Compute attention rollout (Abnar & Zuidema 2020): (N, H, Q, Q) to (N, Q, Q), one matrix for each layer.

    Row i of layer n says how much of each input token has reached position i after layers 0 to n, if attention only
    mixed. Heads are averaged; with `residual` each layer is 0.5 A + 0.5 I, rows renormalised; layers are multiplied.
    A row that attends to nothing passes on its own token; without `residual`, nothing.
    Raises ValueError for patterns that are not (N, H, Q, Q).
    """
    if patterns.ndim != 4 or patterns.shape[-1] != patterns.shape[-2]:
        raise ValueError(f"rollout needs self-attention patterns (layers, heads, Q, Q), not {patterns.shape}")
    identity = np.eye(patterns.shape[-1])
    reached, layers = identity, []
    for pattern in patterns:
        mixed = pattern.mean(0, dtype=np.float64)
        reached = _sum_to_one(0.5 * mixed + 0.5 * identity if residual else mixed) @ reached
        layers.append(reached)
    return np.stack(layers).astype(np.float32)


def threshold(pattern: np.ndarray, t: float) -> Thresholded:
    """Set weights below t to 0, without renormalising.

    Raises ValueError unless 0 ≤ t ≤ 1.
    """
    if not 0 <= t <= 1:
        raise ValueError(f"the threshold is a weight between 0 and 1, not {t}")
    kept = np.where(pattern < t, 0, pattern).astype(np.float32)
    total = pattern.sum(dtype=np.float64)
    hidden = 1 - kept.sum(dtype=np.float64) / total if total else 0.0
    return Thresholded(kept, float(np.clip(hidden, 0, 1)))


def hide_and_renormalise(pattern: np.ndarray, hidden_keys: Iterable[int]) -> np.ndarray:
    """Set the columns of some keys to 0 and divide each row by the sum that is left; a row with nothing left is zeros.

    Raises ValueError for a key outside 0 … K − 1.
    """
    keys, hidden = pattern.shape[-1], sorted(set(hidden_keys))
    outside = [key for key in hidden if not 0 <= key < keys]
    if outside:
        raise ValueError(f"key {outside[0]} is not one of the keys 0 to {keys - 1}")
    left = pattern.astype(np.float64)
    left[..., hidden] = 0
    return _sum_to_one(left).astype(np.float32)


def merge_words(pattern: np.ndarray, query_words: Sequence[int], key_words: Sequence[int]) -> np.ndarray:
    """Merge attention between pieces into attention between words (Clark et al. 2019, section 4.1).

    query_words, key_words: for each piece the number of its word, 0 to the last word with none left out.

    The result is (..., words, words). Attention to a word is the sum over its pieces; attention from a word is the mean
    over those of its pieces that attend to something. Rows still sum to 1. Raises ValueError if the words do not fit
    the pattern.
    """
    from_pieces = _membership(query_words, pattern.shape[-2], "queries")  # (Q, words)
    to_words = pattern.astype(np.float64) @ _membership(key_words, pattern.shape[-1], "keys")  # (..., Q, words)
    attending = to_words.any(-1, keepdims=True).astype(np.float64)  # (..., Q, 1)
    pieces = from_pieces.T @ attending  # (..., words, 1)
    return (from_pieces.T @ to_words / np.maximum(pieces, 1)).astype(np.float32)


def _sum_to_one(rows: np.ndarray) -> np.ndarray:
    total = rows.sum(-1, keepdims=True)
    return np.divide(rows, total, out=np.zeros_like(rows), where=total > 0)


def _membership(words: Sequence[int], pieces: int, what: str) -> np.ndarray:
    """Return a matrix (pieces, words), 1 if the piece belongs to the word."""
    numbers = np.asarray(words, dtype=np.int64)
    if numbers.shape != (pieces,):
        raise ValueError(f"{numbers.size} word numbers do not fit {pieces} {what}")
    distinct = np.unique(numbers)
    if not np.array_equal(distinct, np.arange(len(distinct))):
        raise ValueError(f"the words of the {what} must be numbered from 0 with none left out, not {distinct.tolist()}")
    return (numbers[:, None] == distinct).astype(np.float64)
