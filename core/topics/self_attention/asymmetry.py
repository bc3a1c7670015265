"""The asymmetry of one head's scores, and of the matrix of weights that causes it."""

from dataclasses import dataclass

import numpy as np

from core.analysis.symmetry import Symmetry, split
from core.topics.self_attention.records import HeadRecord

CROSS_ATTENTION_MESSAGE = "In cross-attention queries and keys come from two texts: there is no pair of tokens to swap."


@dataclass(frozen=True, eq=False)
class Asymmetry:
    """The symmetric and antisymmetric parts of one head's scores and weights.

    raw (L, L): S_raw.
    scores: its two parts.
    product (D, D): W_Q W_Kᵀ; None if the score is no plain dot product, or if a norm or positions change queries and
        keys in between.
    weights: its two parts; None if `product` is.
    """

    raw: np.ndarray
    scores: Symmetry
    product: np.ndarray | None
    weights: Symmetry | None

    @property
    def parts(self) -> list[tuple[str, str, np.ndarray]]:
        """The matrices (L, L) that show the asymmetry: the name of each, the sign before it, and its numbers."""
        return [
            ("S", "", self.raw),
            ("ST", "vs", self.raw.T),
            ("symmetric", "→", self.scores.symmetric),
            ("anti", "+", self.scores.antisymmetric),
        ]

    @property
    def limit(self) -> float:
        """The largest |score|."""
        return float(np.abs(self.raw).max())


def asymmetry(record: HeadRecord) -> Asymmetry:
    """Return the symmetric and antisymmetric parts of a head's scores.

    ValueError for cross-attention, whose queries and keys come from two texts.
    """
    if record.place.cross:
        raise ValueError(CROSS_ATTENTION_MESSAGE)
    plain_dot = record.parts.kind in ("dot", "scaled_dot") and not record.scored
    product = record.w_q @ record.w_k.T if plain_dot else None  # (D, D)
    return Asymmetry(record.raw, split(record.raw), product, None if product is None else split(product))
