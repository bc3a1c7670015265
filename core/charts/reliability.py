"""How often a model is right, against the probability that it gives its answer."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from core.charts.kit import DASHED, chart, framed, percents, tips
from core.charts.style import CHANCE


def reliability_spec() -> dict[str, Any]:
    """Return a dot for each group of predictions, and the diagonal on which both numbers are equal.

    The columns are those of `reliability_data`.
    """
    base = chart()
    across = percents(alt.X("probability:Q"), "probability it gives its answer")
    up = percents(alt.Y("right:Q"), "how often that is right")
    tooltip = tips(("probability:Q", "", ".1%"), ("right:Q", "", ".1%"))
    dots = base.mark_circle(size=90, color=CHANCE, opacity=0.9).encode(x=across, y=up, tooltip=tooltip)
    equal = base.mark_rule(**DASHED, tooltip=None).encode(
        x=alt.datum(0), y=alt.datum(0), x2=alt.datum(1), y2=alt.datum(1)
    )
    return framed("Is it right as often as it is sure?", equal, dots, height=260)


def reliability_data(parts: Sequence[Mapping[str, float]]) -> pd.DataFrame:
    """Return the data for `reliability_spec`: one row per group of predictions.

    parts: each group's mean probability and the share of its predictions that is right, under "probability" and
    "right".
    """
    return pd.DataFrame(list(parts), columns=["probability", "right"], dtype="float32")
