"""One row of attention weights, made in three ways: what it adds up to, and a group of bars for each key."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import BY_PLACE, cell_data, chart, framed, named, percents, quiet_rows, texts, tips
from core.charts.style import WEIGHT, legend_columns, share_label

NAMES = ("−∞ before the softmax (right)", "weights set to 0 afterwards", "0 in place of −∞")
COLOURS = (WEIGHT, "#8a93a3", "#7a4fcb")
PARTS = {"on keys that may be seen": WEIGHT, "on hidden keys": "#7a4fcb", "lost": "#5c6472"}
MIN_NAMED = 0.06  # share of a bar that has room for its number


def masks_total_spec() -> dict[str, Any]:
    """Return one bar for each way, in parts, for the columns of `masks_total_data`; it never depends on the data."""
    base = chart(y=quiet_rows("way:N", 260), tooltip=tips("way:N", "part:N", ("share:Q", "", ".1%")))
    ends = percents(alt.X("from_share:Q"), "share of this row's attention"), alt.X2("to_share:Q")
    hues = named("part:N", PARTS, symbolOpacity=1, columns=legend_columns(3, (480, 1)))
    bars = base.mark_bar(height={"band": 0.7}).encode(x=ends[0], x2=ends[1], color=hues)
    numbers = base.mark_text(color="#FFFFFF", fontWeight="bold").encode(x=alt.X("middle:Q"), text="text:N")
    title = alt.TitleParams("Is all of the attention still there?", offset=10)
    return framed(title, bars, numbers, height=alt.Step(34))


def masks_total_data(weights: Sequence[np.ndarray], mask: np.ndarray) -> pd.DataFrame:
    """Return the data for `masks_total_spec`: for each way its weight on the keys that may be seen, on hidden ones, and
    what is missing to 1.

    weights: three rows (K,) of all keys, in the order of `NAMES`.
    mask: (K,), True = may attend.
    """
    shares = np.array([[row[mask].sum(), row[~mask].sum(), 1 - row.sum()] for row in weights]).clip(0, 1)
    ends = shares.cumsum(1).clip(0, 1)
    numbers = {"share": shares, "from_share": ends - shares, "to_share": ends, "middle": ends - shares / 2}
    frame = cell_data(
        ("way", NAMES), ("part", tuple(PARTS)), **{name: each.astype(np.float32) for name, each in numbers.items()}
    )
    named_shares = [share_label(share) if share >= MIN_NAMED else "" for share in shares.ravel()]
    return frame.assign(text=texts(named_shares))


def masks_row_spec() -> dict[str, Any]:
    """Return bars grouped by key, for the columns of `masks_row_data`; the spec never depends on the data."""
    legend: dict[str, Any] = {"direction": "vertical", "labelLimit": 260, "offset": 4, "padding": 0}
    bars = chart(
        y=alt.Y("key:N", sort=BY_PLACE, title="key (✕ = hidden)", axis=alt.Axis(labelLimit=110)),
        yOffset=alt.YOffset("way:N", sort=list(NAMES)),
        x=alt.X("weight:Q", title="weight in this row", scale=alt.Scale(domainMin=0, nice=True)),
        color=named("way:N", dict(zip(NAMES, COLOURS, strict=True)), **legend),
        tooltip=tips("key:N", ("way:N", "made by"), ("weight:Q", "", ".4f")),
    ).mark_bar()
    title = alt.TitleParams("How is this row's attention shared out?", offset=10)
    return framed(title, bars, height=alt.Step(9, **{"for": "offset"}))


def masks_row_data(weights: Sequence[np.ndarray], mask: np.ndarray, labels: Sequence[str]) -> pd.DataFrame:
    """Return the data for `masks_row_spec`: one row for each key and each way to apply the mask.

    weights: three rows (K,), in the order of `NAMES`.
    mask: (K,), True = may attend.
    """
    assert len(weights) == len(NAMES) and all(len(row) == len(mask) == len(labels) for row in weights)
    keys = [label if may else f"✕ {label}" for label, may in zip(labels, mask, strict=True)]
    return cell_data(("key", keys), ("way", NAMES), weight=np.stack(weights, axis=1).astype(np.float32))
