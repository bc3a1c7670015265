"""The softmax's weights from the largest to the smallest, with and without scaling, and how far they vary."""

from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.scaling_widths import SERIES, Measured, series_colour
from core.charts.style import INK, bare_spec


def weights_spec(title: str = "How is one query's attention shared out?") -> dict[str, Any]:
    """Return pairs of bars, for the columns of `weights_data`; the spec never depends on the data."""
    base = alt.Chart(alt.NamedData("data")).encode(
        x=alt.X("rank:O", title="keys, from the largest weight to the smallest", axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("series:N", sort=list(SERIES)),
    )
    told = [
        alt.Tooltip("rank:O", title="key by weight"),
        alt.Tooltip("series:N", title="scores"),
        alt.Tooltip("mean:Q", title="mean weight", format=".4f"),
        alt.Tooltip("low:Q", title="5% lie below", format=".4f"),
        alt.Tooltip("high:Q", title="5% lie above", format=".4f"),
    ]
    y = alt.Y("mean:Q", title="weight", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5))
    return bare_spec(
        alt.layer(
            base.mark_bar().encode(y=y, color=series_colour(), tooltip=told),
            base.mark_rule(color=INK, strokeWidth=1.5).encode(y=alt.Y("low:Q", title="weight"), y2="high:Q"),
        ).properties(title=title, width="container", height=400)
    )


def weights_data(raw: Measured, scaled: Measured, place: int) -> pd.DataFrame:
    """Return one row for each rank and series.

    raw, scaled: arrays (W, ranks).
    place: the index of the width that is shown.
    """
    ranks = np.arange(1, raw.mean.shape[1] + 1, dtype=np.int16)
    frames = [
        pd.DataFrame(
            {
                "rank": ranks,
                "series": series,
                "mean": spread.mean[place].astype(np.float32),
                "low": spread.low[place].astype(np.float32),
                "high": spread.high[place].astype(np.float32),
            }
        ).astype({"series": "str"})
        for series, spread in zip(SERIES, (raw, scaled), strict=True)
    ]
    return pd.concat(frames, ignore_index=True)
