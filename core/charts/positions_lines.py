"""Lines along positions, distances or cosines: measured ones solid, theory dashed, the spread as a band."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import BY_PLACE, DASHED, chart, framed, stroke_legend, texts, tips
from core.charts.style import INK, legend_columns

# Okabe and Ito's colours, which colour-blind eyes tell apart; blue, orange and green belong to q, k and v.
HUES = ("#4d8c2b", "#56B4E9", "#D55E00", "#7a4fcb", "#8a94a6", "#b8860b", "#2f8f83", "#a03050")
# For more lines than these. Nobody tells so many colours apart at a glance; the words at the pointer name each line.
MORE_HUES = (
    *("#d070b0", "#3d4a9e", "#8b5a3c", "#a3b535", "#b48ae0"),
    *("#f08a70", "#5c6b1f", "#6fd0c0", "#7a1f3d", "#b9a779"),
)
MOST_LINES = len(HUES) + len(MORE_HUES)  # that have a colour of their own
THEORY = "#6b7484"
HEIGHT = 380


@dataclass(frozen=True)
class Line:
    """One line with its name and its points x and y (n,).

    spread: how far y spreads to either side, if known.
    theory: whether the line shows theory; it is then drawn dashed.
    """

    name: str
    x: np.ndarray
    y: np.ndarray
    spread: np.ndarray | None = None
    theory: bool = False


def lines_along(
    series: Mapping[str, np.ndarray | float], theory: np.ndarray | float | None = None, spread: np.ndarray | None = None
) -> list[Line]:
    """Return a line for each series, with points at x = 0, 1, 2, …, and one for theory; NaN is left out.

    series: numbers (n,) by the name of the line, or a single number for a level line; the first must be an array.
    theory: the numbers (n,) of the line of theory, or a single one; None for no such line.
    spread: how far the values of every series spread to either side, (n,).
    """
    count = len(np.atleast_1d(next(iter(series.values()))))
    lines = [_along(name, np.broadcast_to(y, count), spread) for name, y in series.items()]
    return lines if theory is None else [*lines, replace(_along("theory", np.broadcast_to(theory, count)), theory=True)]


def shift_lines(fitted: np.ndarray, unseen: np.ndarray, constructed: np.ndarray | None) -> list[Line]:
    """Return lines for the errors (n,) of a matrix that shifts positions.

    fitted: the errors of the fitted matrix.
    unseen: the errors at positions 1, 3, 5, … of a matrix that was fitted to the other positions.
    constructed: the errors of the matrix from the formula, if there is one.
    """
    lines, positions = lines_along({"fitted": fitted}), np.arange(len(fitted))
    if len(unseen):
        lines.append(Line("on unseen positions", positions[1::2], unseen))
    return lines if constructed is None else [*lines, Line("from the formula", positions, constructed)]


def lines_spec(
    title: str, x_title: str, y_title: str, limit: str = "", most: float = 0.0, whole: bool = False, end: float = 0.0
) -> dict[str, Any]:
    """Return lines for the columns of `lines_data`; the legend lists them in the order of the data.

    A line of a single point is drawn as a point. From MOST_LINES measured lines on, colours come again.

    x_title, y_title: the titles of the axes.
    limit: the words beside the vertical rule; no rule if empty.
    most: the end of an axis of y that starts at 0; if it is 0, the numbers decide both ends.
    whole: whether x counts something, so that its axis has marks at whole numbers alone.
    end: as `most`, for the axis of x.
    """
    base = chart()
    marks_of_x: dict[str, Any] = {"tickMinStep": 1} if whole else {}
    reach = alt.Scale(domain=[0, end], nice=False) if end else alt.Scale(nice=False, zero=False)
    across = alt.X("x:Q", title=x_title, scale=reach, axis=alt.Axis(grid=False, **marks_of_x))
    scale = alt.Scale(domain=[0, most], nice=False) if most else alt.Scale(zero=False)
    axis = alt.Axis(format="~r", tickCount=5)
    up = alt.Y("y:Q", title=y_title, scale=scale, axis=axis)
    line_legend = alt.Legend(title=None, **stroke_legend(columns=legend_columns(4, (480, 1))))
    colour = alt.Color("line:N", sort=BY_PLACE, scale=alt.Scale(range=[*HUES, *MORE_HUES]), legend=line_legend)
    theory_legend = alt.Legend(
        title=None, **stroke_legend(symbolStrokeColor=THEORY, columns=legend_columns(4, (480, 1)))
    )
    dash = alt.StrokeDash("theory_line:N", scale=alt.Scale(range=[[6, 5]]), legend=theory_legend)
    measured = base.transform_filter("!datum.theory")
    bands = measured.transform_filter("isValid(datum.low)").mark_area(opacity=0.22, tooltip=None)
    marks = measured.mark_line(strokeWidth=2, clip=True)
    alone = measured.transform_joinaggregate(points="count()", groupby=["line"]).transform_filter("datum.points == 1")
    expected = base.transform_filter("datum.theory").transform_calculate(theory_line="datum.line")
    expected = expected.mark_line(strokeWidth=2, color=THEORY, clip=True)
    rule = base.transform_filter("isValid(datum.limit)")
    tooltip = tips("line:N", ("x:Q", x_title, ".4g"), ("y:Q", y_title, ".4g"))
    layers = [
        bands.encode(x=across, y=alt.Y("low:Q", title=y_title, scale=scale), y2="high:Q", color=colour),
        marks.encode(x=across, y=up, color=colour),
        alone.mark_point(filled=True, size=60, opacity=1, aria=False).encode(
            x=across, y=up, color=colour, tooltip=tooltip
        ),
        expected.encode(x=across, y=up, strokeDash=dash),
        base.mark_line(strokeWidth=14, opacity=0.001).encode(x=across, y=up, detail="line:N", tooltip=tooltip),
    ]
    if limit:
        words = rule.mark_text(color=INK, align="right", dx=-6, dy=12, baseline="top", text=limit)
        layers += [
            rule.mark_rule(**DASHED).encode(x=alt.X("limit:Q", title=x_title)),
            words.encode(x=alt.X("limit:Q", title=x_title), y=alt.value(0)),
        ]
    return framed(title, *layers, height=HEIGHT, fitted=True)


def lines_data(lines: Sequence[Line], limit: float | None = None) -> pd.DataFrame:
    """Return the data for `lines_spec`: one row per point.

    limit: the x of the vertical rule, if there is one.
    """
    parts = [_points(line).assign(place=np.int32(place)) for place, line in enumerate(lines)]
    frame = pd.concat(parts, ignore_index=True)
    frame["limit"] = np.float32(np.nan)
    if limit is not None:
        frame.loc[0, "limit"] = np.float32(limit)
    return frame


def _along(name: str, y: np.ndarray, spread: np.ndarray | None = None) -> Line:
    positions = np.flatnonzero(np.isfinite(y))
    return Line(name, positions, y[positions], None if spread is None else spread[positions])


def _points(line: Line) -> pd.DataFrame:
    y = np.asarray(line.y, np.float64)
    spread = np.full(len(y), np.nan) if line.spread is None else np.asarray(line.spread, np.float64)
    return pd.DataFrame(
        {
            "line": texts([line.name] * len(y)),
            "theory": np.full(len(y), line.theory),
            "x": np.asarray(line.x, np.float32),
            "y": y.astype(np.float32),
            "low": (y - spread).astype(np.float32),
            "high": (y + spread).astype(np.float32),
        }
    )
