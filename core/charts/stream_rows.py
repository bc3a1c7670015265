"""The residual stream of one token, a row for each step: the added vector, its angle, and the likeliest piece."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import BY_PLACE, INK, SIZE, bare_spec, printed, share_label

PARTS = ("embedding", "positions", "token type", "attention", "cross-attention", "feed-forward")
HUES = ("#8a94a6", "#b8860b", "#a05a2c", "#0072B2", "#56B4E9", "#7a4fcb")
BARS, ARROWS, ANGLES, PIECES = 0.46, 0.56, 0.585, 0.72  # shares of the width: end of the bars, next columns
ROOMY = "width > 420"


def stream_rows_spec(heard: bool) -> dict[str, Any]:
    """Return bars, arrows and pieces for the columns of `stream_rows_data`.

    A click on a row selects it (`picked`, field "place").
    heard: whether the last column names pieces.
    """
    chart = alt.Chart(alt.NamedData("data"))
    rows = chart.encode(
        y=alt.Y(
            "step:N",
            sort=BY_PLACE,
            title=None,
            axis=alt.Axis(ticks=False, domain=False, labelLimit=120, labelFlush=False),
        ),
        tooltip=[
            alt.Tooltip("step:N", title="step"),
            alt.Tooltip("size:Q", title="length of what was added", format=".3f"),
            alt.Tooltip("length:Q", title="length of the stream", format=".3f"),
            alt.Tooltip("degrees:N", title="angle to the stream before"),
            *([alt.Tooltip("said:N", title="the stream says")] if heard else []),
        ],
    )
    picked = alt.selection_point(name="picked", fields=["place"], on="click", clear=False, empty=False)
    across = alt.X("zero:Q", scale=alt.Scale(domain=[0, 1], nice=False), axis=None)
    whole = rows.mark_bar(cursor="pointer", height={"band": 0.98}, cornerRadius=3).encode(
        x=across, x2="one:Q", color=alt.value(SIZE), opacity=alt.condition("datum.here", alt.value(0.22), alt.value(0))
    )
    bars = rows.mark_bar(height={"band": 0.62}, cornerRadiusEnd=2).encode(
        x=across,
        x2="added:Q",
        color=alt.Color(
            "part:N",
            scale=alt.Scale(domain=list(PARTS), range=list(HUES)),
            legend=None,
        ),
    )
    ticks = rows.mark_tick(color=INK, thickness=2.5, height={"band": 0.9}).encode(x="stands:Q")
    arrows = (
        rows.transform_filter("datum.turn != null")
        .mark_point(shape="arrow", filled=True, color=INK, size=230)
        .encode(x=alt.datum(ARROWS), angle=alt.Angle("turn:Q", scale=None))
    )
    texts = rows.mark_text(align="left", color=INK, fontSize=12)
    angles = texts.encode(x=alt.datum(ANGLES), text="degrees:N")
    layers = [whole.add_params(picked), bars, ticks, arrows, angles]
    if heard:
        share = f"{ROOMY} ? '  ' + datum.chance : ''"
        said = texts.transform_calculate(shown=f"datum.piece + ({share})").encode(x=alt.datum(PIECES), text="shown:N")
        layers.append(said)
    heads = chart.transform_filter("datum.place == 0").mark_text(
        align="left", baseline="bottom", color=INK, fontSize=11, fontWeight="bold"
    )
    titles = [(0.0, "'bar: added · line: stream'"), (ARROWS - 0.02, f"{ROOMY} ? 'angle to the stream' : 'angle'")]
    titles += [(PIECES, f"{ROOMY} ? 'the stream would say' : 'says'")] * heard
    for place, words in titles:
        layers.append(heads.transform_calculate(head=words).encode(x=alt.datum(place), y=alt.value(-6), text="head:N"))
    return bare_spec(
        alt.layer(*layers).properties(
            title=alt.Title("What does each part add to the stream?", offset=22),
            width="container",
            height=alt.Step(25),
        )
    )


def stream_rows_data(
    steps: Sequence[str],
    parts: Sequence[str],
    sizes: Sequence[float],
    lengths: Sequence[float],
    angles: Sequence[float],
    heard: Sequence[tuple[str, float]],
    here: int,
) -> pd.DataFrame:
    """Return one row per step (S,).

    sizes: the lengths of the added vectors.
    lengths: the lengths of the stream after each step.
    angles: in degrees; NaN if a step has none.
    heard: a piece and its probability for each step, or empty.
    here: the selected step.
    """
    most = max(*sizes, *lengths) or 1.0
    turned = np.asarray(angles, np.float64)
    said = heard or [("", 0.0)] * len(steps)
    return pd.DataFrame(
        {
            "place": np.arange(len(steps), dtype=np.int16),
            "step": pd.Series(list(steps), dtype="str"),
            "part": pd.Series(list(parts), dtype="str"),
            "size": np.asarray(sizes, np.float32),
            "length": np.asarray(lengths, np.float32),
            "added": (BARS * np.asarray(sizes) / most).astype(np.float32),
            "stands": (BARS * np.asarray(lengths) / most).astype(np.float32),
            "turn": [None if np.isnan(angle) else 90 - angle for angle in turned],
            "degrees": [text if text == "–" else f"{text}°" for text in printed(turned, 0)],
            "piece": pd.Series([piece for piece, _ in said], dtype="str"),
            "chance": [share_label(chance) for _, chance in said],
            "said": [f"{piece} ({share_label(chance, 1)})" if piece else "" for piece, chance in said],
            "here": [place == here for place in range(len(steps))],
            "zero": np.float32(0),
            "one": np.float32(1),
        }
    )
