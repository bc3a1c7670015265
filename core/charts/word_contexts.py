"""A word in several sentences.

The charts show cosines from stage to stage, the sentences on a map, the tokens that a head mixed, and the share of
neighbours with the same sense.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import BY_PLACE, chart, framed, named, numbers_behind, row_data, signed, texts, tips
from core.charts.style import INK, SIZE, legend_columns, moved_and_zoomed, printed
from core.charts.word_map import HAS_ROOM, PALETTE, map_axis, map_data

HEIGHT, MAP_HEIGHT = 420, 420
LINE = 15  # pixels from one label of the word to the next
ON_ONE_POINT = 1e-3  # of the map's extent, below which two dots are drawn as one
GREYS = ("#8a94a6", SIZE)
ONE_SENTENCE_HUES = ("#4d8c2b", "#D55E00", "#7a4fcb")


def stages_spec(
    title: str, y_title: str, drawn: tuple[str, ...], dashed: tuple[str, ...] = (), log: bool = False
) -> dict[str, Any]:
    """Return lines from stage to stage, for the columns of `stages_data`.

    drawn: the names of the lines drawn in colours.
    dashed: the names of the lines drawn dashed, in two greys.
    log: whether the axis is logarithmic, for numbers above 0.
    """
    hues = dict(zip(drawn, PALETTE, strict=False)) | dict(zip(dashed, GREYS, strict=False))
    dashes = [[1, 0]] * len(drawn) + [[6, 4], [2, 3]][: len(dashed)]
    base = chart(
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
        color=_named("series:N", hues, "stroke"),
        strokeDash=alt.StrokeDash("series:N", scale=alt.Scale(domain=list(hues), range=dashes)),
        tooltip=tips("series:N", "stage:N", ("value:Q", y_title, ".3f")),
    )
    lines = base.mark_line(strokeWidth=2.5, interpolate="linear")
    points = base.mark_point(filled=True, size=55, opacity=1).transform_filter(
        alt.FieldOneOfPredicate("series", list(drawn))
    )
    return framed(title, lines, points, height=HEIGHT, fitted=True)


def stages_data(stages: Sequence[str], series: Mapping[str, np.ndarray | float]) -> pd.DataFrame:
    """Return the data for `stages_spec`: one row per point.

    stages: the names of the S stages.
    series: the numbers (S,) of each line by its name, or a single number for a level line; a line with a NaN is left
        out.
    """
    frames = [
        row_data("stage", stages, value=np.broadcast_to(values, len(stages)).astype(np.float32)).assign(series=name)
        for name, values in series.items()
        if not np.isnan(values).any()
    ]
    return pd.concat(frames, ignore_index=True).astype({"series": "str"})


def context_map_spec(title: str, sentences: tuple[str, ...]) -> dict[str, Any]:
    """Return words as points, coloured by sentence, for the columns of `context_map_data`.

    The selected word is large and bold.
    """
    base = chart(
        x=map_axis("x:Q", "axis 1: where they differ most", 70, "~f"),
        y=map_axis("y:Q", "axis 2: next most", 30, "~f"),
        color=_named("sentence:N", dict(zip(sentences, ONE_SENTENCE_HUES, strict=False))),
        tooltip=tips("word:N", "sentence:N", ("x:Q", "", ".3f"), ("y:Q", "", ".3f")),
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
    shown = alt.condition(HAS_ROOM, alt.value(1), alt.value(0))
    return framed(
        title,
        points.add_params(moved_and_zoomed()),
        small.encode(text="word:N", color=alt.value(INK), opacity=shown),
        large.encode(text="label:N", color=alt.value(INK)),
        height=MAP_HEIGHT,
        fitted=True,
    )


def context_map_data(
    places: np.ndarray, words: Sequence[str], sentences: Sequence[str], selected: Sequence[bool]
) -> pd.DataFrame:
    """Return the data for `context_map_spec`: one row per word.

    places (N, 2): the words' places on the map.
    sentences: the name of each word's sentence.
    selected: whether a word is the selected one, which is always written, with the numbers of its sentences, once for
        all that lie on one point; others are written only if they have room.
    """
    first = np.argsort(~np.asarray(selected, dtype=bool), kind="stable")
    labels, shifts = list(words), np.zeros(len(words))
    written = _one_label_a_point(places, sorted(np.flatnonzero(selected).tolist(), key=lambda word: -places[word, 1]))
    for line, same in enumerate(written):
        shifts[same] = LINE * (line - (len(written) - 1) / 2)
        numbers = ", ".join(sentences[word].split()[-1] for word in sorted(same))
        labels[same[0]] = f"{words[same[0]]} ({numbers})"
        for word in same[1:]:
            labels[word] = ""
    columns = {"sentence": texts(sentences), "here": list(selected), "shift": shifts, "label": texts(labels)}
    always = sum(selected)
    return map_data(places, labels, MAP_HEIGHT - 130, first.tolist(), always, **columns).assign(word=texts(words))


def _one_label_a_point(places: np.ndarray, chosen: Sequence[int]) -> list[list[int]]:
    """Return the chosen words in groups that lie on one point of the map (N, 2), in the order given."""
    near = ON_ONE_POINT * float(np.ptp(places, axis=0).max(initial=0.0))
    groups: list[list[int]] = []
    for word in chosen:
        same = [group for group in groups if np.linalg.norm(places[word] - places[group[0]]) <= near]
        if same:
            same[0].append(word)
        else:
            groups.append([word])
    return groups


def drawn_spec(title: str) -> dict[str, Any]:
    """Return a bar for each token that a head mixes, for the columns of `drawn_data`.

    The bar is the token's share of the head's mix z, the tick its attention weight.
    """
    base = chart(
        y=alt.Y("label:N", sort=BY_PLACE, title="token"),
        tooltip=tips(
            ("label:N", "token"),
            ("share:Q", "share of z", ".3f"),
            ("weight:Q", "weight w", ".3f"),
            ("size:Q", "size ‖w v‖", ".3f"),
        ),
    )
    scale = alt.Scale(zero=True, nice=False, padding=8)
    bars = base.mark_bar(color=signed("share"), height={"band": 0.7}).encode(
        x=alt.X("share:Q", title="bar: share of z, tick: weight", scale=scale, axis=alt.Axis(tickCount=5))
    )
    ticks = base.mark_tick(color=INK, thickness=2, height={"band": 0.9}).encode(x="weight:Q")
    ends = [base.mark_point(opacity=0, tooltip=None).encode(x=f"{end}:Q") for end in ("low", "high")]
    whole = alt.TitleParams(title, limit=0)  # a card is narrow while the page is laid out, and would cut it for good
    return framed(whole, bars, ticks, numbers_behind(base, "text_at:Q", 6), *ends, height=alt.Step(26), margin=44)


def drawn_data(
    labels: Sequence[str], shares: np.ndarray, weights: np.ndarray, sizes: np.ndarray, ends: tuple[float, float]
) -> pd.DataFrame:
    """Return the data for `drawn_spec`: one row per token; all arrays are (K,).

    shares: each token's share of the head's mix.
    weights: the attention weights.
    sizes: the lengths of the weighted values, ‖w v‖.
    ends: the least and the greatest number on the common scale of charts beside each other.
    """
    return row_data(
        "label",
        labels,
        share=shares.astype(np.float32),
        weight=weights.astype(np.float32),
        size=sizes.astype(np.float32),
        text=printed(shares),
        text_at=np.maximum(np.maximum(shares, weights), 0).astype(np.float32),
        low=np.float32(ends[0]),
        high=np.float32(ends[1]),
    )


def _named(column: str, hues: Mapping[str, str], symbol: str = "circle") -> alt.Color:
    columns = legend_columns(3, (480, 1), (640, 2))
    return named(column, hues, symbolType=symbol, symbolStrokeWidth=3, labelLimit=260, columns=columns)
