"""Measures for comparing recurrent models and translations.

They are how much of each step's candidate a GRU's state retains, how far a vector moved relative to its length, and how
many words of one text are in another.
"""

from collections import Counter
from collections.abc import Iterator

import numpy as np


def kept_shares(update: np.ndarray) -> Iterator[np.ndarray]:
    """Yield for each step how much of each candidate so far is in the state: (T, U), rows of later steps 0.

    update (T, U): z of h_t = (1 − z_t) ⊙ n_t + z_t ⊙ h_{t−1}. So h_s = Σ_t share_t ⊙ n_t + (the remaining share) ⊙ h_0.
    """
    update = np.asarray(update, np.float64)
    shares = np.zeros_like(update)
    for step, z in enumerate(update):
        shares[:step] *= z
        shares[step] = 1 - z
        yield shares.copy()


def retention(update: np.ndarray) -> np.ndarray:
    """Return the share of step t's candidate in the state after step s, averaged over the units.

    The result is (T, T): row s, column t.
    """
    return np.stack([shares.mean(1) for shares in kept_shares(update)])


def relative_distance(moved: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Return ‖moved − before‖ ÷ ‖before‖ along the last axis; 0 if `before` is 0."""
    before = np.asarray(before, np.float64)
    far, length = np.linalg.norm(np.asarray(moved, np.float64) - before, axis=-1), np.linalg.norm(before, axis=-1)
    return np.divide(far, length, out=np.zeros_like(far), where=length > 0)


def words_shared(first: str, second: str) -> tuple[int, int]:
    """Return how many words of the first text are in the second too, and how many words the first text has.

    A repeated word counts at most as often as it occurs in the second text. Case and punctuation do not count.
    """
    counts, other_counts = (Counter(words_of(text)) for text in (first, second))
    return (counts & other_counts).total(), counts.total()


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation."""
    return "".join(c if c.isalnum() else " " for c in text.casefold()).split()
