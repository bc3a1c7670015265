"""The arithmetic of one cell, term by term: the numbers to multiply, add and divide to get the number on screen.

Each record keeps every factor, its `total` computed from them in float64, and `value`, the number that the model
itself computed (None if the caller gives none). `core.readings.arithmetic` writes a record out.
"""

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False, kw_only=True)
class Arithmetic:
    """A computed `total` beside the model's `value`.

    size: the sum of the magnitudes added up; rounding is in proportion to it.
    """

    total: float
    size: float
    value: float | None = None

    @property
    def difference(self) -> float | None:
        """The total minus the value, which is the rounding of float32.

        0 if both are the same infinity; None without a value.
        """
        if self.value is None:
            return None
        return 0.0 if self.total == self.value else self.total - self.value

    @property
    def agrees(self) -> bool:
        """Whether the model's value equals the total to 1e-4 of `size`; true without a value."""
        error = abs(self.difference or 0.0)
        return error == 0 or (math.isfinite(error) and error <= 1e-4 * self.size)


@dataclass(frozen=True, eq=False, kw_only=True)
class Products(Arithmetic):
    """A sum of products: left (n,), right (n,), products = left × right, plus a bias if there is one."""

    left: np.ndarray
    right: np.ndarray
    products: np.ndarray
    bias: float | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class ScaledScore(Arithmetic):
    """A raw score divided by √d_k."""

    raw: float
    d_k: int


@dataclass(frozen=True, eq=False, kw_only=True)
class MaskedScore(Arithmetic):
    """A score that is kept if the query may attend to the key, and becomes −∞ if it may not."""

    score: float
    allowed: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class Softmax(Arithmetic):
    """The weight of key j: exps[j] ÷ denominator.

    scores, exps: (K,).
    maximum: the number subtracted from each score, None if all are masked.
    """

    scores: np.ndarray
    j: int
    maximum: float | None
    exps: np.ndarray
    denominator: float


def dot_terms(a: np.ndarray, b: np.ndarray, value: float | None = None) -> Products:
    """Compute a·b = Σ a_i × b_i for vectors of one length."""
    return _products(a, b, None, value)


def projection_terms(
    x_row: np.ndarray, w_column: np.ndarray, bias: float | None = None, value: float | None = None
) -> Products:
    """Compute one cell of x W + b: Σ x_i × W_ij + b_j, for x_row and w_column (D,)."""
    return _products(x_row, w_column, bias, value)


def mix_terms(weights_row: np.ndarray, values_column: np.ndarray, value: float | None = None) -> Products:
    """Compute one cell of the mix of values: Σ weight_j × v_j, for weights_row and values_column (K,)."""
    return _products(weights_row, values_column, None, value)


def scaling_terms(raw: float, d_k: int, value: float | None = None) -> ScaledScore:
    """Compute raw ÷ √d_k (Vaswani et al. 2017, equation 1).

    Raises ValueError for a d_k below 1.
    """
    if d_k < 1:
        raise ValueError(f"d_k must be at least 1, not {d_k}")
    total = float(raw) / math.sqrt(d_k)
    return ScaledScore(total=total, size=abs(total), value=_plain(value), raw=float(raw), d_k=d_k)


def mask_terms(score: float, allowed: bool, value: float | None = None) -> MaskedScore:
    """Return the score itself, or −∞ if the mask forbids the cell."""
    total = float(score) if allowed else -math.inf
    return MaskedScore(total=total, size=abs(total), value=_plain(value), score=float(score), allowed=bool(allowed))


def softmax_terms(row: np.ndarray, j: int, value: float | None = None) -> Softmax:
    """Compute the weight of key j in one row of scores (K,), −∞ if masked; 0 in a row that is masked throughout.

    Subtracting the maximum from every score changes no weight and keeps exp in range.
    """
    scores = np.asarray(row, dtype=np.float64)
    if not 0 <= j < len(scores):
        raise ValueError(f"key {j} is not one of the keys 0 to {len(scores) - 1}")
    highest = float(scores.max())
    maximum = highest if math.isfinite(highest) else None
    exps = np.exp(scores - (maximum or 0.0))
    denominator = float(exps.sum())
    total = float(exps[j]) / denominator if denominator else 0.0
    return Softmax(
        total=total,
        size=total,
        value=_plain(value),
        scores=scores,
        j=j,
        maximum=maximum,
        exps=exps,
        denominator=denominator,
    )


def _products(left: np.ndarray, right: np.ndarray, bias: float | None, value: float | None) -> Products:
    a, b = np.asarray(left, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"the two vectors must have one length; their shapes are {a.shape} and {b.shape}")
    products = a * b
    offset = 0.0 if bias is None else float(bias)
    return Products(
        total=float(products.sum()) + offset,
        size=float(np.abs(products).sum()) + abs(offset),
        value=_plain(value),
        left=a,
        right=b,
        products=products,
        bias=_plain(bias),
    )


def _plain(value: float | None) -> float | None:
    return None if value is None else float(value)
