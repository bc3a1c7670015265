"""Rank correlation: whether two lists of numbers put the same things in the same order."""

import numpy as np


def ranks(values: np.ndarray) -> np.ndarray:
    """Return the rank of each number, (N,), from 1 for the smallest; equal numbers share the mean of their ranks."""
    _, group, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[group]


def spearman(first: np.ndarray, second: np.ndarray) -> float:
    """Return the correlation of the ranks, from −1 to 1 (Spearman 1904); NaN if all numbers of one list are equal."""
    a, b = (ranks(values) - (len(values) + 1) / 2 for values in (first, second))
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(np.clip((a @ b) / size, -1, 1)) if size else float("nan")


def spearman_table(rows: np.ndarray) -> np.ndarray:
    """Return the rank correlation of every two of the rows (M, N), (M, M)."""
    return np.array([[spearman(a, b) for b in rows] for a in rows])
