"""Random directions: mean, spread and variance of their cosines by vector size, and the cosines at one size."""

from collections.abc import Mapping
from typing import Any, Protocol

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import chart, framed, named, tips
from core.charts.positions_lines import THEORY
from core.charts.style import INK

MEASURED = "#56B4E9"
HEIGHT = 320
HUES = {"measured": MEASURED, "theory": THEORY}
POWERS = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
TENS = [0.0001, 0.001, 0.01, 0.1, 1]


class CosineStatistics(Protocol):
    """Statistics of the cosines in arrays (S,), a number for each vector size: see `variance_data` and `means_data`."""

    @property
    def sizes(self) -> np.ndarray: ...
    @property
    def mean(self) -> np.ndarray: ...
    @property
    def mean_error(self) -> np.ndarray: ...
    @property
    def variance(self) -> np.ndarray: ...
    @property
    def variance_error(self) -> np.ndarray: ...
    @property
    def low(self) -> np.ndarray: ...
    @property
    def high(self) -> np.ndarray: ...
    @property
    def theory_high(self) -> np.ndarray: ...


class Bins(Protocol):
    """Equal bins in arrays (B,): their centres, and the measured and the expected share per unit of length."""

    @property
    def centres(self) -> np.ndarray: ...
    @property
    def density(self) -> np.ndarray: ...
    @property
    def theory(self) -> np.ndarray: ...


def variance_spec() -> dict[str, Any]:
    """Return a chart of the variance against the vector size n, both logarithmic, for the columns of `variance_data`.

    It shows the measured variances with error bars of two standard errors to either side, and the line 1/n.
    """
    measured, theory = _kinds(_by_size())
    title = "variance of the cosine"
    up = alt.Y("variance:Q", title=title, scale=alt.Scale(type="log"), axis=alt.Axis(values=TENS, format="~g"))
    tooltip = tips(*((f"{name}:Q", "", ".5g") for name in ("n", "variance", "theory", "error", "mean")))
    return framed(
        "Does the variance fall as 1/n?",
        _line(theory).encode(y=alt.Y("theory:Q", title=title)),
        measured.mark_rule(strokeWidth=2).encode(y=alt.Y("low:Q", title=title), y2="high:Q"),
        _dots(measured).encode(y=up, tooltip=tooltip),
        height=HEIGHT,
        fitted=True,
    )


def variance_data(statistics: CosineStatistics) -> pd.DataFrame:
    """Return the data for `variance_spec`: one row per vector size n, with the measured variance and 1/n.

    The columns low and high are two standard errors below and above the measured variance, the ends of its error bar;
    low is at least a thousandth of the variance, because the axis is logarithmic.
    """
    low = np.maximum(statistics.variance - 2 * statistics.variance_error, statistics.variance / 1000)
    high = statistics.variance + 2 * statistics.variance_error
    columns = {
        "variance": statistics.variance,
        "error": statistics.variance_error,
        "low": low,
        "high": high,
        "mean": statistics.mean,
    }
    return _small({"n": statistics.sizes, "theory": 1 / statistics.sizes, **columns})


def means_spec() -> dict[str, Any]:
    """Return a chart of the cosines against the vector size n, for the columns of `means_data`.

    It shows the mean of the cosines, a band that holds the middle nine tenths of them, and in dashed lines the theory:
    the ends of that band, and the mean 0.
    """
    measured, theory = _kinds(_by_size())
    title = "cosine"
    up = alt.Y("mean:Q", title=title, scale=alt.Scale(domain=[-1, 1]), axis=alt.Axis(tickCount=5))
    tooltip = tips(*((f"{name}:Q", "", ".4g") for name in ("n", "mean", "error", "low", "high", "theory")))
    band = measured.mark_area(opacity=0.25, tooltip=None)
    return framed(
        "Do they gather around 0?",
        band.encode(y=alt.Y("low:Q", title=title), y2="high:Q"),
        *(_line(theory).encode(y=alt.Y(f"{name}:Q", title=title)) for name in ("theory", "below", "zero")),
        measured.mark_rule(strokeWidth=2).encode(y=alt.Y("mean_low:Q", title=title), y2="mean_high:Q"),
        _dots(measured).encode(y=up, tooltip=tooltip),
        height=HEIGHT,
        fitted=True,
    )


def means_data(statistics: CosineStatistics) -> pd.DataFrame:
    """Return the data for `means_spec`: one row per vector size n.

    mean_low and mean_high are two standard errors below and above the mean. Nine cosines of ten lie between low and
    high; theory and below are the upper and the lower of these two limits in theory.
    """
    columns = {
        "n": statistics.sizes,
        "mean": statistics.mean,
        "error": statistics.mean_error,
        "mean_low": statistics.mean - 2 * statistics.mean_error,
        "mean_high": statistics.mean + 2 * statistics.mean_error,
        "low": statistics.low,
        "high": statistics.high,
        "theory": statistics.theory_high,
        "below": -statistics.theory_high,
        "zero": np.zeros(len(statistics.sizes)),
    }
    return _small(columns)


def cosines_spec(title: str) -> dict[str, Any]:
    """Return a histogram of the cosines at one vector size, with the theoretical density, for `cosines_data`."""
    base = chart(
        x=alt.X(
            "cosine:Q",
            title="cosine between the two (0: at right angles)",
            axis=alt.Axis(grid=False, tickCount=7),
            scale=alt.Scale(nice=False),
        )
    )
    measured, theory = _kinds(base)
    y_title = "share of the pairs, per unit of cosine"
    tooltip = tips(*((f"{name}:Q", "", ".4g") for name in ("cosine", "density", "theory")))
    bars = measured.mark_bar(opacity=0.75).encode(
        x=alt.X("start:Q"), x2="end:Q", y=alt.Y("density:Q", title=y_title), y2=alt.datum(0), tooltip=tooltip
    )
    line = _line(theory).encode(y=alt.Y("theory:Q", title=y_title))
    zero = base.transform_filter("datum.first").mark_rule(color=INK, opacity=0.5).encode(x=alt.datum(0))
    return framed(title, bars, line, zero, height=HEIGHT, fitted=True)


def cosines_data(bins: Bins) -> pd.DataFrame:
    """Return the data for `cosines_spec`: one row per bin."""
    half = (bins.centres[1] - bins.centres[0]) / 2
    ends = {"start": bins.centres - half, "end": bins.centres + half}
    frame = _small({"cosine": bins.centres, **ends, "density": bins.density, "theory": bins.theory})
    return frame.assign(first=frame.index == 0)


def _small(columns: Mapping[str, np.ndarray]) -> pd.DataFrame:
    return pd.DataFrame({name: values.astype(np.float32) for name, values in columns.items()})


def _by_size() -> alt.Chart:
    scale, axis = alt.Scale(type="log", base=2, nice=False), alt.Axis(values=POWERS, format="d", grid=False)
    return chart(x=alt.X("n:Q", title="n, numbers in a vector", scale=scale, axis=axis))


def _kinds(base: alt.Chart) -> tuple[alt.Chart, alt.Chart]:
    """Return the chart twice: in the colour of measured numbers, and in that of theory."""
    coloured = base.encode(color=named("kind:N", HUES, symbolOpacity=1))
    return coloured.transform_calculate(kind="'measured'"), coloured.transform_calculate(kind="'theory'")


def _line(theory: alt.Chart) -> alt.Chart:
    return theory.mark_line(strokeDash=[6, 5], strokeWidth=2)


def _dots(measured: alt.Chart) -> alt.Chart:
    return measured.mark_point(filled=True, size=70, opacity=1)
