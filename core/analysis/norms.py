"""LayerNorm and RMSNorm of one vector, number by number, in float64."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class NormTerms:
    """The steps of a norm of x (D,).

    mean: 0 if none is subtracted.
    spread: the divisor of x − mean, the root of its mean square plus eps.
    normalised (D,): before the gain.
    out (D,): times gain, plus bias.
    """

    x: np.ndarray
    mean: float
    spread: float
    normalised: np.ndarray
    gain: np.ndarray
    bias: np.ndarray
    out: np.ndarray
    eps: float


def layer_norm_terms(x: np.ndarray, gain: np.ndarray, bias: np.ndarray, eps: float) -> NormTerms:
    """Compute (x − μ) / √(σ² + ε) · γ + β (Ba et al. 2016, equation 4).

    σ² is the biased variance, the mean of (x − μ)².
    """
    return _terms(x, float(np.mean(x, dtype=np.float64)), gain, bias, eps)


def rms_norm_terms(x: np.ndarray, gain: np.ndarray, eps: float) -> NormTerms:
    """Compute x / √(mean of x² + ε) · γ (Zhang & Sennrich 2019, equation 4)."""
    return _terms(x, 0.0, gain, np.zeros(len(x)), eps)


def _terms(x: np.ndarray, mean: float, gain: np.ndarray, bias: np.ndarray, eps: float) -> NormTerms:
    numbers = np.asarray(x, np.float64)
    centred = numbers - mean
    spread = float(np.sqrt(np.mean(centred**2) + eps))
    normalised = centred / spread
    return NormTerms(numbers, mean, spread, normalised, gain, bias, normalised * gain + bias, eps)
