"""Entropy and surprisal along a text, and what each layer would have said, token by token."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import INK, POSITIVE, bare_spec, share_colour

ENTROPY = "#7a4fcb"


def along_text_spec() -> dict[str, Any]:
    """Bars of surprisal and a line of entropy, with the columns of `along_text_data`."""
    base = alt.Chart(alt.NamedData("data")).encode(
        x=alt.X("token:N", sort=None, title="token (number:piece)", axis=alt.Axis(labelAngle=-60, labelLimit=90)),
        tooltip=["token:N", alt.Tooltip("surprisal:Q", format=".3f"), alt.Tooltip("entropy:Q", format=".3f")],
    )
    scale = alt.Scale(domain=["surprisal of the token", "entropy before it"], range=[POSITIVE, ENTROPY])
    bars = (
        base.transform_calculate(kind="'surprisal of the token'")
        .mark_bar(opacity=0.8)
        .encode(
            y=alt.Y("surprisal:Q", title="bits"),
            color=alt.Color("kind:N", scale=scale, title=None, legend=alt.Legend(orient="top")),
            stroke=alt.condition("datum.here", alt.value("#1A1F2B"), alt.value(None)),
        )
    )
    line = (
        base.transform_calculate(kind="'entropy before it'")
        .mark_line(point=True)
        .encode(y="entropy:Q", color=alt.Color("kind:N", scale=scale))
    )
    return bare_spec(
        alt.layer(bars, line).properties(
            title="How unsure was the model, and how surprised?", width="container", height=340
        )
    )


def along_text_data(
    tokens: Sequence[str], surprisal: Sequence[float], entropy: Sequence[float], here: int
) -> pd.DataFrame:
    """One row a token; here: which of them is looked at."""
    return pd.DataFrame(
        {
            "token": pd.Series(list(tokens), dtype="str"),
            "surprisal": np.asarray(surprisal, np.float32),
            "entropy": np.asarray(entropy, np.float32),
            "here": [n == here for n in range(len(tokens))],
        }
    )


def lens_spec() -> dict[str, Any]:
    """A table of tokens (rows) by layers (columns), each cell the likeliest next piece, with `lens_data`'s columns."""
    base = alt.Chart(alt.NamedData("data")).encode(
        y=alt.Y("token:N", sort=None, title="after token", axis=alt.Axis(labelLimit=90)),
        x=alt.X("layer:N", sort=None, title="after layer", axis=alt.Axis(labelAngle=0, orient="top")),
        tooltip=["token:N", "layer:N", "says:N", alt.Tooltip("chance:Q", format=".4f")],
    )
    cells = base.mark_rect(tooltip=None).encode(color=share_colour("chance", "chance of the piece that is shown"))
    words = base.mark_text(color=INK, fontSize=11.5, limit=74).encode(text="says:N")
    return bare_spec(
        alt.layer(cells, words).properties(
            title="What would each layer have said?", width="container", height=alt.Step(24)
        )
    )


def lens_data(tokens: Sequence[str], best: Sequence[Sequence[str]], probability: np.ndarray) -> pd.DataFrame:
    """One row a cell. best and probability (layers + 1, tokens); the first layer is the embedding."""
    names = ["0", *(str(n) for n in range(1, len(best)))]
    rows = [
        {"token": token, "layer": name, "says": best[n][place], "chance": float(probability[n, place])}
        for n, name in enumerate(names)
        for place, token in enumerate(tokens)
    ]
    return pd.DataFrame(rows)
