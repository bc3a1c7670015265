"""A word in several sentences: its vector in each layer, cosines between them, and a head's mix for it.

Shapes: S stages, T tokens, W words, D d_model, K keys, Ev d_v.
"""

from collections.abc import Sequence

import numpy as np

from core.analysis.word_vectors import unit_rows

COSINE_TOLERANCE = (
    1e-6  # cosines that differ by less are equal: the same word at the same position, before the first layer
)


def pool_words(states: np.ndarray, words: Sequence[int], last: bool) -> np.ndarray:
    """Turn vectors of tokens (…, T, D) into vectors of words (…, W, D).

    A word's vector is the mean over its pieces, or its last piece's vector.
    words: the word of each token, counted from 0 without a gap.
    last: whether the last piece is taken.
    """
    tokens = [np.flatnonzero(np.asarray(words) == word) for word in range(max(words) + 1)]
    chosen = [places[-1:] if last else places for places in tokens]
    return np.stack([states[..., places, :].mean(-2) for places in chosen], axis=-2)


def cosine_rows(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the cosine of each row of a (…, D) with the same row of b, in [−1, 1]; 0 if one of them is 0."""
    rows = unit_rows(a.astype(np.float64)) * unit_rows(b.astype(np.float64))
    return np.clip(rows.sum(-1), -1.0, 1.0)


def mean_cosine(a: np.ndarray, b: np.ndarray, unlike: np.ndarray) -> np.ndarray:
    """Return the mean cosine (S,) over pairs of words from two sentences, (S, W, D) and (S, W', D), for S stages.

    unlike (W, W'): booleans, True for the pairs to average. NaN if there are none.
    """
    cosines = unit_rows(a.astype(np.float64)) @ np.swapaxes(unit_rows(b.astype(np.float64)), -1, -2)  # (S, W, W')
    return cosines[:, unlike].mean(-1) if unlike.any() else np.full(len(a), np.nan)


def mix_contributions(weights: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the size and the share of each term of z = Σ_j w_j v_j, (K,) each.

    weights (K,) and values (K, Ev): w_j and v_j.

    The size is ‖w_j v_j‖, the share along z is (w_j v_j · z) / ‖z‖². The shares sum to 1; they are 0 if z is 0.
    """
    terms = weights[:, None].astype(np.float64) * values.astype(np.float64)  # (K, Ev)
    z = terms.sum(0)
    square = float(z @ z)
    shares = terms @ z / square if square else np.zeros(len(terms))
    return np.linalg.norm(terms, axis=1), shares


def nearest_alike(vectors: np.ndarray, labels: Sequence[str]) -> np.ndarray:
    """Count the vectors whose nearest neighbour by cosine, itself left out, has their own label, at each stage (S,).

    vectors: (S, N, D).
    labels: the labels of the N vectors.

    If several neighbours are equally near, to within `COSINE_TOLERANCE`, each counts for its share.
    """
    groups = np.asarray(labels)
    same = groups[:, None] == groups
    counts = []
    for rows in unit_rows(vectors.astype(np.float64)):
        cosines = rows @ rows.T
        np.fill_diagonal(cosines, -np.inf)
        nearest = cosines >= cosines.max(1, keepdims=True) - COSINE_TOLERANCE
        counts.append(float(((nearest & same).sum(1) / nearest.sum(1)).sum()))
    return np.array(counts)
