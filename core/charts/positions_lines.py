"""Lines along positions, distances or cosines: measured ones solid, theory dashed, the spread as a band."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import INK, bare_spec

# Okabe and Ito's colours, which colour-blind eyes tell apart; blue, orange and green stay with q, k and v.
HUES = ("#CC79A7", "#56B4E9", "#D55E00", "#7a4fcb", "#8a94a6", "#b8860b", "#2f8f83", "#a03050")
THEORY = "#8a94a6"
FLOOR = 1e-9
HEIGHT = 380


@dataclass(frozen=True)
class Line:
    """One line: its name, points x and y (n,), and perhaps how far y spreads to either side. theory: drawn dashed."""

    name: str
    x: np.ndarray
    y: np.ndarray
    spread: np.ndarray | None = None
    theory: bool = False


def lines_spec(title: str, x_title: str, y_title: str, log: bool = False, limit: str = "") -> dict[str, Any]:
    """Lines with the columns of `lines_data`, in the order of the names.

    log: y on a logarithmic scale, nothing below `FLOOR`. limit: what the upright rule stands for, where there is one.
    """
    base = alt.Chart(alt.NamedData("data"))
    across = alt.X("x:Q", title=x_title, scale=alt.Scale(nice=False, zero=False), axis=alt.Axis(grid=False))
    scale = alt.Scale(type="log", domainMin=FLOOR) if log else alt.Scale(zero=False)
    up = alt.Y("y:Q", title=y_title, scale=scale, axis=alt.Axis(format="~g" if log else "~r", tickCount=5))
    colour = alt.Color(
        "line:N", sort=None, title=None, scale=alt.Scale(range=list(HUES)), legend=alt.Legend(orient="top", columns=4)
    )
    dash = alt.StrokeDash(
        "kind:N", title=None, legend=None, scale=alt.Scale(domain=["measured", "theory"], range=[[1, 0], [6, 5]])
    )
    bands = base.transform_filter("isValid(datum.low)").mark_area(opacity=0.22, tooltip=None)
    marks = base.mark_line(strokeWidth=2, interpolate="linear", clip=True)
    rule = base.transform_filter("isValid(datum.limit)")
    layers = [
        bands.encode(x=across, y=alt.Y("low:Q", title=y_title, scale=scale), y2="high:Q", color=colour),
        marks.encode(x=across, y=up, color=colour, strokeDash=dash),
        _pointed(base).encode(x=across, y=up, tooltip=["line:N", _number("x", x_title), _number("y", y_title)]),
    ]
    if limit:
        words = rule.mark_text(color=INK, align="right", dx=-6, dy=12, baseline="top", text=limit)
        layers += [
            rule.mark_rule(color=INK, strokeDash=[3, 3]).encode(x=alt.X("limit:Q", title=x_title)),
            words.encode(x=alt.X("limit:Q", title=x_title), y=alt.value(0)),
        ]
    return bare_spec(alt.layer(*layers).properties(title=title, width="container", height=HEIGHT))


def lines_data(lines: Sequence[Line], limit: float | None = None, log: bool = False) -> pd.DataFrame:
    """One row a point. log: what is not above `FLOOR` is drawn at it. limit: where the upright rule stands."""
    parts = [_points(line, log) for line in lines]
    frame = pd.concat(parts, ignore_index=True)
    frame["limit"] = np.float32(np.nan)
    if limit is not None:
        frame.loc[0, "limit"] = np.float32(limit)
    return frame


def _points(line: Line, log: bool) -> pd.DataFrame:
    y = np.asarray(line.y, np.float64)
    spread = np.full(len(y), np.nan) if line.spread is None else np.asarray(line.spread, np.float64)
    return pd.DataFrame(
        {
            "line": pd.Series([line.name] * len(y), dtype="str"),
            "kind": pd.Series(["theory" if line.theory else "measured"] * len(y), dtype="str"),
            "x": np.asarray(line.x, np.float32),
            "y": (np.maximum(y, FLOOR) if log else y).astype(np.float32),
            "low": (y - spread).astype(np.float32),
            "high": (y + spread).astype(np.float32),
        }
    )


def _pointed(base: alt.Chart) -> alt.Chart:
    """A wide unseen line under the pointer, so that its tooltip is easy to reach."""
    return base.mark_line(strokeWidth=14, opacity=0.001).encode(detail="line:N")


def _number(column: str, title: str) -> alt.Tooltip:
    return alt.Tooltip(f"{column}:Q", title=title, format=".4g")
