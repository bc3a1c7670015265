"""The cost of a token as the number of tokens read grows: up to two lines, and a rule at the text's current length."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import INK, NEGATIVE, bare_spec

OTHER = "#8a909c"
NUMBER = "replace(format(datum.value, '~s'), 'G', 'B')"  # thousands k, millions M, billions B
PLAIN = "format(datum.value, ',')"


def kv_lines_spec(
    title: str,
    value: str,
    kinds: tuple[str, ...],
    axis: str = NUMBER,
    measured: bool = False,
    first: bool = True,
    most: float = 0.0,
) -> dict[str, Any]:
    """Return a line for each kind, for the columns of `kv_lines_data`.

    axis: a Vega expression for the numbers at the axis.
    measured: whether the values are measured; then points are marked, with strokes between the quartiles.
    first: whether the tokens' axis begins at 0.
    most: the end of the values' axis; 0 means the largest of them.
    """
    chart = alt.Chart(alt.NamedData("data"))
    axes = {
        "x": alt.X(
            "tokens:Q", title="tokens read", scale=alt.Scale(zero=first, nice=False), axis=alt.Axis(tickMinStep=1)
        ),
        "color": alt.Color(
            "kind:N",
            title=None,
            scale=alt.Scale(domain=list(kinds), range=[NEGATIVE, OTHER][: len(kinds)]),
            legend=alt.Legend(orient="top", direction="vertical", labelLimit=280, symbolType="stroke"),
        ),
    }
    curves = chart.transform_filter("datum.kind != 'now'")
    y = alt.Y(
        "value:Q",
        title=value,
        scale=alt.Scale(domain=[0, most]) if most else alt.Scale(zero=True),
        axis=alt.Axis(labelExpr=axis, tickCount=6),
    )
    tips = [
        alt.Tooltip("kind:N", title=" "),
        alt.Tooltip("tokens:Q", format=","),
        alt.Tooltip("value:Q", title=value, format=",.4~r"),
    ]
    line = curves.mark_line(strokeWidth=2.5, point=measured).encode(**axes, y=y, tooltip=tips)
    now = chart.transform_filter("datum.kind == 'now'").encode(x="tokens:Q")
    layers = [
        now.mark_rule(stroke=INK, strokeDash=[3, 3]),
        now.mark_text(color=INK, align="left", dx=4).encode(y=alt.value(6), text="kind:N"),
        line,
    ]
    if measured:
        layers.append(curves.mark_rule(strokeWidth=1.5).encode(**axes, y="low:Q", y2="high:Q"))
    return bare_spec(
        alt.layer(*layers).properties(
            title=title, width="container", height=360, padding={"left": 5, "top": 5, "right": 24, "bottom": 5}
        )
    )


def kv_lines_data(
    tokens: Sequence[int],
    lines: Sequence[tuple[str, np.ndarray]],
    now: int,
    spread: Sequence[tuple[np.ndarray, np.ndarray]] = (),
) -> pd.DataFrame:
    """Return one row per point, and one for `now`.

    lines: (kind, values (T,)) each.
    now: the number of tokens at which the rule is drawn.
    spread: the lower and the upper quartile of each line.
    """
    frames = []
    for place, (kind, values) in enumerate(lines):
        low, high = spread[place] if spread else (values, values)
        frames.append(pd.DataFrame({"tokens": tokens, "kind": kind, "value": values, "low": low, "high": high}))
    frames.append(
        pd.DataFrame({"tokens": [now], "kind": ["now"], "value": [np.nan], "low": [np.nan], "high": [np.nan]})
    )
    numbers = dict.fromkeys(("value", "low", "high"), np.float64)
    return pd.concat([frame.astype(numbers) for frame in frames], ignore_index=True)
