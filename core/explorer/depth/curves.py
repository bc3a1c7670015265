"""One number along a depth, of several seeds: its middle, its spread, and where float32 could not hold it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.depth import Wiring
from core.explorer.shared.labels import LabelledMatrix

CALLED = {"pre": "pre-norm", "post": "post-norm", "none": "no norm"}
WAYS = ("with residual", "without residual")


@dataclass(frozen=True, eq=False)
class Curve:
    """One line of a chart, arrays (n,) along x: the mean over the seeds (the geometric one of norms), the least and the
    greatest; NaN where it cannot be drawn.

    group, way: what it belongs to. over, under: how many of the seeds gave a number too large for float32, and 0.
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


def norm_curve(group: str, way: str, values: np.ndarray) -> Curve:
    """Of norms (S, n), where a norm of 0 cannot stand on a logarithmic axis, and what is not finite is too large."""
    over, under = (~np.isfinite(values)).sum(0), (values == 0).sum(0)
    fine = (over + under) == 0
    safe = np.where(fine, values, 1.0)
    numbers = (np.exp(np.log(safe).mean(0)), safe.min(0), safe.max(0))
    middle, low, high = (np.where(fine, each, np.nan) for each in numbers)
    return Curve(group, way, np.arange(values.shape[1]), middle, low, high, over, under, len(values))


def cosine_curve(group: str, way: str, values: np.ndarray) -> Curve:
    """Of mean cosines (S, n); NaN where the vectors are too large for float32."""
    over = (~np.isfinite(values)).sum(0)
    safe = np.where(over == 0, values, np.nan)
    none = np.zeros_like(over)
    ends = (safe.mean(0), safe.min(0), safe.max(0))
    return Curve(group, way, np.arange(values.shape[1]), *ends, over, none, len(values))


def names_of(wiring: Wiring, of_norm: bool) -> tuple[str, str]:
    """The group and the way of a wiring: by its norm, or by whether it has a feed-forward layer."""
    feeds = "attention and feed-forward" if wiring.feed_forward else "attention alone"
    return CALLED[wiring.norm] if of_norm else feeds, WAYS[0 if wiring.residual else 1]


def curves_table(curves: Sequence[Curve], what: str) -> LabelledMatrix:
    """The middles of all curves, a row for each; NaN where a curve has no number. what: the depth is counted in."""
    longest = max(len(curve.x) for curve in curves)
    values = np.full((len(curves), longest), np.nan)
    for row, curve in enumerate(curves):
        values[row, : len(curve.x)] = curve.middle
    return values, [curve.name for curve in curves], [f"{what} {number}" for number in range(longest)]
