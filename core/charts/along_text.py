"""Entropy and surprisal along a text, and the next piece that each layer would have predicted, token by token."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import BY_PLACE, CHANCE, INK, SIZE, bare_spec, share_colour

CAME = "next"


def along_text_spec() -> dict[str, Any]:
    """Return a chart of surprisal as bars and entropy as a line, for the columns of `along_text_data`.

    A click on a bar selects its token (`picked`, field "place").
    """
    picked = alt.selection_point(name="picked", fields=["place"], on="click", clear=False, empty=False)
    base = alt.Chart(alt.NamedData("data")).encode(
        x=alt.X(
            "token:N",
            sort=BY_PLACE,
            title="token (number:piece)",
            axis=alt.Axis(labelAngle=-60, labelLimit=90, labelFlush=False),
        ),
        tooltip=["token:N", alt.Tooltip("surprisal:Q", format=".3f"), alt.Tooltip("entropy:Q", format=".3f")],
    )
    scale = alt.Scale(domain=["surprisal", "entropy"], range=[CHANCE, SIZE])
    bars = (
        base.transform_calculate(kind="'surprisal'")
        .mark_bar(cursor="pointer", strokeWidth=2)
        .encode(
            y=alt.Y("surprisal:Q", title="bits"),
            color=alt.Color("kind:N", scale=scale, title=None, legend=alt.Legend(orient="top")),
            stroke=alt.condition("datum.here", alt.value(INK), alt.value(None)),
            opacity=alt.condition("datum.here", alt.value(1), alt.value(0.65)),
        )
        .add_params(picked)
    )
    line = (
        base.transform_calculate(kind="'entropy'")
        .mark_line(point=True)
        .encode(y="entropy:Q", color=alt.Color("kind:N", scale=scale))
    )
    return bare_spec(
        alt.layer(bars, line).properties(title="How unsure, and how surprised?", width="container", height=340)
    )


def along_text_data(
    tokens: Sequence[str], surprisal: Sequence[float], entropy: Sequence[float], here: int
) -> pd.DataFrame:
    """Return one row per token.

    here: the place of the selected token.
    """
    return pd.DataFrame(
        {
            "place": np.arange(len(tokens), dtype=np.int16),
            "token": pd.Series(list(tokens), dtype="str"),
            "surprisal": np.asarray(surprisal, np.float32),
            "entropy": np.asarray(entropy, np.float32),
            "here": [n == here for n in range(len(tokens))],
        }
    )


def lens_spec() -> dict[str, Any]:
    """Return a table of the likeliest next pieces, tokens (rows) by layers (columns), for the columns of `lens_data`.

    A click on a cell selects its row (`picked`, field "place").
    """
    picked = alt.selection_point(name="picked", fields=["place"], on="click", clear=False, empty=False)
    base = alt.Chart(alt.NamedData("data")).encode(
        y=alt.Y(
            "token:N", sort=BY_PLACE, title="having read", axis=alt.Axis(labelLimit=80, labelFlush=False, ticks=False)
        ),
        x=alt.X("layer:N", sort=None, title="after layer", axis=alt.Axis(labelAngle=0, orient="top", ticks=False)),
        tooltip=[
            alt.Tooltip("token:N", title="having read"),
            alt.Tooltip("layer:N", title="after layer"),
            alt.Tooltip("says:N", title="likeliest next"),
            alt.Tooltip("chance:Q", title="its chance", format=".4f"),
        ],
    )
    cells = (
        base.mark_rect(strokeWidth=1.5, cursor="pointer")
        .encode(
            color=share_colour("chance", "chance of the piece that is shown", CHANCE),
            stroke=alt.condition("datum.here", alt.value(INK), alt.value("rgba(128, 128, 128, 0.2)")),
        )
        .add_params(picked)
    )
    words = base.mark_text(
        color=INK,
        fontSize=11,
        limit=alt.expr("bandwidth('x') - 3"),
        cursor="pointer",
        fontStyle=alt.expr(f"datum.layer == '{CAME}' ? 'italic' : 'normal'"),
    ).encode(text="says:N")
    return bare_spec(
        alt.layer(cells, words).properties(
            title="What would each layer have said?", width="container", height=alt.Step(23)
        )
    )


def lens_data(
    tokens: Sequence[str], best: Sequence[Sequence[str]], probability: np.ndarray, came: Sequence[str], here: int
) -> pd.DataFrame:
    """Return one row per cell, with a last column for the pieces that were really written.

    best, probability (layers + 1, tokens): the likeliest next pieces and their probabilities; the first layer is the
        embedding.
    came (tokens,): the pieces that were really written.
    here: the row that is outlined.
    """
    layers, count = probability.shape
    names = [*(str(n) for n in range(layers)), CAME]
    return pd.DataFrame(
        {
            "token": pd.Series(list(tokens) * (layers + 1), dtype="str"),
            "layer": pd.Series(np.repeat(np.array(names, dtype=object), count), dtype="str"),
            "says": pd.Series([*(piece for row in best for piece in row), *came], dtype="str"),
            "chance": np.append(probability.ravel(), np.full(count, np.nan)).astype(np.float32),
            "place": np.tile(np.arange(count, dtype=np.int16), layers + 1),
            "here": np.tile(np.arange(count) == here, layers + 1),
        }
    )
