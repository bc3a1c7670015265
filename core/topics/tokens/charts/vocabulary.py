"""A one-hot vector over a vocabulary, and token counts by language."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import BY_PLACE, cell_data, chart, framed, tips
from core.charts.style import INK, POSITIVE, SIZE


def one_hot_spec(size: int) -> dict[str, Any]:
    """Return a chart of a vector of `size` numbers with one 1 in it, for the columns of `one_hot_data`."""
    ids = alt.Scale(domain=[0, size - 1], nice=False)
    base = chart(x=alt.X("id:Q", title="id", scale=ids, axis=alt.Axis(grid=False, format="d")))
    y = alt.Y("value:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(values=[0, 1], grid=False))
    zeros = base.transform_filter("datum.value == 0").mark_line(color=SIZE, strokeWidth=2).encode(y=y)
    ones = base.transform_filter("datum.value == 1").encode(y=y, tooltip=tips(("id:Q", "", ","), "piece:N"))
    rule = ones.mark_rule(color=POSITIVE, strokeWidth=3).encode(y2=alt.datum(0))
    dot = ones.mark_circle(color=POSITIVE, size=70, opacity=1)
    return framed("The one-hot vector, from the first id to the last", zeros, rule, dot, height=150)


def one_hot_data(vector: np.ndarray, piece: str) -> pd.DataFrame:
    """Return the data for `one_hot_spec`: both ends of the line of zeros, and one row per number that is not 0.

    vector: (V,).
    piece: the piece of the vector's 1.
    """
    places = [0, *np.flatnonzero(vector).tolist(), len(vector) - 1]
    values = [0.0, *vector[vector != 0].astype(float).tolist(), 0.0]
    names = ["", *[piece] * (len(places) - 2), ""]
    return pd.DataFrame({"id": places, "value": values, "piece": names})


def language_costs_spec(name: str) -> dict[str, Any]:
    """Return a table of coloured counts by language and tokenizer, for the columns of `language_costs_data`.

    name: the language of which the other counts are multiples.
    """
    base = chart(
        x=alt.X("tokenizer:N", sort=BY_PLACE, title=None, axis=alt.Axis(orient="top", labelAngle=-40)),
        y=alt.Y("language:N", sort=alt.EncodingSortField("row", op="min"), title=None),
        tooltip=tips("language:N", "tokenizer:N", ("count:Q", "tokens"), ("ratio:Q", f"times {name}", ".2f")),
    )
    cells = base.mark_rect().encode(
        color=alt.Color(
            "ratio:Q",
            title=f"as a multiple of {name}",
            scale=alt.Scale(domain=[1, 8], range=[f"{SIZE}10", f"{SIZE}d9"], clamp=True),
            legend=alt.Legend(orient="bottom", direction="horizontal", gradientThickness=10, titleLimit=300),
        )
    )
    numbers = base.mark_text(color=INK, fontSize=12).encode(text="count:Q")
    return framed("Tokens of the same sentence", cells, numbers, height=alt.Step(24))


def language_costs_data(
    counts: np.ndarray, ratios: np.ndarray, languages: Sequence[str], tokenizers: Sequence[str]
) -> pd.DataFrame:
    """Return the data for `language_costs_spec`: one row per cell.

    counts (languages, tokenizers): number of tokens.
    ratios (languages, tokenizers): these numbers as multiples of those of one language.
    """
    frame = cell_data(("language", languages), ("tokenizer", tokenizers), count=counts, ratio=ratios)
    return frame.assign(row=frame.place, place=[*range(len(tokenizers))] * len(languages))
