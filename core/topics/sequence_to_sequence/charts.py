"""BLEU by the length of the source: a line for each model, with intervals and the number of sentences."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import BY_PLACE, chart, framed, named, texts, tips
from core.charts.positions_lines import HEIGHT, HUES
from core.charts.style import legend_columns

AXIS = alt.Axis(labelAngle=0, labelOverlap=False, labelExpr="split(datum.label, ' ')")
POINT = tuple[str, str, float, int, float | None, float | None]


def bleu_lengths_spec(title: str, models: tuple[str, ...]) -> dict[str, Any]:
    """Return lines over buckets of sentence lengths in words, for the columns of `bleu_lengths_data`."""
    hues, columns = dict(zip(models, HUES, strict=False)), legend_columns(3, (480, 1))
    colour = named("model:N", hues, labelLimit=240, symbolType="stroke", symbolStrokeWidth=3, columns=columns)
    across = alt.X("bucket:N", sort=BY_PLACE, title="words of the English sentence (how many sentences)", axis=AXIS)
    base = chart(x=across)
    up = alt.Y("bleu:Q", title="translation quality (BLEU)", scale=alt.Scale(zero=True))
    tooltip = tips("model:N", "words:N", ("bleu:Q", "BLEU", ".2f"), "sentences:Q")
    lines = base.mark_line(strokeWidth=2.5, point=alt.OverlayMarkDef(size=60)).encode(
        y=up, color=colour, tooltip=tooltip
    )
    spread = base.transform_filter("isValid(datum.low)")
    spread = spread.mark_rule(strokeWidth=1.5).encode(y="low:Q", y2="high:Q", color=colour)
    return framed(title, spread, lines, height=HEIGHT, fitted=True)


def bleu_lengths_data(points: Sequence[POINT]) -> pd.DataFrame:
    """Return the data for `bleu_lengths_spec`: one row per point.

    points: (model, words, BLEU, number of sentences, lower end, upper end) each.
    """
    model, words, bleu, sentences, low, high = zip(*points, strict=True)
    order = list(dict.fromkeys(words))
    return pd.DataFrame(
        {
            "model": texts(model),
            "words": texts(words),
            "place": np.array([order.index(label) for label in words], np.int16),
            "bleu": np.array(bleu, np.float64),
            "sentences": np.array(sentences, np.int32),
            "bucket": texts(f"{a} ({n:,})" for a, n in zip(words, sentences, strict=True)),
            "low": np.array(low, np.float64),
            "high": np.array(high, np.float64),
        }
    )
