"""The vectors of the power method in the plane of the first two eigenvectors, with the selected one highlighted."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import chart, framed, texts, tips
from core.charts.style import INK
from core.topics.depth.charts.by_depth import HEIGHT, HUES

AXIS_FACTOR = 1.15


def iterates_spec(title: str, x_title: str, y_title: str) -> dict[str, Any]:
    """Return a line from 0 to each vector, for the columns of `iterates_data`; both axes have the same unit."""
    base = chart()
    x = alt.X("x:Q", title=x_title, scale=_side("width", "height"), axis=alt.Axis(grid=False, tickCount=5))
    y = alt.Y("y:Q", title=y_title, scale=_side("height", "width"), axis=alt.Axis(grid=False, tickCount=5))
    tooltip = tips("step:Q", ("x:Q", x_title, ".4f"), ("y:Q", "", ".4f"))
    hue = {"value": HUES[0]}
    faint = alt.condition("datum.now", alt.value(1), alt.value(0.28))
    width = alt.condition("datum.now", alt.value(4), alt.value(1.5))
    axis = base.transform_filter("datum.step == 0").mark_rule(color=INK, strokeDash=[6, 4])
    arrows = base.mark_rule().encode(
        x=x, y=y, x2="from:Q", y2="from:Q", color=hue, opacity=faint, strokeWidth=width, tooltip=tooltip
    )
    ends = base.mark_point(filled=True, size=70).encode(x=x, y=y, color=hue, opacity=faint, tooltip=tooltip)
    names = (
        base.transform_filter("datum.now")
        .mark_text(color=INK, align=alt.expr("datum.x < 0 ? 'left' : 'right'"), dy=-16, fontSize=13)
        .encode(x=x, y=y, text="name:N")
    )
    axis = axis.encode(y=alt.Y("from:Q", title=y_title))
    return framed(title, axis, arrows, ends, names, height=HEIGHT, fitted=True)


def iterates_data(plane: np.ndarray, step: int) -> pd.DataFrame:
    """Return the data for `iterates_spec`: one row per vector, from step 0 to this step; the last one is highlighted.

    plane: the vectors (K + 1, 2).
    """
    count = step + 1
    return pd.DataFrame(
        {
            "step": np.arange(count, dtype=np.int16),
            "x": plane[:count, 0].astype(np.float32),
            "y": plane[:count, 1].astype(np.float32),
            "from": np.zeros(count, np.float32),
            "now": np.arange(count) == step,
            "name": texts(f"step {number}" for number in range(count)),
        }
    )


def _side(along: str, across: str) -> alt.Scale:
    """Return a scale of ±AXIS_FACTOR on the shorter side of the picture, and in proportion on the longer."""
    reach = f"{AXIS_FACTOR} * max(1, {along} / {across})"
    return alt.Scale(domainMin=alt.expr(f"-{reach}"), domainMax=alt.expr(reach))
