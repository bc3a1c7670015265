"""How far one head's scores are from mutual, and the matrix of weights that makes them so."""

from dataclasses import dataclass

import numpy as np

from core.analysis.symmetry import Symmetry, split
from core.explorer.head.records import HeadRecord


@dataclass(frozen=True, eq=False)
class Asymmetry:
    """scores: the two parts of S_raw (L, L). product: W_Q W_Kᵀ (D, D) and weights, its parts; None where the score is
    no plain dot product, or positions turn queries and keys in between."""

    scores: Symmetry
    product: np.ndarray | None
    weights: Symmetry | None


def asymmetry(record: HeadRecord) -> Asymmetry:
    """The symmetric and antisymmetric parts of a head's scores. ValueError for cross-attention, whose queries and keys
    come from two texts."""
    if record.place.cross:
        raise ValueError("In cross-attention queries and keys come from two texts: there is no pair of tokens to swap.")
    plain_dot = record.parts.kind in ("dot", "scaled_dot") and record.q_rotated is None
    product = record.w_q @ record.w_k.T if plain_dot else None  # (D, D)
    return Asymmetry(split(record.raw), product, None if product is None else split(product))
