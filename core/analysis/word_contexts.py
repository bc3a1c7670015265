"""A word in several sentences: its vector in each layer, how alike they are, and what a head mixed into it.

Shapes: S stages, T tokens, W words, D d_model, K keys, Ev d_v.
"""

from collections.abc import Sequence

import numpy as np

from core.analysis.word_vectors import unit_rows

EQUAL = 1e-6  # of two cosines: the same word at the same place, before the first layer


def pool_words(states: np.ndarray, words: Sequence[int], last: bool) -> np.ndarray:
    """(…, T, D) token by token as (…, W, D) word by word: the mean over the pieces of a word, or its last piece.

    words: the word of each token, counted from 0 without a gap.
    """
    tokens = [np.flatnonzero(np.asarray(words) == word) for word in range(max(words) + 1)]
    chosen = [places[-1:] if last else places for places in tokens]
    return np.stack([states[..., places, :].mean(-2) for places in chosen], axis=-2)


def cosine_rows(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The cosine of each row of a (…, D) with the same row of b, in [−1, 1]; 0 where one of them is 0."""
    rows = unit_rows(a.astype(np.float64)) * unit_rows(b.astype(np.float64))
    return np.clip(rows.sum(-1), -1.0, 1.0)


def mean_cosine(a: np.ndarray, b: np.ndarray, unlike: np.ndarray) -> np.ndarray:
    """The mean cosine (S,) of the words of one sentence (S, W, D) with those of another (S, W', D).

    unlike (W, W'): which pairs count. NaN where none does.
    """
    cosines = unit_rows(a.astype(np.float64)) @ np.swapaxes(unit_rows(b.astype(np.float64)), -1, -2)  # (S, W, W')
    return cosines[:, unlike].mean(-1) if unlike.any() else np.full(len(a), np.nan)


def mix_contributions(weights: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of z = Σ_j w_j v_j, for weights (K,) and values (K, Ev): the size ‖w_j v_j‖ of each term (K,), and its share
    (w_j v_j · z) / ‖z‖² along z (K,). The shares sum to 1; they are 0 where z is 0."""
    terms = weights[:, None].astype(np.float64) * values.astype(np.float64)  # (K, Ev)
    z = terms.sum(0)
    square = float(z @ z)
    shares = terms @ z / square if square else np.zeros(len(terms))
    return np.linalg.norm(terms, axis=1), shares


def nearest_alike(vectors: np.ndarray, labels: Sequence[str]) -> np.ndarray:
    """For vectors (S, N, D), how many of the N have a nearest neighbour, by cosine and itself left out, of their own
    label, at each stage (S,).

    Where several are equally near, to within `EQUAL`, each counts for its share.
    """
    own = np.asarray(labels)
    same = own[:, None] == own
    found = []
    for rows in unit_rows(vectors.astype(np.float64)):
        cosines = rows @ rows.T
        np.fill_diagonal(cosines, -np.inf)
        nearest = cosines >= cosines.max(1, keepdims=True) - EQUAL
        found.append(float(((nearest & same).sum(1) / nearest.sum(1)).sum()))
    return np.array(found)
