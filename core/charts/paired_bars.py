"""The probabilities of the same answers in two or three runs: bars beside each other for each answer."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import BY_PLACE, CHANCE, INK, POSITIVE, bare_spec, legend_columns, printed

TONES = {2: (CHANCE, POSITIVE), 3: (CHANCE, "#8a94a6", POSITIVE)}
ROOM = 52  # pixels behind the longest bar, for its number


def paired_bars_spec(title: str, names: tuple[str, ...], value_title: str = "probability") -> dict[str, Any]:
    """Return bars for the columns of `paired_bars_data`.

    names: the two or three runs, in order.
    """
    base = alt.Chart(alt.NamedData("data")).encode(
        y=alt.Y("label:N", sort=BY_PLACE, title=None, axis=alt.Axis(ticks=False, labelLimit=110, labelFlush=False)),
        yOffset=alt.YOffset("run:N", sort=list(names), scale=alt.Scale(paddingInner=0.12)),
        tooltip=[
            alt.Tooltip("label:N", title="answer"),
            alt.Tooltip("run:N"),
            alt.Tooltip("text:N", title=value_title),
        ],
    )
    legend = alt.Legend(
        title=None, orient="top", symbolType="square", labelLimit=260, columns=legend_columns(3, (480, 1))
    )
    bars = base.mark_bar(cornerRadiusEnd=2).encode(
        x=alt.X("value:Q", title=value_title, scale=alt.Scale(domain=[0, 1], nice=False), axis=alt.Axis(tickCount=5)),
        color=alt.Color("run:N", scale=alt.Scale(domain=list(names), range=list(TONES[len(names)])), legend=legend),
    )
    numbers = base.mark_text(align="left", dx=4, color=INK, fontSize=10.5, baseline="middle").encode(
        x="value:Q", text="text:N"
    )
    return bare_spec(
        alt.layer(bars, numbers).properties(
            title=title,
            width="container",
            height=alt.Step(13 if len(names) > 2 else 15, **{"for": "offset"}),
            padding={"left": 5, "top": 5, "right": ROOM, "bottom": 5},
        )
    )


def paired_bars_data(labels: Sequence[str], names: Sequence[str], values: np.ndarray) -> pd.DataFrame:
    """Return one row per bar.

    labels: the answers; the same one may come twice.
    values (n, R): the probabilities of n answers in R runs.
    """
    places, runs = (each.ravel() for each in np.indices(values.shape))
    numbered = [f"{place}. {label}" for place, label in enumerate(labels, 1)]
    return pd.DataFrame(
        {
            "place": places.astype(np.int16),
            "label": pd.Series([numbered[int(place)] for place in places], dtype="str"),
            "run": pd.Series([names[int(run)] for run in runs], dtype="str"),
            "value": values.ravel().astype(np.float32),
            "text": printed(values.ravel(), 3),
        }
    )
