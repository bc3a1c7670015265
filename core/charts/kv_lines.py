"""The cost of a token as the number of tokens read grows: up to two lines, and a rule at the text's current length."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import DASHED, NUMBER, chart, framed, named, tips
from core.charts.style import INK, NEGATIVE

OTHER_COLOUR = "#8a909c"
PLAIN_NUMBER = "format(datum.value, ',')"


def kv_lines_spec(
    title: str,
    value: str,
    kinds: tuple[str, ...],
    axis: str = NUMBER,
    measured: bool = False,
    first: bool = True,
    max_value: float = 0.0,
) -> dict[str, Any]:
    """Return a line for each kind over the number of tokens read, for the columns of `kv_lines_data`.

    value: the title of the values' axis.
    kinds: the names of the lines, one or two.
    axis: a Vega expression for the numbers at that axis.
    measured: whether the values are measured; then points are marked, with strokes between the quartiles.
    first: whether the tokens' axis begins at 0.
    max_value: the end of the values' axis; 0 means the largest of them.
    """
    axes = {
        "x": alt.X(
            "tokens:Q", title="tokens read", scale=alt.Scale(zero=first, nice=False), axis=alt.Axis(tickMinStep=1)
        ),
        "color": named("kind:N", two_hues(kinds), direction="vertical", labelLimit=280, symbolType="stroke"),
    }
    curves = chart().transform_filter("datum.kind != 'now'")
    y = alt.Y(
        "value:Q",
        title=value,
        scale=alt.Scale(domain=[0, max_value]) if max_value else alt.Scale(zero=True),
        axis=alt.Axis(labelExpr=axis, tickCount=6),
    )
    tooltip = tips(("kind:N", " "), ("tokens:Q", "", ","), ("value:Q", value, ",.4~r"))
    line = curves.mark_line(strokeWidth=2.5, point=measured).encode(**axes, y=y, tooltip=tooltip)
    current = chart().transform_filter("datum.kind == 'now'").encode(x="tokens:Q")
    layers = [
        current.mark_rule(**DASHED),
        current.mark_text(color=INK, align="left", dx=4).encode(y=alt.value(6), text="kind:N"),
        line,
    ]
    if measured:
        layers.append(curves.mark_rule(strokeWidth=1.5).encode(**axes, y="low:Q", y2="high:Q"))
    return framed(title, *layers, height=360, margin=24)


def two_hues(kinds: Sequence[str]) -> dict[str, str]:
    """Return the hues of one or two kinds: first the kind that is studied, then the one that it is compared with."""
    return dict(zip(kinds, (NEGATIVE, OTHER_COLOUR), strict=False))


def kv_lines_data(
    tokens: Sequence[int],
    lines: Sequence[tuple[str, np.ndarray]],
    length: int,
    spread: Sequence[tuple[np.ndarray, np.ndarray]] = (),
) -> pd.DataFrame:
    """Return the data for `kv_lines_spec`: one row per point of a line, and one for the vertical rule.

    tokens (T,): the numbers of tokens read.
    lines: (kind, values (T,)) for each line.
    length: the number of tokens at which the rule is drawn.
    spread: the lower and the upper quartile (T,) of each line; empty if the values were not measured.
    """
    frames = []
    for index, (kind, values) in enumerate(lines):
        low, high = spread[index] if spread else (values, values)
        frames.append(pd.DataFrame({"tokens": tokens, "kind": kind, "value": values, "low": low, "high": high}))
    frames.append(
        pd.DataFrame({"tokens": [length], "kind": ["now"], "value": [np.nan], "low": [np.nan], "high": [np.nan]})
    )
    numbers = dict.fromkeys(("value", "low", "high"), np.float64)
    return pd.concat([frame.astype(numbers) for frame in frames], ignore_index=True)
