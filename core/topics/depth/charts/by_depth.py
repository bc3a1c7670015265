"""A number along the depth of a network, for several ways to build it.

The chart has lines, their spread over seeds as bands, and triangles at the edge if the number is 0 or ∞.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import DASHED, chart, framed, named, stroke_legend, texts, tips
from core.charts.style import INK, legend_columns

# Okabe and Ito's colours, which colour-blind eyes tell apart; blue, orange and green belong to q, k and v.
HUES = ("#D55E00", "#56B4E9", "#c0609a")
TRAINED, RADIUS_POWER = "this model, trained", "radius to the power of the steps left"
GREY, GREYS = "#7a808c", (TRAINED, RADIUS_POWER)  # the groups that are not random networks
DASHES = ([1, 0], [7, 4], [2, 3])
HEIGHT = 400
LONG_NAME = 20  # letters: two names of at most this length fit side by side on a phone
EDGE = 7  # pixels from a triangle to the end of the axis


class DepthLine(Protocol):
    """A line along x with its spread over seeds, in arrays (n,).

    middle: the mean over the seeds (the geometric mean for norms).
    low, high: the least and the greatest number over the seeds.
    over, under: how many seeds have a value above the chart's upper edge (∞), and below its lower edge (0).
    """

    @property
    def group(self) -> str: ...
    @property
    def way(self) -> str: ...
    @property
    def x(self) -> np.ndarray: ...
    @property
    def middle(self) -> np.ndarray: ...
    @property
    def low(self) -> np.ndarray: ...
    @property
    def high(self) -> np.ndarray: ...
    @property
    def over(self) -> np.ndarray: ...
    @property
    def under(self) -> np.ndarray: ...
    @property
    def seeds(self) -> int: ...


def depth_spec(
    title: str, x_title: str, y_title: str, groups: tuple[str, ...], ways: tuple[str, ...] = (), log: bool = True
) -> dict[str, Any]:
    """Return the chart's spec, for the columns of `depth_data`: a hue for each group, a dash for each way."""
    base = chart()
    x = alt.X("x:Q", title=x_title, scale=alt.Scale(nice=False), axis=alt.Axis(grid=False, tickMinStep=1, format="d"))
    scale = alt.Scale(type="log", nice=True, padding=2 * EDGE) if log else alt.Scale(zero=True)
    y_axis = alt.Axis(format="~e" if log else "~r", tickCount=6, labelOverlap=True)

    def y(column: str) -> alt.Y:
        return alt.Y(f"{column}:Q", title=y_title, scale=scale, axis=y_axis)

    narrow = 1 if max(map(len, groups)) > LONG_NAME else 2
    colour = named("group:N", _hues(groups), **stroke_legend(columns=legend_columns(4, (480, narrow))))
    dash = alt.StrokeDash(
        "way:N",
        title=None,
        scale=alt.Scale(domain=list(ways), range=[list(dashes) for dashes in DASHES[: len(ways)]]),
        legend=alt.Legend(**stroke_legend("bottom", symbolStrokeColor=INK)),
    )
    lines = {"x": x, "color": colour} | ({"strokeDash": dash} if ways else {})
    tooltip = tips(("name:N", " "), ("x:Q", x_title))
    numbers = tips(("middle:Q", "mean over seeds", ".4~g"), ("low:Q", "least", ".3~g"), ("high:Q", "greatest", ".3~g"))
    drawn = base.transform_filter("isValid(datum.middle)")
    band = drawn.transform_filter("datum.high > datum.low").mark_area(opacity=0.16, tooltip=None)
    edges = [
        base.transform_filter(f"datum.{edge} > 0")
        .mark_point(shape=shape, filled=True, size=46, opacity=1, aria=False)
        .encode(x=x, y=alt.value(alt.expr(height)), color=colour, tooltip=[*tooltip, *tips(("text:N", " "))])
        for edge, shape, height in (("over", "triangle-up", f"{EDGE}"), ("under", "triangle-down", f"height - {EDGE}"))
    ]
    return framed(
        title,
        band.encode(x=x, y=y("low"), y2="high:Q", color=colour, detail="name:N"),
        drawn.mark_line(strokeWidth=2.5).encode(y=y("middle"), **lines),
        *edges,
        base.transform_filter("isValid(datum.now)").mark_rule(**DASHED, aria=False).encode(x="now:Q"),
        drawn.mark_line(strokeWidth=14, opacity=0.001).encode(x=x, y=y("middle"), detail="name:N"),
        drawn.mark_point(size=120, opacity=0.001).encode(x=x, y=y("middle"), tooltip=[*tooltip, *numbers]),
        height=HEIGHT,
        fitted=True,
    )


def depth_data(lines: Sequence[DepthLine], now: float | None = None) -> pd.DataFrame:
    """Return the data for `depth_spec`: one row per point, with the number of seeds beyond each edge of the chart.

    now: the x of a vertical rule, if there is one.
    """
    frame = pd.concat([_frame(line) for line in lines], ignore_index=True)
    frame["now"] = np.nan
    if now is not None:
        frame.loc[0, "now"] = now
    return frame


def _frame(line: DepthLine) -> pd.DataFrame:
    count, name = len(line.x), f"{line.group}, {line.way}" if line.way else line.group
    words = {"group": line.group, "way": line.way, "name": name}
    numbers = {"x": line.x, "middle": line.middle, "low": line.low, "high": line.high}
    beyond = zip(line.over.tolist(), line.under.tolist(), strict=True)
    return pd.DataFrame(
        {key: texts([word] * count) for key, word in words.items()}
        | {key: np.asarray(values, np.float64) for key, values in numbers.items()}
        | {"over": line.over.astype(np.int16), "under": line.under.astype(np.int16)}
        | {"text": texts(_beyond(over, under, line.seeds) for over, under in beyond)}
    )


def _beyond(over: int, under: int, seeds: int) -> str:
    """Say in words why there is no point; "" if there is one."""
    of = f"in {over or under} of {seeds}" if seeds > 1 else ""
    return f"∞ {of}".strip() if over else f"exactly 0 {of}".strip() if under else ""


def _hues(groups: Sequence[str]) -> dict[str, str]:
    """Return a hue for each group: grey for those in GREYS and for a fourth group."""
    return {group: GREY if group in GREYS else hue for group, hue in zip(groups, (*HUES, GREY), strict=False)}
