"""Bytes of several kinds per row, end to end in one bar, with their sum behind it."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import BY_PLACE, INK, bare_spec

ROOM_FOR_TEXT = 64
MIB = 2**20


def stacked_bars_spec(title: str, what: str, kinds: tuple[str, ...], colours: tuple[str, ...]) -> dict[str, Any]:
    """Return bars in MiB for the columns of `stacked_bars_data`.

    what: the kind of thing that a row is, for the tooltip.
    colours: one for each kind.
    """
    chart = alt.Chart(alt.NamedData("data")).encode(
        y=alt.Y("label:N", sort=BY_PLACE, title=None, axis=alt.Axis(labelLimit=140)),
        tooltip=[
            alt.Tooltip("label:N", title=what),
            alt.Tooltip("kind:N", title="held"),
            alt.Tooltip("text:N", title="bytes"),
        ],
    )
    bars = chart.mark_bar(height={"band": 0.7}).encode(
        x=alt.X("start:Q", title="MiB", axis=alt.Axis(tickCount=4)),
        x2="end:Q",
        color=alt.Color(
            "kind:N",
            title=None,
            scale=alt.Scale(domain=list(kinds), range=list(colours)),
            legend=alt.Legend(orient="top", direction="vertical", labelLimit=280),
        ),
    )
    sums = (
        chart.transform_filter("datum.last")
        .mark_text(color=INK, align="left", dx=5, baseline="middle")
        .encode(x="end:Q", text="total:N")
    )
    return bare_spec(
        alt.layer(bars, sums).properties(
            title=title,
            width="container",
            height=alt.Step(28),
            padding={"left": 5, "top": 5, "right": ROOM_FOR_TEXT, "bottom": 5},
        )
    )


def stacked_bars_data(
    labels: Sequence[str], kinds: Sequence[str], sizes: np.ndarray, texts: np.ndarray, totals: Sequence[str]
) -> pd.DataFrame:
    """Return one row for each label and kind.

    sizes (R, K): in bytes.
    texts (R, K), totals (R,): the sizes and their sums as they are written.
    """
    ends = np.cumsum(sizes, axis=1, dtype=np.float64) / MIB
    rows, columns = sizes.shape
    return pd.DataFrame(
        {
            "place": np.repeat(np.arange(rows, dtype=np.int16), columns),
            "label": pd.Series(np.repeat(list(labels), columns), dtype="str"),
            "kind": list(kinds) * rows,
            "start": np.column_stack([np.zeros(rows), ends[:, :-1]]).ravel(),
            "end": ends.ravel(),
            "text": texts.ravel(),
            "total": pd.Series(np.repeat(list(totals), columns), dtype="str"),
            "last": ([False] * (columns - 1) + [True]) * rows,
        }
    )
