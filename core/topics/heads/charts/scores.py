"""One number for every head: a map of layers by heads with the number printed in each cell."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import chart, framed, tips
from core.charts.style import INK, printed, share_colour


def head_scores_spec(
    title: str = "What does each head do?", legend: str = "colour: 0 = least possible, 1 = most possible"
) -> dict[str, Any]:
    """Return the map's spec, for the columns of `head_scores_data`; it never depends on the data.

    legend: what the ends of the colours are.
    """
    base = chart(
        x=alt.X("head:O", title="head (columns)", axis=alt.Axis(labelAngle=0, orient="top")),
        y=alt.Y("layer:O", title="layer (rows)"),
        tooltip=tips(("layer:O", "layer"), ("head:O", "head"), ("text:N", "value")),
    )
    cells = base.mark_rect(stroke="#808080", strokeOpacity=0.25, strokeWidth=1).encode(
        color=share_colour("share", legend)
    )
    numbers = base.mark_text(color=INK, opacity=alt.expr("bandwidth('x') < 26 ? 0 : 1")).encode(text="text:N")
    return framed(title, cells, numbers, height=alt.Step(30))


def head_scores_data(values: np.ndarray, limits: tuple[float, float]) -> pd.DataFrame:
    """Return the data for `head_scores_spec`: one row per head; layers and heads count from 1, as on screen.

    values: (N, H), masked if a head has no score; it is then printed as "–" on an empty cell.
    limits: the least and the greatest score that a head can have; the column `share`, which colours the cell, runs from
        0 to 1 between them.
    """
    layers, heads = values.shape
    low, high = limits
    plain = np.ma.filled(np.ma.asarray(values).astype(np.float64), np.nan).ravel()
    share = np.clip((plain - low) / (high - low), 0, 1) if high > low else plain * 0
    return pd.DataFrame(
        {
            "layer": np.repeat(np.arange(1, layers + 1, dtype=np.int16), heads),
            "head": np.tile(np.arange(1, heads + 1, dtype=np.int16), layers),
            "value": plain.astype(np.float32),
            "share": share.astype(np.float32),
            "text": printed(plain, 2),
        }
    )
