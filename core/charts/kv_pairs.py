"""Two numbers per row, as two bars under each other: with something and without it."""

from collections.abc import Callable, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kv_lines import NUMBER, OTHER
from core.charts.style import BY_PLACE, INK, NEGATIVE, bare_spec

ROOM_FOR_TEXT = 64
TWO_LINES = "split(datum.label, ': ')"  # breaks a label in two at its colon


def kv_pairs_spec(
    title: str, value: str, what: str, kinds: tuple[str, str], axis: str = NUMBER, room: int = ROOM_FOR_TEXT
) -> dict[str, Any]:
    """Return bars with their numbers at the end, for the columns of `kv_pairs_data`.

    what: the kind of thing that a row is, the axis title.
    axis: a Vega expression for the numbers at the axis.
    room: pixels for the number behind the longest bar.
    """
    chart = alt.Chart(alt.NamedData("data")).encode(
        y=alt.Y("label:N", sort=BY_PLACE, title=what, axis=alt.Axis(labelLimit=140, labelExpr=TWO_LINES)),
        yOffset=alt.YOffset("kind:N", sort=list(kinds)),
        tooltip=[
            alt.Tooltip("label:N", title=what),
            alt.Tooltip("kind:N", title=" "),
            alt.Tooltip("text:N", title=value),
        ],
    )
    bars = chart.mark_bar().encode(
        x=alt.X("value:Q", title=value, axis=alt.Axis(labelExpr=axis, tickCount=4)),
        color=alt.Color(
            "kind:N",
            title=None,
            scale=alt.Scale(domain=list(kinds), range=[NEGATIVE, OTHER]),
            legend=alt.Legend(orient="top", direction="vertical", labelLimit=280),
        ),
    )
    texts = chart.mark_text(color=INK, align="left", dx=4, baseline="middle", fontSize=10.5).encode(
        x="value:Q", text="text:N"
    )
    return bare_spec(
        alt.layer(bars, texts).properties(
            title=title,
            width="container",
            height=alt.Step(15),
            padding={"left": 5, "top": 5, "right": room, "bottom": 5},
        )
    )


def kv_pairs_data(
    labels: Sequence[str], kinds: tuple[str, str], one: np.ndarray, other: np.ndarray, text: Callable[[float], str]
) -> pd.DataFrame:
    """Return two rows per label.

    text: formats a number as it is written beside its bar.
    """
    pairs = np.stack([one, other], axis=1)
    return pd.DataFrame(
        {
            "place": np.repeat(np.arange(len(labels), dtype=np.int16), 2),
            "label": pd.Series(np.repeat(list(labels), 2), dtype="str"),
            "kind": list(kinds) * len(labels),
            "value": pairs.astype(np.float64).ravel(),
            "text": [text(each) for each in pairs.ravel()],
        }
    )
