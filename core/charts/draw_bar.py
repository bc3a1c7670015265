"""The draw of a token: the chances laid end to end, and where the random number falls."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import INK, bare_spec

COLOURS = ("rgba(216, 67, 125, 0.75)", "rgba(216, 67, 125, 0.4)")


def draw_bar_spec() -> dict[str, Any]:
    """One bar of segments with a rule at the draw, with the columns of `draw_bar_data`."""
    chart = alt.Chart(alt.NamedData("data"))
    span = {"x": alt.X("from:Q", title="chances laid end to end, the likeliest first", scale=alt.Scale(domain=[0, 1]))}
    segments = chart.transform_filter("datum.kind == 'segment'")
    tips = [alt.Tooltip("piece:N"), alt.Tooltip("chance:Q", format=".4f")]
    bars = segments.mark_bar(height=34, stroke="white", strokeWidth=0.5).encode(
        **span,
        x2="to:Q",
        color=alt.Color("shade:N", scale=alt.Scale(domain=["0", "1"], range=list(COLOURS)), legend=None),
        tooltip=tips,
    )
    names = (
        segments.transform_filter("datum.chance > 0.06")
        .mark_text(color=INK, limit=90, fontSize=12)
        .encode(x=alt.X("middle:Q"), text="piece:N")
    )
    rule = chart.transform_filter("datum.kind == 'draw'").mark_rule(stroke=INK, strokeWidth=2.5).encode(x="from:Q")
    label = (
        chart.transform_filter("datum.kind == 'draw'")
        .mark_text(color=INK, dy=-30, fontWeight="bold", align=alt.expr("datum.from > 0.7 ? 'right' : 'left'"), dx=0)
        .encode(x="from:Q", text="piece:N")
    )
    return bare_spec(
        alt.layer(bars, names, rule, label).properties(
            title="Where the random number falls",
            width="container",
            height=96,
            padding={"left": 5, "top": 5, "right": 12, "bottom": 5},
        )
    )


def draw_bar_data(pieces: list[str], chances: np.ndarray, draw: float | None) -> pd.DataFrame:
    """One row a segment, and one for the draw. chances (n,): the likeliest first; what they leave is "all others"."""
    rest = max(0.0, 1.0 - float(chances.sum()))
    every = np.append(chances, rest)
    ends = np.cumsum(every)
    rows = [
        {
            "kind": "segment",
            "piece": piece,
            "from": end - chance,
            "to": end,
            "middle": end - chance / 2,
            "chance": chance,
            "shade": str(n % 2),
        }
        for n, (piece, chance, end) in enumerate(zip([*pieces, "all others"], every, ends, strict=True))
        if chance > 0
    ]
    if draw is not None:
        rows.append(
            {
                "kind": "draw",
                "piece": f"{draw:.4f}",
                "from": draw,
                "to": draw,
                "middle": draw,
                "chance": 0.0,
                "shade": "0",
            }
        )
    return pd.DataFrame(rows)
