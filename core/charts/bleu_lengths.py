"""BLEU by the length of the source: a line for each model, with intervals and the number of sentences."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.positions_lines import HUES
from core.charts.style import BY_PLACE, INK, bare_spec

POINT = tuple[str, str, float, int, float | None, float | None]


def bleu_lengths_spec(title: str, models: tuple[str, ...]) -> dict[str, Any]:
    """Lines over buckets of words, with the columns of `bleu_lengths_data`."""
    colour = alt.Color(
        "model:N",
        title=None,
        scale=alt.Scale(domain=list(models), range=list(HUES[: len(models)])),
        legend=alt.Legend(orient="top", labelLimit=240, symbolType="stroke", symbolStrokeWidth=3),
    )
    across = alt.X("words:N", sort=BY_PLACE, title="words of the English sentence", axis=alt.Axis(labelAngle=0))
    base = alt.Chart(alt.NamedData("data")).encode(x=across)
    up = alt.Y("bleu:Q", title="BLEU", scale=alt.Scale(zero=True))
    tips = ["model:N", "words:N", alt.Tooltip("bleu:Q", title="BLEU", format=".2f"), "sentences:Q"]
    lines = base.mark_line(strokeWidth=2.5, point=alt.OverlayMarkDef(size=60)).encode(y=up, color=colour, tooltip=tips)
    spread = base.transform_filter("isValid(datum.low)")
    spread = spread.mark_rule(strokeWidth=1.5).encode(y="low:Q", y2="high:Q", color=colour)
    counts = base.transform_filter("datum.counted").mark_text(color=INK, baseline="bottom", dy=-2, fontSize=11)
    counts = counts.encode(y=alt.value(340), text="count:N")
    return bare_spec(alt.layer(spread, lines, counts).properties(title=title, width="container", height=340))


def bleu_lengths_data(points: Sequence[POINT]) -> pd.DataFrame:
    """One row a point: (model, words, BLEU, sentences, lower end, upper end). The first model's bear the counts."""
    model, words, bleu, sentences, low, high = zip(*points, strict=True)
    order = list(dict.fromkeys(words))
    return pd.DataFrame(
        {
            "model": pd.Series(list(model), dtype="str"),
            "words": pd.Series(list(words), dtype="str"),
            "place": np.array([order.index(each) for each in words], np.int16),
            "bleu": np.array(bleu, np.float64),
            "sentences": np.array(sentences, np.int32),
            "count": pd.Series([f"{each:,} sentences" for each in sentences], dtype="str"),
            "counted": [each == model[0] for each in model],
            "low": np.array([np.nan if each is None else each for each in low], np.float64),
            "high": np.array([np.nan if each is None else each for each in high], np.float64),
        }
    )
