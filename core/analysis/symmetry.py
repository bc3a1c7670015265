"""The symmetric and the antisymmetric part of a matrix of scores."""

from typing import NamedTuple

import numpy as np


class Symmetry(NamedTuple):
    """The two parts of a square matrix, and the share of its squared Frobenius norm in each; the shares add up to 1.

    The symmetric part stays the same if query and key swap places, the antisymmetric part changes its sign.
    """

    symmetric: np.ndarray
    antisymmetric: np.ndarray
    symmetric_share: float
    antisymmetric_share: float


def split(scores: np.ndarray) -> Symmetry:
    """Return (S + Sᵀ) / 2 and (S − Sᵀ) / 2, each (Q, Q), whose sum is S, with their shares.

    A matrix of zeros counts as symmetric.
    Raises ValueError for a matrix that is not square, or not finite: give the scores before the mask.
    """
    if scores.ndim != 2 or scores.shape[0] != scores.shape[1]:
        raise ValueError(f"only a square matrix has symmetric and antisymmetric parts; the shape is {scores.shape}")
    full = scores.astype(np.float64)
    infinite = full.size - np.isfinite(full).sum()
    if infinite:
        raise ValueError(f"{infinite} of the {full.size} scores of shape {scores.shape} are not finite")
    symmetric, antisymmetric = (full + full.T) / 2, (full - full.T) / 2
    mirrored, turned = float((symmetric**2).sum()), float((antisymmetric**2).sum())
    share = turned / (mirrored + turned) if mirrored + turned else 0.0
    return Symmetry(symmetric.astype(np.float32), antisymmetric.astype(np.float32), 1 - share, share)
