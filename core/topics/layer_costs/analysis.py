"""The costs of one layer, by its kind: operations, sequential steps, and longest path (Vaswani et al. 2017, table 1).

An operation is one multiplication and one addition of a matrix product; biases, activations and the softmax are left
out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.model.layer_kinds import LayerSizes

# Student's t at 97.5 %, by degrees of freedom, for the 95 % interval of a slope.
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306)


def table_operations(kind: str, sizes: LayerSizes) -> int:
    """Return the term of table 1 itself, without constants or projections: n·d², k·n·d², n²·d or r·n·d."""
    n, d = sizes.n, sizes.d
    if kind == "recurrent":
        return n * d**2
    if "convolution" in kind:
        return sizes.k * n * d**2
    return (n if kind == "self-attention" else min(sizes.r, n)) * n * d


def layer_operations(kind: str, sizes: LayerSizes) -> dict[str, int]:
    """Return the multiply-adds of the layers of `core.model.layer_kinds`, by term.

    Self-attention computes all n² pairs, those that the mask hides too; windowed attention 2r − 1 keys for each query.
    """
    n, d = sizes.n, sizes.d
    square = n * d**2
    if kind == "recurrent":
        return {"of the inputs": 3 * square, "of the states": 3 * square}
    if "convolution" in kind:
        return {"taps": sizes.k * square}
    r = min(sizes.r, n)
    pairs = n**2 if kind == "self-attention" else -(-n // r) * r * (2 * r - 1)
    return {"projections": 4 * square, "scores": pairs * d, "mixing values": pairs * d}


def sequential_steps(kind: str, sizes: LayerSizes) -> int:
    """Return the number of steps of one layer that have to wait for one another."""
    return sizes.n if kind == "recurrent" else 1


def layers_to_reach(kind: str, sizes: LayerSizes) -> int:
    """Return the least number of layers through which the last output depends on the first of n inputs.

    "dilated convolution" means a stack whose layer m, counted from 0, has dilation k^m.
    """
    before = sizes.n - 1
    match kind:
        case "convolution":
            return max(1, -(-before // (sizes.k - 1)))
        case "windowed attention":
            return max(1, -(-before // (sizes.r - 1)))
        case "dilated convolution":
            layers = 1
            while sizes.k**layers < sizes.n:
                layers += 1
            return layers
    return 1


def longest_path(kind: str, sizes: LayerSizes) -> int:
    """Return the steps that a signal takes from the first input to the last output.

    n through the states of a recurrent layer, one for each layer of the others.
    """
    return sizes.n if kind == "recurrent" else layers_to_reach(kind, sizes)


@dataclass(frozen=True)
class PowerFit:
    """y ∝ x^exponent, with the 95 % interval of the exponent, fitted to `points` points."""

    exponent: float
    low: float
    high: float
    points: int


def fit_power(x: Sequence[float], y: Sequence[float]) -> PowerFit | None:
    """Fit a power law by least squares on logarithms, with an interval from the residuals and Student's t.

    None for fewer than three points, or more than ten.
    """
    freedom = len(x) - 2
    if not 1 <= freedom <= len(STUDENT):
        return None
    across, up = np.log(np.asarray(x, np.float64)), np.log(np.asarray(y, np.float64))
    across = across - across.mean()
    spread = float(across @ across)
    slope = float(across @ up) / spread
    residuals = up - up.mean() - slope * across
    error = float(np.sqrt(residuals @ residuals / freedom / spread))
    return PowerFit(slope, slope - STUDENT[freedom - 1] * error, slope + STUDENT[freedom - 1] * error, len(x))


def crossing(x: Sequence[float], first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the first x at which two measured curves cross, on straight lines between points on log-log axes.

    None if they do not cross.
    """
    gaps = np.log(np.asarray(first, np.float64)) - np.log(np.asarray(second, np.float64))
    across = np.log(np.asarray(x, np.float64))
    for index in range(len(gaps) - 1):
        if gaps[index] * gaps[index + 1] < 0:
            share = gaps[index] / (gaps[index] - gaps[index + 1])
            return float(np.exp(across[index] + share * (across[index + 1] - across[index])))
    return None
