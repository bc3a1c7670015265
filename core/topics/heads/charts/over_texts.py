"""All heads as points on two of their scores, and how one score of a head is distributed over many texts."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import chart, clickable, framed, row_data, texts, tips
from core.charts.style import INK, SIZE

HEIGHT = 340


def head_scatter_spec(across: str, up: str) -> dict[str, Any]:
    """Return all heads as points on two scores, for the columns of `head_scatter_data`.

    across, up: the names of the two scores. A click on a head selects it (`picked`, field "place").
    Heads with a label are darker, and their place is written beside them.
    """
    base = chart(x=alt.X("across:Q", title=across), y=alt.Y("up:Q", title=up))
    points = base.mark_circle(cursor="pointer", color=SIZE).encode(
        size=alt.condition("datum.here", alt.value(220), alt.value(80)),
        opacity=alt.condition("datum.named", alt.value(1), alt.value(0.4)),
        stroke=alt.condition("datum.here", alt.value(INK), alt.value(None)),
        tooltip=tips(("head:N", "head"), ("name:N", "label"), ("across:Q", across, ".3f"), ("up:Q", up, ".3f")),
    )
    named = base.transform_filter("datum.named")
    names = named.mark_text(color=INK, dy=-12, align="right", dx=8).encode(text="head:N")
    return framed("What does each head do over many texts?", clickable(points), names, height=HEIGHT)


def head_scatter_data(
    across: np.ndarray, up: np.ndarray, heads: Sequence[str], names: Sequence[str], chosen: int
) -> pd.DataFrame:
    """Return the data for `head_scatter_spec`: one row for each head.

    across, up: (n,) scores; NaN for a head that has none, which is not drawn.
    names: the label of each head; "" for none.
    chosen: the head that is looked at.
    """
    columns = {"across": across.astype(np.float32), "up": up.astype(np.float32)}
    rows = row_data("head", heads, **columns)
    rows["name"], rows["named"] = texts(name or "none" for name in names), [bool(name) for name in names]
    rows["here"] = rows["place"] == chosen
    return rows[np.isfinite(rows["across"]) & np.isfinite(rows["up"])]


def score_histogram_spec(score: str, head: str) -> dict[str, Any]:
    """Return the texts by one score of a head as upright bars, for the columns of `score_histogram_data`."""
    bars = chart(
        x=alt.X("low:Q", title=score, bin=alt.BinParams(binned=True)),
        x2="high:Q",
        y=alt.Y("texts:Q", title="texts"),
        tooltip=tips(("low:Q", "from", ".2f"), ("high:Q", "to", ".2f"), ("texts:Q", "texts", ",")),
    ).mark_bar(color=SIZE)
    return framed(f"{head.capitalize()} from text to text", bars, height=HEIGHT)


def score_histogram_data(counts: np.ndarray, limits: tuple[float, float]) -> pd.DataFrame:
    """Return the data for `score_histogram_spec`: one row for each of the equal parts, counts (n,), of a range."""
    edges = np.linspace(*limits, len(counts) + 1)
    return pd.DataFrame({"low": edges[:-1], "high": edges[1:], "texts": counts.astype(np.int32)})
