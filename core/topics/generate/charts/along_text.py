"""Entropy and surprisal along a text, and the next piece that each layer would have predicted, token by token."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import BY_PLACE, cell_data, chart, clickable, framed, named, row_data, tips
from core.charts.style import CHANCE, INK, SIZE, share_colour

NEXT_TOKEN = "next"


def along_text_spec() -> dict[str, Any]:
    """Return a chart of surprisal as bars and entropy as a line, for the columns of `along_text_data`.

    A click on a bar selects its token (`picked`, field "place").
    """
    base = chart(
        x=alt.X(
            "token:N",
            sort=BY_PLACE,
            title="token (number:piece)",
            axis=alt.Axis(labelAngle=-60, labelLimit=90, labelFlush=False),
        ),
        color=named("kind:N", {"surprisal": CHANCE, "entropy": SIZE}),
        tooltip=tips("token:N", ("surprisal:Q", "", ".3f"), ("entropy:Q", "", ".3f")),
    )
    bars = base.transform_calculate(kind="'surprisal'").mark_bar(cursor="pointer", strokeWidth=2)
    bars = bars.encode(
        y=alt.Y("surprisal:Q", title="bits"),
        stroke=alt.condition("datum.here", alt.value(INK), alt.value(None)),
        opacity=alt.condition("datum.here", alt.value(1), alt.value(0.65)),
    )
    line = base.transform_calculate(kind="'entropy'").mark_line(point=True).encode(y="entropy:Q")
    return framed("How unsure, and how surprised?", clickable(bars), line, height=340)


def along_text_data(
    tokens: Sequence[str], surprisal: Sequence[float], entropy: Sequence[float], selected: int
) -> pd.DataFrame:
    """Return the data for `along_text_spec`: one row per token.

    surprisal, entropy: one number in bits for each token.
    selected: the place of the selected token.
    """
    bits = {"surprisal": np.asarray(surprisal, np.float32), "entropy": np.asarray(entropy, np.float32)}
    return row_data("token", tokens, **bits, here=np.arange(len(tokens)) == selected)


def lens_spec() -> dict[str, Any]:
    """Return a table of the piece that each layer predicts next after each token, for the columns of `lens_data`.

    Rows are tokens, columns layers. A click on a cell selects its row (`picked`, field "place").
    """
    rows = alt.Axis(labelLimit=80, labelFlush=False, ticks=False)
    base = chart(
        y=alt.Y("token:N", sort=BY_PLACE, title="having read", axis=rows),
        x=alt.X("layer:N", sort=None, title="after layer", axis=alt.Axis(labelAngle=0, orient="top", ticks=False)),
        tooltip=tips(
            ("token:N", "having read"),
            ("layer:N", "after layer"),
            ("says:N", "likeliest next"),
            ("chance:Q", "its chance", ".4f"),
        ),
    )
    cells = base.mark_rect(strokeWidth=1.5, cursor="pointer").encode(
        color=share_colour("chance", "chance of the piece that is shown", CHANCE),
        stroke=alt.condition("datum.here", alt.value(INK), alt.value("rgba(128, 128, 128, 0.2)")),
    )
    words = base.mark_text(
        color=INK,
        fontSize=11,
        limit=alt.expr("bandwidth('x') - 3"),
        cursor="pointer",
        fontStyle=alt.expr(f"datum.layer == '{NEXT_TOKEN}' ? 'italic' : 'normal'"),
    ).encode(text="says:N")
    return framed("What would each layer have said?", clickable(cells), words, height=alt.Step(23))


def lens_data(
    tokens: Sequence[str], best: Sequence[Sequence[str]], probability: np.ndarray, came: Sequence[str], selected: int
) -> pd.DataFrame:
    """Return the data for `lens_spec`: one row per cell, with a last column for the tokens that really came next.

    tokens: the labels of the tokens read.
    best, probability (layers + 1, tokens): the likeliest next pieces and their probabilities; the first layer is the
        embedding.
    came (tokens,): the pieces that really came next.
    selected: the row that is outlined.
    """
    layers = [*(str(n) for n in range(len(probability))), NEXT_TOKEN]
    probabilities = np.vstack([probability, np.full(len(tokens), np.nan)]).T.astype(np.float32)
    frame = cell_data(("token", tokens), ("layer", layers), chance=probabilities)
    says = [piece for row in zip(*best, came, strict=True) for piece in row]
    return frame.assign(says=pd.Series(says, dtype="str"), here=frame.place == selected)
