"""The cost of each kind of layer along n, d or the number of layers: a line for each kind on a logarithmic scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.bars import bars_data
from core.charts.kit import DASHED, NUMBER, chart, framed, stroke_legend, texts, tips
from core.charts.style import INK, legend_columns

# One hue for each kind, which colour-blind eyes tell apart; the second convolution and the second attention are dashed.
STROKES = {
    "recurrent": ("#8a94a6", [1, 0]),
    "convolution": ("#D55E00", [1, 0]),
    "dilated convolution": ("#D55E00", [5, 4]),
    "self-attention": ("#7a4fcb", [1, 0]),
    "windowed attention": ("#7a4fcb", [5, 4]),
}
POWER = "format(datum.value, '~g')"
LEGEND = {"symbolSize": 400, "symbolStrokeWidth": 2.5, "labelLimit": 200}
TENS = [10.0**power for power in range(-12, 16)]


@dataclass(frozen=True, eq=False)
class CostLine:
    """The line of one kind of layer: points x and y (T,), and the ends of y's spread if it is measured.

    low, high (T,): the lower and the upper end.
    """

    kind: str
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray | None = None
    high: np.ndarray | None = None


def cost_lines_spec(
    title: str,
    x_title: str,
    y_title: str,
    numbers: str = NUMBER,
    log_x: bool = True,
    points: bool = False,
    legend: bool = True,
    height: int = 400,
) -> dict[str, Any]:
    """Return lines and vertical rules, for the columns of `cost_lines_data`; y is logarithmic.

    numbers: a Vega expression for the labels at the axis of y.
    log_x: whether x is logarithmic too.
    points: whether each point is marked, with a stroke from low to high.
    legend: whether there is a legend.
    height: the height in pixels.
    """
    base = chart()
    scale = alt.Scale(type="log", base=2, nice=False) if log_x else alt.Scale(zero=False, nice=False)
    x = alt.X(
        "x:Q", title=x_title, scale=scale, axis=alt.Axis(format=",d", grid=False, tickMinStep=1, labelOverlap=True)
    )
    y = alt.Y(
        "y:Q",
        title=y_title,
        scale=alt.Scale(type="log", nice=False, padding=8),
        axis=alt.Axis(labelExpr=numbers, values=TENS, labelOverlap=True),
    )
    names, hues, dashes = list(STROKES), *zip(*STROKES.values(), strict=True)
    columns = legend_columns(5, (480, 2), (760, 3))
    shown = alt.Legend(**stroke_legend(columns=columns) | LEGEND) if legend else None
    colour = alt.Color("kind:N", title=None, scale=alt.Scale(domain=names, range=list(hues)), legend=shown)
    dash = alt.StrokeDash("kind:N", title=None, scale=alt.Scale(domain=names, range=list(dashes)), legend=shown)
    tooltip = tips(("kind:N", " "), ("x:Q", x_title, ",d"), ("y:Q", y_title, ",.4~g"))
    curves, rules = base.transform_filter("isValid(datum.y)"), base.transform_filter("!isValid(datum.y)")
    layers = [
        rules.mark_rule(**DASHED, opacity=0.7).encode(x=x),
        rules.mark_text(color=INK, align="left", dx=4, baseline="top").encode(
            x=x, y=alt.Y("row:Q", scale=None, axis=None), text="kind:N"
        ),
        curves.mark_line(strokeWidth=2.5).encode(x=x, y=y, color=colour, strokeDash=dash),
        curves.mark_point(filled=True, size=45 if points else 140, opacity=1 if points else 0.001).encode(
            x=x, y=y, color=colour, tooltip=tooltip
        ),
    ]
    if points:
        layers.append(curves.mark_rule(strokeWidth=1.5).encode(x=x, y="low:Q", y2="high:Q", color=colour))
    return framed(title, *layers, height=height, fitted=True)


def cost_lines_data(lines: Sequence[CostLine], rules: Sequence[tuple[float, str]] = ()) -> pd.DataFrame:
    """Return the data for `cost_lines_spec`: one row per point, and one without y per rule.

    Points whose y is not above 0 are left out, because a logarithmic scale has no place for them.

    rules: the x and the text of each rule.
    """
    frames = []
    for line in lines:
        held = np.asarray(line.y, np.float64) > 0
        low, high = (line.y if end is None else end for end in (line.low, line.high))
        columns = {"x": line.x, "y": line.y, "low": low, "high": high}
        frame = pd.DataFrame({name: np.asarray(numbers, np.float64)[held] for name, numbers in columns.items()})
        frames.append(frame.assign(kind=line.kind, row=0.0))
    rows = pd.concat(frames, ignore_index=True)
    for row, (x, words) in enumerate(rules):
        rows.loc[len(rows)] = {"x": x, "kind": words, "row": 4.0 + 18 * row}
    return rows.astype({"kind": "str"})


def operation_bars_data(kinds: Sequence[str], operations: Sequence[int], written: Sequence[str]) -> pd.DataFrame:
    """Return the data for `bars_spec`: one bar for each kind of layer.

    written: the operations as they are written at the end of each bar.
    """
    return bars_data(np.array(operations), kinds).assign(text=texts(written))
