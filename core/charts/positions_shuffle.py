"""The permutation test of several models: how far each output is from only having moved along."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import INK, NEGATIVE, POSITIVE, bare_spec

FLOOR = 1e-9


def shuffle_spec() -> dict[str, Any]:
    """One dot a model on a logarithmic line, with the columns of `shuffle_data`."""
    base = alt.Chart(alt.NamedData("data")).encode(
        y=alt.Y("model:N", sort=None, title=None, axis=alt.Axis(labelLimit=150, grid=True))
    )
    across = alt.X(
        "at:Q",
        title="largest difference after undoing the shuffle",
        scale=alt.Scale(type="log", domain=[FLOOR, 100]),
        axis=alt.Axis(values=[1e-9, 1e-6, 1e-3, 1], format="~g"),
    )
    scale = alt.Scale(domain=["only permuted", "changed"], range=[NEGATIVE, POSITIVE])
    colour = alt.Color("verdict:N", title="the outputs", scale=scale, legend=alt.Legend(orient="top"))
    tip = [alt.Tooltip("model:N"), alt.Tooltip("text:N", title="largest difference"), alt.Tooltip("verdict:N")]
    dots = base.mark_point(filled=True, size=130, opacity=1).encode(x=across, color=colour, tooltip=tip)
    side = "datum.at > 1e-2 ? 'right' : 'left'"
    away = "datum.at > 1e-2 ? -10 : 10"
    text = base.mark_text(color=INK, align=alt.expr(side), dx=alt.expr(away), baseline="middle")
    return bare_spec(
        alt.layer(dots, text.encode(x=across, text="text:N")).properties(
            title="Do the outputs only move along with the words?", width="container", height=alt.Step(34)
        )
    )


def shuffle_data(models: Sequence[str], largest: Sequence[float], moved: Sequence[bool]) -> pd.DataFrame:
    """One row a model; moved: whether its outputs only permuted. No difference at all is drawn at `FLOOR`."""
    return pd.DataFrame(
        {
            "model": pd.Series(list(models), dtype="str"),
            "at": np.maximum(np.asarray(largest, np.float64), FLOOR),
            "text": [f"{value:.2g}" for value in largest],
            "verdict": ["only permuted" if only else "changed" for only in moved],
        }
    )
