"""The number of parameters of several models: a dot for each on one scale from thousands to billions."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kv_lines import NUMBER, OTHER
from core.charts.style import BY_PLACE, INK, NEGATIVE, POSITIVE, bare_spec

ROOM_FOR_TEXT = 56


def model_totals_spec(title: str, groups: tuple[str, str, str]) -> dict[str, Any]:
    """Return dots for the columns of `model_totals_data`; a click on one selects its model (`picked`, field "place").

    groups: the kinds of models.
    """
    chart = alt.Chart(alt.NamedData("data")).encode(
        y=alt.Y("label:N", sort=BY_PLACE, title=None, axis=alt.Axis(labelLimit=150, grid=True)),
        tooltip=[
            alt.Tooltip("label:N", title="model"),
            alt.Tooltip("value:Q", title="parameters, counted", format=","),
            alt.Tooltip("published:N", title="published"),
        ],
    )
    across = alt.X(
        "value:Q",
        title="parameters",
        scale=alt.Scale(type="log"),
        axis=alt.Axis(labelExpr=NUMBER, values=[10**power for power in range(3, 13)]),
    )
    rings = chart.transform_filter("datum.chosen").mark_point(size=220, color=INK, strokeWidth=2).encode(x=across)
    dots = (
        chart.mark_circle(size=90, opacity=1)
        .encode(
            x=across,
            color=alt.Color(
                "group:N",
                title=None,
                scale=alt.Scale(domain=list(groups), range=[NEGATIVE, OTHER, POSITIVE]),
                legend=alt.Legend(orient="top", labelLimit=280),
            ),
        )
        .add_params(alt.selection_point(name="picked", fields=["place"], on="click", clear=False, empty=False))
    )
    texts = chart.mark_text(color=INK, align="left", dx=11, baseline="middle").encode(x=across, text="text:N")
    return bare_spec(
        alt.layer(rings, dots, texts).properties(
            title=title,
            width="container",
            height=alt.Step(19),
            padding={"left": 5, "top": 5, "right": ROOM_FOR_TEXT, "bottom": 5},
        )
    )


def model_totals_data(
    labels: Sequence[str],
    parameters: Sequence[int],
    published: Sequence[str],
    groups: Sequence[str],
    chosen: int,
    texts: Sequence[str],
) -> pd.DataFrame:
    """Return one row per model, in the order given.

    chosen: the place of the selected model.
    texts: each model's parameters as they are written beside its dot.
    """
    return pd.DataFrame(
        {
            "place": np.arange(len(labels), dtype=np.int16),
            "label": pd.Series(list(labels), dtype="str"),
            "value": np.array(parameters, dtype=np.float64),
            "published": list(published),
            "group": list(groups),
            "chosen": np.arange(len(labels)) == chosen,
            "text": list(texts),
        }
    )
