"""The permutation test of several models: how far each output is from only having moved along."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.positions_lines import FITTED
from core.charts.style import INK, NEGATIVE, POSITIVE, bare_spec

FLOOR = 1e-9
NARROW = alt.expr("width < 300 ? 1 : 2")


def shuffle_spec() -> dict[str, Any]:
    """One dot a model, its largest difference, and a bar down to its smallest; the columns of `shuffle_data`."""
    base = alt.Chart(alt.NamedData("data")).encode(
        y=alt.Y("model:N", sort=None, title=None, axis=alt.Axis(labelLimit=150, grid=True))
    )
    across = alt.X(
        "at:Q",
        title="difference",
        scale=alt.Scale(type="log", domain=[FLOOR, 1000], clamp=True),
        axis=alt.Axis(values=[1e-9, 1e-6, 1e-3, 1, 1e3], format="~e"),
    )
    scale = alt.Scale(domain=["only permuted", "changed"], range=[NEGATIVE, POSITIVE])
    colour = alt.Color(
        "verdict:N", title=None, scale=scale, legend=alt.Legend(orient="top", symbolOpacity=1, columns=NARROW)
    )
    tip = [alt.Tooltip("model:N"), alt.Tooltip("text:N", title="largest difference"), alt.Tooltip("verdict:N")]
    dots = base.mark_point(filled=True, size=130, opacity=1).encode(x=across, color=colour, tooltip=tip)
    bars = base.mark_rule(strokeWidth=4, opacity=0.45).encode(x=alt.X("from:Q"), x2="at:Q", color=colour)
    text = base.mark_text(color=INK, align="left", dx=10, baseline="middle")
    return bare_spec(
        alt.layer(bars, dots, text.encode(x=across, text="text:N")).properties(
            title="Do the outputs only move along?", width="container", height=alt.Step(34), autosize=FITTED
        )
    )


def shuffle_data(
    models: Sequence[str], least: Sequence[float], largest: Sequence[float], moved: Sequence[bool]
) -> pd.DataFrame:
    """One row a model: the difference of the token that differs least and of the one that differs most.

    moved: whether its outputs only permuted. No difference at all is drawn at `FLOOR`.
    """
    return pd.DataFrame(
        {
            "model": pd.Series(list(models), dtype="str"),
            "from": np.maximum(np.asarray(least, np.float64), FLOOR),
            "at": np.maximum(np.asarray(largest, np.float64), FLOOR),
            "text": [f"{value:.2g}" for value in largest],
            "verdict": ["only permuted" if only else "changed" for only in moved],
        }
    )
