"""One row of attention weights, made in three ways: a group of bars for each key."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import BY_PLACE, WEIGHT, bare_spec

NAMES = ("−∞ before the softmax (right)", "zeros after it", "0 in place of −∞")
COLOURS = (WEIGHT, "#8a93a3", "#7a4fcb")


def masks_row_spec() -> dict[str, Any]:
    """Return bars grouped by key, for the columns of `masks_row_data`; the spec never depends on the data."""
    return bare_spec(
        alt.Chart(alt.NamedData("data"))
        .mark_bar()
        .encode(
            y=alt.Y("key:N", sort=BY_PLACE, title="key (✕ = hidden)", axis=alt.Axis(labelLimit=110)),
            yOffset=alt.YOffset("way:N", sort=list(NAMES)),
            x=alt.X("weight:Q", title="weight in this row", scale=alt.Scale(domainMin=0, nice=True)),
            color=alt.Color(
                "way:N",
                scale=alt.Scale(domain=list(NAMES), range=list(COLOURS)),
                title=None,
                legend=alt.Legend(orient="top", direction="vertical", labelLimit=260, offset=4, padding=0),
            ),
            tooltip=[
                alt.Tooltip("key:N"),
                alt.Tooltip("way:N", title="made by"),
                alt.Tooltip("weight:Q", format=".4f"),
            ],
        )
        .properties(
            title=alt.TitleParams("How is this row's attention shared out?", offset=10),
            width="container",
            height=alt.Step(9, **{"for": "offset"}),
        )
    )


def masks_row_data(weights: Sequence[np.ndarray], mask: np.ndarray, labels: Sequence[str]) -> pd.DataFrame:
    """Return one row for each key and way.

    weights: three rows (K,), in the order of `NAMES`.
    mask: (K,), True = may attend.
    """
    assert len(weights) == len(NAMES) and all(len(row) == len(mask) == len(labels) for row in weights)
    keys = [label if may else f"✕ {label}" for label, may in zip(labels, mask, strict=True)]
    places = {"place": np.arange(len(keys), dtype=np.int16), "key": pd.Series(keys, dtype="str")}
    return pd.concat(
        [
            pd.DataFrame({**places, "way": name, "weight": row.astype(np.float32)})
            for name, row in zip(NAMES, weights, strict=True)
        ],
        ignore_index=True,
    ).astype({"way": "str"})
