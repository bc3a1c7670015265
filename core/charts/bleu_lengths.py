"""BLEU by the length of the source: a line for each model, with intervals and the number of sentences."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.positions_lines import HEIGHT, HUES
from core.charts.style import BY_PLACE, FITTED, bare_spec, legend_columns

AXIS = alt.Axis(labelAngle=0, labelOverlap=False, labelExpr="split(datum.label, ' ')")
POINT = tuple[str, str, float, int, float | None, float | None]


def bleu_lengths_spec(title: str, models: tuple[str, ...]) -> dict[str, Any]:
    """Return lines over buckets of sentence lengths in words, for the columns of `bleu_lengths_data`."""
    colour = alt.Color(
        "model:N",
        title=None,
        scale=alt.Scale(domain=list(models), range=list(HUES[: len(models)])),
        legend=alt.Legend(
            orient="top",
            labelLimit=240,
            symbolType="stroke",
            symbolStrokeWidth=3,
            columns=legend_columns(3, (480, 1)),
        ),
    )
    across = alt.X("bucket:N", sort=BY_PLACE, title="words of the English sentence (how many sentences)", axis=AXIS)
    base = alt.Chart(alt.NamedData("data")).encode(x=across)
    up = alt.Y("bleu:Q", title="BLEU", scale=alt.Scale(zero=True))
    tips = ["model:N", "words:N", alt.Tooltip("bleu:Q", title="BLEU", format=".2f"), "sentences:Q"]
    lines = base.mark_line(strokeWidth=2.5, point=alt.OverlayMarkDef(size=60)).encode(y=up, color=colour, tooltip=tips)
    spread = base.transform_filter("isValid(datum.low)")
    spread = spread.mark_rule(strokeWidth=1.5).encode(y="low:Q", y2="high:Q", color=colour)
    layered = alt.layer(spread, lines)
    return bare_spec(layered.properties(title=title, width="container", height=HEIGHT, autosize=FITTED))


def bleu_lengths_data(points: Sequence[POINT]) -> pd.DataFrame:
    """Return one row per point.

    points: (model, words, BLEU, number of sentences, lower end, upper end) each.
    """
    model, words, bleu, sentences, low, high = zip(*points, strict=True)
    order = list(dict.fromkeys(words))
    return pd.DataFrame(
        {
            "model": pd.Series(list(model), dtype="str"),
            "words": pd.Series(list(words), dtype="str"),
            "place": np.array([order.index(each) for each in words], np.int16),
            "bleu": np.array(bleu, np.float64),
            "sentences": np.array(sentences, np.int32),
            "bucket": pd.Series([f"{a} ({n:,})" for a, n in zip(words, sentences, strict=True)], dtype="str"),
            "low": np.array([np.nan if each is None else each for each in low], np.float64),
            "high": np.array([np.nan if each is None else each for each in high], np.float64),
        }
    )
