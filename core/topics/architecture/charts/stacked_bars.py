"""Bytes of several kinds per row, end to end in one bar, with their sum behind it."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import BY_PLACE, cell_data, chart, framed, named, numbers_behind, tips

ROOM_FOR_TEXT = 64
MIB = 2**20


def stacked_bars_spec(title: str, what: str, kinds: tuple[str, ...], colours: tuple[str, ...]) -> dict[str, Any]:
    """Return bars in MiB for the columns of `stacked_bars_data`.

    what: the kind of thing that a row shows, for the tooltip.
    kinds: the kinds of bytes.
    colours: one for each kind.
    """
    base = chart(
        y=alt.Y("label:N", sort=BY_PLACE, title=None, axis=alt.Axis(labelLimit=140)),
        tooltip=tips(("label:N", what), ("kind:N", "held"), ("text:N", "bytes")),
    )
    bars = base.mark_bar(height={"band": 0.7}).encode(
        x=alt.X("start:Q", title="memory, in MiB", axis=alt.Axis(tickCount=4)),
        x2="end:Q",
        color=named("kind:N", dict(zip(kinds, colours, strict=True)), direction="vertical", labelLimit=280),
    )
    sums = numbers_behind(base.transform_filter("datum.last"), "end:Q").encode(text="total:N")
    return framed(title, bars, sums, height=alt.Step(28), margin=ROOM_FOR_TEXT)


def stacked_bars_data(
    labels: Sequence[str], kinds: Sequence[str], sizes: np.ndarray, texts: np.ndarray, totals: Sequence[str]
) -> pd.DataFrame:
    """Return the data for `stacked_bars_spec`: one row for each label and kind.

    labels (R,), kinds (K,): the rows, and the kinds of bytes in each.
    sizes (R, K): the sizes in bytes.
    texts (R, K), totals (R,): the sizes and their sums as they are written.
    """
    ends = np.cumsum(sizes, axis=1, dtype=np.float64) / MIB
    starts = np.column_stack([np.zeros(len(labels)), ends[:, :-1]])
    frame = cell_data(("label", labels), ("kind", kinds), start=starts, end=ends, text=texts)
    return frame.assign(total=[totals[row] for row in frame.place], last=frame.kind == kinds[-1])
