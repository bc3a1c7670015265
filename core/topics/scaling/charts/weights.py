"""The softmax's weights from the largest to the smallest, with and without scaling, and how far they vary."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import chart, framed, texts, tips
from core.charts.style import INK
from core.topics.scaling.charts.widths import SERIES, WidthMeans, series_colour


def weights_spec() -> dict[str, Any]:
    """Return pairs of bars, for the columns of `weights_data`; the spec never depends on the data."""
    base = chart(
        x=alt.X("rank:O", title="keys, from the largest weight to the smallest", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("series:N", sort=list(SERIES)),
    )
    tooltip = tips(
        ("rank:O", "key by weight"),
        ("series:N", "scores"),
        ("mean:Q", "mean weight", ".4f"),
        ("low:Q", "5% lie below", ".4f"),
        ("high:Q", "5% lie above", ".4f"),
    )
    y = alt.Y("mean:Q", title="weight", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5))
    bars = base.mark_bar().encode(y=y, color=series_colour(), tooltip=tooltip)
    ranges = base.mark_rule(color=INK, strokeWidth=1.5).encode(y=alt.Y("low:Q", title="weight"), y2="high:Q")
    return framed("How is one query's attention shared out?", bars, ranges, height=400)


def weights_data(raw: WidthMeans, scaled: WidthMeans, width_index: int) -> pd.DataFrame:
    """Return the data for `weights_spec`: one row for each rank and series.

    raw, scaled: arrays (W, ranks).
    width_index: the index of the width that is shown.
    """
    ranks = np.arange(1, raw.mean.shape[1] + 1, dtype=np.int16)
    frames = []
    for series, spread in zip(SERIES, (raw, scaled), strict=True):
        columns = {"mean": spread.mean[width_index], "low": spread.low[width_index], "high": spread.high[width_index]}
        frame = pd.DataFrame(columns, dtype=np.float32)
        frames.append(frame.assign(rank=ranks, series=texts([series] * len(ranks))))
    return pd.concat(frames, ignore_index=True)
