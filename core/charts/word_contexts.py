"""A word in several sentences.

The charts show cosines from stage to stage, the sentences on a map, the tokens that a head mixed, and the share of
neighbours with the same sense.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import (
    BY_PLACE,
    FITTED,
    INK,
    NEGATIVE,
    POSITIVE,
    SIZE,
    bare_spec,
    legend_columns,
    moved_and_zoomed,
    printed,
)
from core.charts.word_map import PALETTE, ROOMY, rooms

HEIGHT, MAP_HEIGHT = 420, 420
LINE = 15  # pixels from one label of the word to the next
GREYS = ("#8a94a6", SIZE)
ONE_SENTENCE_HUES = ("#4d8c2b", "#D55E00", "#7a4fcb")


def stages_spec(
    title: str, y_title: str, drawn: tuple[str, ...], dashed: tuple[str, ...] = (), log: bool = False
) -> dict[str, Any]:
    """Return lines from stage to stage for the columns of `stages_data`: `drawn` in colours, `dashed` in two greys.

    log: whether the axis is logarithmic, for numbers above 0.
    """
    names = [*drawn, *dashed]
    hues = [*PALETTE[: len(drawn)], *GREYS[: len(dashed)]]
    dashes = [[1, 0]] * len(drawn) + [[6, 4], [2, 3]][: len(dashed)]
    base = alt.Chart(alt.NamedData("data")).encode(
        x=alt.X(
            "stage:N",
            sort=BY_PLACE,
            title="from the first vector to the last",
            axis=alt.Axis(labelAngle=-30, grid=False),
        ),
        y=alt.Y(
            "value:Q",
            title=y_title,
            scale=alt.Scale(type="log", nice=False) if log else alt.Scale(zero=True),
            axis=alt.Axis(tickCount=5) if log else alt.Axis(),
        ),
        color=_named("series:N", names, hues, "stroke"),
        strokeDash=alt.StrokeDash("series:N", scale=alt.Scale(domain=names, range=dashes)),
        tooltip=["series:N", "stage:N", alt.Tooltip("value:Q", format=".3f", title=y_title)],
    )
    lines = base.mark_line(strokeWidth=2.5, interpolate="linear")
    points = base.mark_point(filled=True, size=55, opacity=1).transform_filter(
        alt.FieldOneOfPredicate("series", list(drawn))
    )
    return bare_spec(
        alt.layer(lines, points).properties(title=title, width="container", height=HEIGHT, autosize=FITTED)
    )


def stages_data(stages: Sequence[str], series: Mapping[str, np.ndarray | float]) -> pd.DataFrame:
    """Return one row per point.

    series: by name, a number for each stage (S,), or one for all; series with a NaN are left out.
    """
    frames = [
        pd.DataFrame(
            {
                "place": np.arange(len(stages), dtype=np.int16),
                "stage": pd.Series(list(stages), dtype="str"),
                "series": pd.Series([name] * len(stages), dtype="str"),
                "value": np.broadcast_to(values, len(stages)).astype(np.float32),
            }
        )
        for name, values in series.items()
        if not np.isnan(values).any()
    ]
    return pd.concat(frames, ignore_index=True)


def context_map_spec(title: str, sentences: tuple[str, ...]) -> dict[str, Any]:
    """Return words as points, coloured by sentence, for the columns of `context_map_data`.

    The selected word is large and bold.
    """
    base = alt.Chart(alt.NamedData("data")).encode(
        x=_axis("x:Q", "axis 1: where they differ most", 70),
        y=_axis("y:Q", "axis 2: next most", 30),
        color=_named("sentence:N", list(sentences), list(ONE_SENTENCE_HUES[: len(sentences)])),
        tooltip=[alt.Tooltip("word:N"), alt.Tooltip("sentence:N"), _exact("x"), _exact("y")],
    )
    points = base.mark_circle(opacity=1, clip=True).encode(
        size=alt.condition("datum.here", alt.value(220), alt.value(50)),
        stroke=alt.condition("datum.here", alt.value(INK), alt.value(None)),
        strokeWidth=alt.value(2),
    )
    names: dict[str, Any] = {"align": "left", "baseline": "middle", "clip": True, "color": INK}
    small = base.transform_filter("!datum.here").mark_text(**names, dx=7, fontSize=12)
    large = base.transform_filter("datum.here").mark_text(
        **names, dx=12, dy=alt.expr("datum.shift"), fontSize=15, fontWeight="bold"
    )
    texts = [
        small.encode(text="word:N", color=alt.value(INK), opacity=alt.condition(ROOMY, alt.value(1), alt.value(0))),
        large.encode(text="word:N", color=alt.value(INK)),
    ]
    moved = points.add_params(moved_and_zoomed())
    return bare_spec(
        alt.layer(moved, *texts).properties(title=title, width="container", height=MAP_HEIGHT, autosize=FITTED)
    )


def context_map_data(
    places: np.ndarray, words: Sequence[str], sentences: Sequence[str], here: Sequence[bool]
) -> pd.DataFrame:
    """Return one row per word.

    places: (N, 2).
    sentences: the name of each word's sentence.
    here: whether a word is the selected one, which is always written; other words are written only if they have room.
    """
    first = np.argsort(~np.asarray(here, dtype=bool), kind="stable")
    room = np.empty(len(words))
    room[first] = rooms(places[first], [words[place] for place in first], height=MAP_HEIGHT - 130)
    shifts = np.zeros(len(words))
    above = sorted(np.flatnonzero(here), key=lambda place: -places[place, 1])
    shifts[above] = LINE * (np.arange(len(above)) - (len(above) - 1) / 2)
    return pd.DataFrame(
        {
            "x": places[:, 0].astype(np.float32),
            "y": places[:, 1].astype(np.float32),
            "word": pd.Series(list(words), dtype="str"),
            "sentence": pd.Series(list(sentences), dtype="str"),
            "here": list(here),
            "shift": shifts,
            "room": room.astype(np.float32),
            "span": np.float32(np.ptp(places[:, 0]) if len(places) else 0),
        }
    )


def drawn_spec(title: str) -> dict[str, Any]:
    """Return a bar for each token, for the columns of `drawn_data`.

    The bar is the token's share of a head's mix, the tick its weight.
    """
    base = alt.Chart(alt.NamedData("data")).encode(
        y=alt.Y("label:N", sort=BY_PLACE, title="token"),
        tooltip=[
            alt.Tooltip("label:N", title="token"),
            alt.Tooltip("share:Q", title="share of z", format=".3f"),
            alt.Tooltip("weight:Q", title="weight w", format=".3f"),
            alt.Tooltip("size:Q", title="size ‖w v‖", format=".3f"),
        ],
    )
    scale = alt.Scale(zero=True, nice=False, padding=8)
    bars = base.mark_bar(color=alt.expr(f"datum.share < 0 ? '{NEGATIVE}' : '{POSITIVE}'"), height={"band": 0.7}).encode(
        x=alt.X("share:Q", title="bar: share of z, tick: weight", scale=scale, axis=alt.Axis(tickCount=5))
    )
    ticks = base.mark_tick(color=INK, thickness=2, height={"band": 0.9}).encode(x="weight:Q")
    numbers = base.mark_text(color=INK, align="left", dx=6, baseline="middle").encode(x="text_at:Q", text="text:N")
    ends = [base.mark_point(opacity=0, tooltip=None).encode(x=f"{end}:Q") for end in ("low", "high")]
    return bare_spec(
        alt.layer(bars, ticks, numbers, *ends).properties(
            title=title,
            width="container",
            height=alt.Step(26),
            padding={"left": 5, "top": 5, "right": 44, "bottom": 5},
        )
    )


def drawn_data(
    labels: Sequence[str], shares: np.ndarray, weights: np.ndarray, sizes: np.ndarray, ends: tuple[float, float]
) -> pd.DataFrame:
    """Return one row per token; all arrays are (K,).

    ends: the least and the greatest number on the common scale of charts beside each other.
    """
    return pd.DataFrame(
        {
            "place": np.arange(len(labels), dtype=np.int16),
            "label": pd.Series(list(labels), dtype="str"),
            "share": shares.astype(np.float32),
            "weight": weights.astype(np.float32),
            "size": sizes.astype(np.float32),
            "text": printed(shares),
            "text_at": np.maximum(np.maximum(shares, weights), 0).astype(np.float32),
            "low": np.float32(ends[0]),
            "high": np.float32(ends[1]),
        }
    )


def _named(field: str, names: list[str], hues: list[str], symbol: str = "circle") -> alt.Color:
    columns = legend_columns(3, (480, 1), (640, 2))
    legend = alt.Legend(
        title=None, orient="top", symbolType=symbol, symbolStrokeWidth=3, labelLimit=260, columns=columns
    )
    return alt.Color(field, scale=alt.Scale(domain=names, range=hues), legend=legend)


def _axis(field: str, title: str, room: int) -> Any:
    make = alt.X if field.startswith("x") else alt.Y
    scale = alt.Scale(zero=False, nice=False, padding=room)
    return make(field, title=title, scale=scale, axis=alt.Axis(grid=True, tickCount=5, format="~f"))


def _exact(column: str) -> alt.Tooltip:
    return alt.Tooltip(f"{column}:Q", format=".3f")
