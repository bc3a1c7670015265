"""One number along a depth, over several seeds: its mean, its spread, and the points that float32 cannot hold."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.topics.depth.analysis.signal import Wiring
from core.topics.shared.labels import Labelled

NORM_NAMES = {"pre": "pre-norm", "post": "post-norm", "none": "no norm"}
WAYS = ("with residual", "without residual")
LARGEST_FLOAT, SMALLEST_FLOAT = float(np.finfo(np.float32).max), float(np.finfo(np.float32).smallest_subnormal)


@dataclass(frozen=True, eq=False)
class Curve:
    """One line of a chart, in arrays (n,) along x.

    group, way: the names under which the line is shown.
    middle: the mean over the seeds (the geometric mean for norms); NaN if it cannot be drawn.
    low, high: the smallest and the largest value over the seeds; NaN if they cannot be drawn.
    over, under: number of seeds whose value is ∞, and number of seeds whose value is 0.
    seeds: number of seeds.
    """

    group: str
    way: str
    x: np.ndarray
    middle: np.ndarray
    low: np.ndarray
    high: np.ndarray
    over: np.ndarray
    under: np.ndarray
    seeds: int

    @property
    def name(self) -> str:
        return f"{self.group}, {self.way}" if self.way else self.group

    @property
    def is_undefined(self) -> bool:
        """Whether a number anywhere along the line is neither finite nor ∞."""
        return bool((np.isnan(self.middle) & (self.over + self.under == 0)).any())

    @property
    def leaves_float32(self) -> tuple[bool, bool]:
        """Whether the value of any seed is too large for float32, and whether one is too small."""
        return bool(self.over.any() or (self.high > LARGEST_FLOAT).any()), bool(
            self.under.any() or (self.low < SMALLEST_FLOAT).any()
        )


def norm_curve(group: str, way: str, values: np.ndarray) -> Curve:
    """Return the curve of norms (S, n).

    Points with a norm of 0 or ∞ are left out because a logarithmic axis cannot show them; points with an undefined norm
    (NaN) are left out too.
    """
    over, under = np.isinf(values).sum(0), (values == 0).sum(0)
    fine = (np.isfinite(values) & (values != 0)).all(0)
    safe = np.where(fine, values, 1.0)
    numbers = (np.exp(np.log(safe).mean(0)), safe.min(0), safe.max(0))
    middle, low, high = (np.where(fine, statistic, np.nan) for statistic in numbers)
    return Curve(group, way, np.arange(values.shape[1]), middle, low, high, over, under, len(values))


def cosine_curve(group: str, way: str, values: np.ndarray) -> Curve:
    """Return the curve of mean cosines (S, n); NaN if one of them is undefined."""
    none = np.zeros(values.shape[1], np.int64)
    ends = (values.mean(0), values.min(0), values.max(0))
    return Curve(group, way, np.arange(values.shape[1]), *ends, none, none, len(values))


def names_of(wiring: Wiring, of_norm: bool) -> tuple[str, str]:
    """Return the two names under which a wiring's curve is shown: its group (colour) and its way (dash).

    of_norm: whether the group is the norm; otherwise it is whether there is a feed-forward layer.
    """
    feeds = "attention and feed-forward" if wiring.feed_forward else "attention alone"
    return NORM_NAMES[wiring.norm] if of_norm else feeds, WAYS[0 if wiring.residual else 1]


def curves_table(curves: Sequence[Curve], what: str) -> Labelled:
    """Return a table with the mean values of each curve: a row for each curve; NaN where a curve has no number.

    what: the name of the unit of depth in the column labels, such as "layer".
    """
    longest = max(len(curve.x) for curve in curves)
    values = np.full((len(curves), longest), np.nan)
    for row, curve in enumerate(curves):
        values[row, : len(curve.x)] = curve.middle
    return Labelled(values, [curve.name for curve in curves], [f"{what} {number}" for number in range(longest)])
