"""The draw of a token: the probabilities laid end to end, and the place where the random number falls."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from core.charts.kit import chart, framed, named, tips
from core.charts.style import CHANCE, INK

MANY_COLOUR = "#8a94a6"
TOP, BOTTOM = 26, 62  # pixels between which the bar lies
OTHERS = "all others"


def draw_bar_spec() -> dict[str, Any]:
    """Return one bar of segments, and a rule where the random number falls, for the columns of `draw_bar_data`."""
    across = alt.X(
        "start:Q",
        title="chances laid end to end, the likeliest first",
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=alt.Axis(grid=False, values=[0, 0.25, 0.5, 0.75, 1], format="~g"),
    )
    segments = chart().transform_filter("datum.kind != 'draw'")
    bars = segments.mark_rect(stroke="#808080", strokeWidth=0.6).encode(
        x=across,
        x2="end:Q",
        y=alt.value(TOP),
        y2=alt.value(BOTTOM),
        color=named("kind:N", {"token": CHANCE, "many": MANY_COLOUR}, orient=None),
        opacity=alt.Opacity("strength:Q", scale=None),
        tooltip=tips(("piece:N", "token"), ("said:N", "from – to")),
    )
    names = segments.mark_text(
        color=INK,
        fontSize=12,
        limit=alt.expr("max(1, (datum.end - datum.start) * width - 6)"),
        opacity=alt.expr("(datum.end - datum.start) * width > 26 ? 1 : 0"),
    ).encode(x="middle:Q", y=alt.value((TOP + BOTTOM) / 2), text="piece:N")
    drawn = chart().transform_filter("datum.kind == 'draw'")
    rule = drawn.mark_rule(color=INK, strokeWidth=3).encode(x="start:Q", y=alt.value(TOP - 8), y2=alt.value(BOTTOM + 8))
    side = "datum.start < 0.08 ? 'left' : datum.start > 0.92 ? 'right' : 'center'"
    number = drawn.mark_text(color=INK, fontWeight="bold", fontSize=13, align=alt.expr(side)).encode(
        x="start:Q", y=alt.value(TOP - 17), text="said:N"
    )
    return framed("→ draw: where does the number fall?", bars, names, rule, number, height=190)


def draw_bar_data(parts: Sequence[tuple[str, float, float, bool]], draw: float | None) -> pd.DataFrame:
    """Return the data for `draw_bar_spec`: one row per segment, and one for the random number if one was drawn.

    parts: (piece, start, end, whether it was chosen) for each segment; one without a piece belongs to several tokens.
    draw: the random number in [0, 1); None if none was drawn.
    """
    rows = []
    for n, (piece, start, end, chosen) in enumerate(parts):
        strength = 0.9 if chosen else (0.45, 0.25)[n % 2]
        kind = "token" if piece else "many"
        rows.append((kind, piece or OTHERS, start, end, (start + end) / 2, strength, f"{start:.4f} – {end:.4f}"))
    if draw is not None:
        rows.append(("draw", "", draw, draw, draw, 1.0, f"{draw:.4f}"))
    return pd.DataFrame(rows, columns=["kind", "piece", "start", "end", "middle", "strength", "said"])
