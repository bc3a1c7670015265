"""The residual stream of one token, a row for each step: the added vector, its angle, and the likeliest piece."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import (
    IS_WIDE,
    chart,
    clickable_rows,
    framed,
    headings,
    named,
    quiet_rows,
    row_data,
    tips,
    width_share,
)
from core.charts.style import INK, WEIGHT, printed, share_label

HUES = {
    "embedding": "#8a94a6",
    "positions": "#b8860b",
    "token type": "#a05a2c",
    "attention": WEIGHT,
    "cross-attention": "#56B4E9",
    "feed-forward": "#7a4fcb",
}
BARS, ARROWS, ANGLES, PIECES = 0.46, 0.56, 0.585, 0.72  # shares of the width: end of the bars, next columns


def stream_rows_spec(heard: bool) -> dict[str, Any]:
    """Return bars, arrows and pieces for the columns of `stream_rows_data`.

    A click on a row selects it (`picked`, field "place").

    heard: whether the last column shows the piece that the model would predict from the stream after each step.
    """
    tooltip = tips(
        ("step:N", "step"),
        ("size:Q", "length of what was added", ".3f"),
        ("length:Q", "length of the stream", ".3f"),
        ("degrees:N", "angle to the stream before"),
        *([("said:N", "the stream says")] if heard else []),
    )
    rows = chart(y=quiet_rows("step:N", 120), tooltip=tooltip)
    bars = rows.mark_bar(height={"band": 0.62}, cornerRadiusEnd=2).encode(
        x=width_share("zero:Q"), x2="added:Q", color=named("part:N", HUES, orient=None)
    )
    ticks = rows.mark_tick(color=INK, thickness=2.5, height={"band": 0.9}).encode(x="stands:Q")
    arrows = (
        rows.transform_filter("datum.turn != null")
        .mark_point(shape="arrow", filled=True, color=INK, size=230)
        .encode(x=alt.datum(ARROWS), angle=alt.Angle("turn:Q", scale=None))
    )
    texts = rows.mark_text(align="left", color=INK, fontSize=12)
    angles = texts.encode(x=alt.datum(ANGLES), text="degrees:N")
    layers = [clickable_rows(rows), bars, ticks, arrows, angles]
    if heard:
        share = f"{IS_WIDE} ? '  ' + datum.chance : ''"
        pieces = texts.transform_calculate(shown=f"datum.piece + ({share})").encode(x=alt.datum(PIECES), text="shown:N")
        layers.append(pieces)
    titles = [(0.0, "'bar: added · line: stream'"), (ARROWS - 0.02, f"{IS_WIDE} ? 'angle to the stream' : 'angle'")]
    titles += [(PIECES, f"{IS_WIDE} ? 'the stream would say' : 'says'")] * heard
    title = alt.Title("What does each part add to the stream?", offset=22)
    return framed(title, *layers, *headings(titles), height=alt.Step(25))


def stream_rows_data(
    steps: Sequence[str],
    parts: Sequence[str],
    sizes: Sequence[float],
    lengths: Sequence[float],
    angles: Sequence[float],
    heard: Sequence[tuple[str, float]],
    selected: int,
) -> pd.DataFrame:
    """Return the data for `stream_rows_spec`: one row for each of the S steps; all sequences have S items.

    steps: the labels of the steps, all different.
    parts: the part of the model that adds a vector in each step, one of HUES.
    sizes: the lengths of the added vectors.
    lengths: the lengths of the stream after each step.
    angles: the angle in degrees between the added vector and the stream before it; NaN if there is none, because either
        is zero or nothing came before.
    heard: the piece that the model would predict from the stream after each step, and its probability; or empty.
    selected: the number of the selected step.
    """
    most = max(*sizes, *lengths) or 1.0
    turned = np.asarray(angles, np.float64)
    predictions = heard or [("", 0.0)] * len(steps)
    return row_data(
        "step",
        steps,
        part=list(parts),
        size=np.asarray(sizes, np.float32),
        length=np.asarray(lengths, np.float32),
        added=(BARS * np.asarray(sizes) / most).astype(np.float32),
        stands=(BARS * np.asarray(lengths) / most).astype(np.float32),
        turn=[None if np.isnan(angle) else 90 - angle for angle in turned],
        degrees=[text if text == "–" else f"{text}°" for text in printed(turned, 0)],
        piece=[piece for piece, _ in predictions],
        chance=[share_label(probability) for _, probability in predictions],
        said=[f"{piece} ({share_label(probability, 1)})" if piece else "" for piece, probability in predictions],
        here=np.arange(len(steps)) == selected,
        zero=np.float32(0),
        one=np.float32(1),
    )
