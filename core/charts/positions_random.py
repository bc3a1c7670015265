"""Random directions: mean, spread and variance of their cosines by vector size, and the cosines at one size."""

from typing import Any, Protocol

import altair as alt
import numpy as np
import pandas as pd

from core.charts.positions_lines import THEORY
from core.charts.style import FITTED, INK, bare_spec

MEASURED = "#56B4E9"
HEIGHT = 320
LEGEND = alt.Scale(domain=["measured", "theory"], range=[MEASURED, THEORY])


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
    """Return a chart of the variance against n, both logarithmic, for the columns of `variance_data`.

    It has measured points with two standard errors, and the line 1/n.
    """
    base = alt.Chart(alt.NamedData("data")).encode(
        x=alt.X("n:Q", title="n, numbers in a vector", scale=alt.Scale(type="log", base=2, nice=False), axis=_powers())
    )
    up = alt.Y("variance:Q", title="variance of the cosine", scale=alt.Scale(type="log"), axis=_tens())
    colour = alt.Color("kind:N", scale=LEGEND, title=None, legend=alt.Legend(orient="top", symbolOpacity=1))
    line = base.transform_calculate(kind="'theory'").mark_line(strokeDash=[6, 5], strokeWidth=2)
    bars = base.transform_calculate(kind="'measured'").mark_rule(strokeWidth=2)
    dots = base.transform_calculate(kind="'measured'").mark_point(filled=True, size=70, opacity=1)
    tip = [alt.Tooltip(f"{name}:Q", format=".5g") for name in ("n", "variance", "theory", "error", "mean")]
    return bare_spec(
        alt.layer(
            line.encode(y=alt.Y("theory:Q", title="variance of the cosine"), color=colour),
            bars.encode(y=alt.Y("low:Q", title="variance of the cosine"), y2="high:Q", color=colour),
            dots.encode(y=up, color=colour, tooltip=tip),
        ).properties(title="Does the variance fall as 1/n?", width="container", height=HEIGHT, autosize=FITTED)
    )


def variance_data(found: CosineStatistics) -> pd.DataFrame:
    """Return one row per size; low and high are two standard errors away.

    low is at least a thousandth of the variance, because the axis is logarithmic.
    """
    low = np.maximum(found.variance - 2 * found.variance_error, found.variance / 1000)
    return pd.DataFrame(
        {
            "n": found.sizes.astype(np.int16),
            "variance": found.variance.astype(np.float32),
            "theory": (1 / found.sizes).astype(np.float32),
            "error": found.variance_error.astype(np.float32),
            "low": low.astype(np.float32),
            "high": (found.variance + 2 * found.variance_error).astype(np.float32),
            "mean": found.mean.astype(np.float32),
        }
    )


def means_spec() -> dict[str, Any]:
    """Return a chart of the cosines against n, with theory, for the columns of `means_data`.

    It shows their mean and a band around the middle nine tenths.
    """
    base = alt.Chart(alt.NamedData("data")).encode(
        x=alt.X("n:Q", title="n, numbers in a vector", scale=alt.Scale(type="log", base=2, nice=False), axis=_powers())
    )
    title = "cosine"
    up = alt.Y("mean:Q", title=title, scale=alt.Scale(domain=[-1, 1]), axis=alt.Axis(tickCount=5))
    colour = alt.Color("kind:N", scale=LEGEND, title=None, legend=alt.Legend(orient="top", symbolOpacity=1))
    tip = [alt.Tooltip(f"{name}:Q", format=".4g") for name in ("n", "mean", "error", "low", "high", "theory")]
    band = base.transform_calculate(kind="'measured'").mark_area(opacity=0.25, tooltip=None)
    lines = base.transform_calculate(kind="'theory'").mark_line(strokeDash=[6, 5], strokeWidth=2)
    bars = base.transform_calculate(kind="'measured'").mark_rule(strokeWidth=2)
    dots = base.transform_calculate(kind="'measured'").mark_point(filled=True, size=70, opacity=1)
    return bare_spec(
        alt.layer(
            band.encode(y=alt.Y("low:Q", title=title), y2="high:Q", color=colour),
            lines.encode(y=alt.Y("theory:Q", title=title), color=colour),
            lines.encode(y=alt.Y("below:Q", title=title), color=colour),
            lines.encode(y=alt.Y("zero:Q", title=title), color=colour),
            bars.encode(y=alt.Y("mean_low:Q", title=title), y2="mean_high:Q", color=colour),
            dots.encode(y=up, color=colour, tooltip=tip),
        ).properties(title="Do they gather around 0?", width="container", height=HEIGHT, autosize=FITTED)
    )


def means_data(found: CosineStatistics) -> pd.DataFrame:
    """Return one row per size.

    low and high enclose nine cosines of ten; below and theory are the same two limits in theory.
    """
    columns = {
        "n": found.sizes,
        "mean": found.mean,
        "error": found.mean_error,
        "mean_low": found.mean - 2 * found.mean_error,
        "mean_high": found.mean + 2 * found.mean_error,
        "low": found.low,
        "high": found.high,
        "theory": found.theory_high,
        "below": -found.theory_high,
        "zero": np.zeros(len(found.sizes)),
    }
    return pd.DataFrame({name: values.astype(np.float32) for name, values in columns.items()})


def cosines_spec(title: str) -> dict[str, Any]:
    """Return bars of cosines with the line of theory, for the columns of `cosines_data`."""
    base = alt.Chart(alt.NamedData("data")).encode(
        x=alt.X(
            "cosine:Q",
            title="cosine between the two (0: at right angles)",
            axis=alt.Axis(grid=False, tickCount=7),
            scale=alt.Scale(nice=False),
        )
    )
    colour = alt.Color("kind:N", scale=LEGEND, title=None, legend=alt.Legend(orient="top", symbolOpacity=1))
    up = alt.Y("density:Q", title="share of the pairs, per unit of cosine")
    tip = [alt.Tooltip(f"{name}:Q", format=".4g") for name in ("cosine", "density", "theory")]
    bars = base.transform_calculate(kind="'measured'").mark_bar(opacity=0.75)
    line = base.transform_calculate(kind="'theory'").mark_line(strokeDash=[6, 5], strokeWidth=2)
    zero = base.transform_filter("datum.first").mark_rule(color=INK, opacity=0.5)
    return bare_spec(
        alt.layer(
            bars.encode(x=alt.X("start:Q"), x2="end:Q", y=up, y2=alt.datum(0), color=colour, tooltip=tip),
            line.encode(y=alt.Y("theory:Q", title="share of the pairs, per unit of cosine"), color=colour),
            zero.encode(x=alt.datum(0)),
        ).properties(title=title, width="container", height=HEIGHT, autosize=FITTED)
    )


def cosines_data(found: Bins) -> pd.DataFrame:
    """Return one row per bin."""
    half = (found.centres[1] - found.centres[0]) / 2
    return pd.DataFrame(
        {
            "cosine": found.centres.astype(np.float32),
            "start": (found.centres - half).astype(np.float32),
            "end": (found.centres + half).astype(np.float32),
            "density": found.density.astype(np.float32),
            "theory": found.theory.astype(np.float32),
            "first": np.arange(len(found.centres)) == 0,
        }
    )


def _powers() -> alt.Axis:
    return alt.Axis(values=[2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], format="d", grid=False)


def _tens() -> alt.Axis:
    return alt.Axis(values=[0.0001, 0.001, 0.01, 0.1, 1], format="~g")
