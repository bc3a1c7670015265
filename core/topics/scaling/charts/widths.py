"""Lines of one measured number against d_k, for unscaled and scaled scores, beside the number that theory gives.

Each point is a mean with its standard error, and a band shows the middle 90% of the values that were averaged.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import altair as alt
import numpy as np
import pandas as pd

from core.charts.bars import bars_spec
from core.charts.kit import chart, framed, named, tips
from core.charts.style import INK

SERIES = ("q·k as it is", "q·k ÷ √d_k")
TICKS = (1, 4, 16, 64, 256, 1024)
COLOURS = ("#D55E00", "#7a4fcb")
NUMBERS = ("mean", "less", "more", "low", "high", "theory", "limit", "own")


class WidthMeans(Protocol):
    """A mean at each width with its standard error, and the 5% and 95% quantiles of the averaged numbers."""

    @property
    def mean(self) -> np.ndarray: ...
    @property
    def error(self) -> np.ndarray: ...
    @property
    def low(self) -> np.ndarray: ...
    @property
    def high(self) -> np.ndarray: ...


def series_colour() -> alt.Color:
    """Return the colour of unscaled and of scaled scores."""
    hues = dict(zip(SERIES, COLOURS, strict=True))
    return named("series:N", hues, direction="horizontal", symbolType="circle", symbolOpacity=1)


def scaled_bars_spec(title: str, value_title: str) -> dict[str, Any]:
    """Return a bar for unscaled and one for scaled scores, in their colours; draws the columns of `bars_data`."""
    hue = alt.ExprRef(f"datum.label === {SERIES[0]!r} ? {COLOURS[0]!r} : {COLOURS[1]!r}")
    return bars_spec("scores", title, value_title, hue=hue)


def widths_spec(title: str, y_title: str, log: bool = False, top: float | None = None) -> dict[str, Any]:
    """Return a chart of lines of a measured number against d_k; draws the columns of `widths_data`.

    y_title: the title of the y axis.
    log: whether the y axis is logarithmic.
    top: the end of a linear y axis; None to fit the data.
    """
    scale = alt.Scale(type="log") if log else alt.Scale(domain=[0, top]) if top else alt.Scale(zero=True)
    axis = alt.Axis(format=",~g", tickCount=5, labelOverlap=True)
    x = alt.X(
        "width:Q",
        title="d_k: numbers in a query or key",
        scale=alt.Scale(type="log", base=2, domain=[TICKS[0], TICKS[-1]], nice=False),
        axis=alt.Axis(values=list(TICKS), format=",d", grid=False),
    )

    def y(column: str) -> alt.Y:
        return alt.Y(f"{column}:Q", title=y_title, scale=scale, axis=axis)

    colour = series_colour()
    base = chart(x=x)
    tooltip = tips(
        ("width:Q", "d_k", ","),
        ("series:N", "scores"),
        ("mean:Q", "measured mean", ".4~g"),
        ("less:Q", "mean − standard error", ".4~g"),
        ("more:Q", "mean + standard error", ".4~g"),
        ("low:Q", "5% lie below", ".3~g"),
        ("high:Q", "5% lie above", ".3~g"),
        ("theory:Q", "theory", ".4~g"),
    )
    own_tooltip = tips(("width:Q", "this head's d_k"), ("own:Q", "this head", ".4~g"))
    expected = _with(base, "theory").mark_line(strokeDash=[7, 4], strokeWidth=1.5, color=INK, opacity=0.75)
    dots = _with(base, "mean").mark_point(filled=True, size=60, opacity=1)
    own_marks = _with(base, "own").mark_point(
        shape="diamond", filled=True, size=190, opacity=1, stroke=INK, strokeWidth=1.5
    )
    return framed(
        title,
        _with(base, "low", "high").mark_area(opacity=0.16).encode(y=y("low"), y2="high:Q", color=colour),
        _with(base, "limit").mark_line(strokeDash=[1, 3], color=INK, opacity=0.6).encode(y=y("limit")),
        _with(base, "mean").mark_line(strokeWidth=2).encode(y=y("mean"), color=colour),
        expected.encode(y=y("theory"), detail="series:N"),
        _with(base, "less", "more").mark_rule(strokeWidth=2).encode(y=y("less"), y2="more:Q", color=colour),
        dots.encode(y=y("mean"), color=colour, tooltip=tooltip),
        own_marks.encode(y=y("own"), color=colour, tooltip=own_tooltip),
        height=400,
    )


def widths_data(
    widths: Sequence[int],
    raw: WidthMeans,
    scaled: WidthMeans,
    theory: tuple[np.ndarray | None, np.ndarray | None] = (None, None),
    limit: float | None = None,
    own: tuple[int, float, float] | None = None,
    log: bool = False,
) -> pd.DataFrame:
    """Return the data for `widths_spec`: one row per width and series, then two for a head's own numbers, if given.

    raw, scaled: the numbers measured without and with scaling, arrays (W,).
    theory: the numbers (W,) that theory gives for each of them; None if it gives none.
    limit: a number that no value exceeds.
    own: (d_k, unscaled number, scaled number) of a head.
    log: whether the axis is logarithmic; then values of 0 and below are left out, as in `positive`.
    """
    frames = []
    for series, spread, expected in zip(SERIES, (raw, scaled), theory, strict=True):
        columns = {
            "width": widths,
            "series": series,
            "mean": spread.mean,
            "less": spread.mean - spread.error,
            "more": spread.mean + spread.error,
            "low": spread.low,
            "high": spread.high,
            "theory": np.nan if expected is None else expected,
            "limit": np.nan if limit is None else limit,
            "own": np.nan,
        }
        frames.append(pd.DataFrame(columns))
    if own is not None:
        frames.append(pd.DataFrame({"width": own[0], "series": SERIES, "own": own[1:]}))
    frame = pd.concat(frames, ignore_index=True)
    kinds = {"width": "int16", "series": "str"} | dict.fromkeys(NUMBERS, "float32")
    return positive(frame.astype(kinds)) if log else frame.astype(kinds)


def positive(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a copy of a chart's data with NaN in place of numbers that a logarithmic axis cannot show."""
    numbers = frame[list(NUMBERS)]
    return frame.assign(**numbers.where(numbers > 0))


def _with(base: alt.Chart, *columns: str) -> alt.Chart:
    return base.transform_filter(" && ".join(f"isValid(datum.{column})" for column in columns))
