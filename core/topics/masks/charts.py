"""One row of attention weights, made in three ways: a group of bars for each key."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import BY_PLACE, cell_data, chart, framed, named, tips
from core.charts.style import WEIGHT

NAMES = ("−∞ before the softmax (right)", "zeros after it", "0 in place of −∞")
COLOURS = (WEIGHT, "#8a93a3", "#7a4fcb")


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
