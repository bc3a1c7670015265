"""Random queries and keys: measurements at each d_k, beside theory and one head's own numbers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.topics.scaling.analysis import (
    MOST_GRADIENT,
    REPETITIONS,
    SOURCES,
    WIDTHS,
    Softmaxes,
    Spread,
    Variances,
    measure_softmax,
    measure_variance,
    theory_of_ties,
)
from core.topics.scaling.comparison import OwnScores
from core.topics.shared.labels import Labelled

__all__ = [
    "DISTRIBUTIONS",
    "MOST_GRADIENT",
    "REPETITIONS",
    "STATISTICS",
    "WIDTHS",
    "ScalingCurves",
    "Softmaxes",
    "Variances",
    "entropy_curves",
    "gradient_curves",
    "measure_softmax",
    "measure_variance",
    "statistics",
    "variance_curves",
    "weights_table",
]

DISTRIBUTIONS = tuple(SOURCES)
STATISTICS = {"mean": "mean", "standard error": "error", "5%": "low", "50%": "middle", "95%": "high"}


@dataclass(frozen=True, eq=False)
class ScalingCurves:
    """One quantity against d_k, for q·k as it is and for q·k ÷ √d_k.

    raw, scaled: the measured values.
    theory: arrays (W,) over WIDTHS for each of the two, or None if there is none.
    limit: an upper bound of all values, None if there is none.
    own: a head's d_k, and its own value for each of the two.
    log: whether the values grow too far for a linear axis.
    """

    raw: Spread
    scaled: Spread
    theory: tuple[np.ndarray | None, np.ndarray | None]
    limit: float | None = None
    own: tuple[int, float, float] | None = None
    log: bool = False

    def table(self, series: Sequence[str]) -> Labelled:
        """Return `statistics` with the labels of its rows and columns.

        series: the names of `raw` and `scaled`.
        """
        rows = [f"{name}, d_k = {width}" for name in series for width in WIDTHS]
        return Labelled(statistics(self.raw, self.scaled), rows, tuple(STATISTICS))


def variance_curves(variances: Variances, own: OwnScores) -> ScalingCurves:
    """Return the variance, which should be d_k, and 1 after division by √d_k."""
    theory = np.array(WIDTHS, np.float32), np.ones(len(WIDTHS), np.float32)
    return ScalingCurves(
        variances.raw, variances.scaled, theory, own=(own.width, own.variance, own.variance / own.width), log=True
    )


def entropy_curves(softmaxes: Softmaxes, own: OwnScores) -> ScalingCurves:
    """Return the softmax's entropy in bits against d_k, with scaling and without it.

    At most log₂ of the number of keys.
    """
    theory, limit = (theory_of_ties(softmaxes.keys)[0], None), math.log2(softmaxes.keys)
    return ScalingCurves(softmaxes.raw.entropy, softmaxes.scaled.entropy, theory, limit, own.means("entropy"))


def gradient_curves(softmaxes: Softmaxes, own: OwnScores) -> ScalingCurves:
    """Return the Frobenius norm of the softmax's Jacobian."""
    theory = theory_of_ties(softmaxes.keys)[1], None
    return ScalingCurves(softmaxes.raw.gradient, softmaxes.scaled.gradient, theory, own=own.means("gradient"))


def statistics(raw: Spread, scaled: Spread, width_index: int | None = None) -> np.ndarray:
    """Return a table (2n, 5): a column for each of STATISTICS, with n rows for `raw` and then n for `scaled`.

    width_index: an index into WIDTHS. If given, n is the number of values measured at that width; if None, n is the
    number of WIDTHS.
    """
    columns = [[getattr(spread, name) for spread in (raw, scaled)] for name in STATISTICS.values()]
    if width_index is not None:
        columns = [[values[width_index] for values in both] for both in columns]
    return np.stack([np.concatenate(both) for both in columns], 1)


def weights_table(softmaxes: Softmaxes, width_index: int, series: Sequence[str]) -> Labelled:
    """Return `statistics` of the sorted weights at one width, with labels.

    width_index: an index into WIDTHS.
    series: as for `ScalingCurves.table`.
    """
    raw, scaled = softmaxes.raw.weights, softmaxes.scaled.weights
    rows = [f"{name}, weight {rank + 1}" for name in series for rank in range(raw.mean.shape[1])]
    return Labelled(statistics(raw, scaled, width_index), rows, tuple(STATISTICS))
