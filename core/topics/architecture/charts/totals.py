"""The number of parameters of several models: a dot for each on one scale from thousands to billions."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import BY_PLACE, NUMBER, chart, clickable, framed, named, numbers_behind, row_data, tips
from core.charts.kv_lines import OTHER_COLOUR
from core.charts.style import INK, NEGATIVE, POSITIVE, legend_columns

ROOM_FOR_TEXT = 56


def model_totals_spec(title: str, groups: tuple[str, str, str]) -> dict[str, Any]:
    """Return dots for the columns of `model_totals_data`; a click on one selects its model (`picked`, field "place").

    groups: the kinds of models.
    """
    base = chart(
        y=alt.Y("label:N", sort=BY_PLACE, title=None, axis=alt.Axis(labelLimit=150, grid=True)),
        tooltip=tips(("label:N", "model"), ("value:Q", "parameters, counted", ","), ("published:N", "published")),
    )
    across = alt.X(
        "value:Q",
        title="parameters, ten times as many at each line",
        scale=alt.Scale(type="log"),
        axis=alt.Axis(labelExpr=NUMBER, values=[10**power for power in range(3, 13)]),
    )
    rings = base.transform_filter("datum.chosen").mark_point(size=220, color=INK, strokeWidth=2).encode(x=across)
    hues = dict(zip(groups, (NEGATIVE, OTHER_COLOUR, POSITIVE), strict=True))
    colour = named("group:N", hues, labelLimit=280, columns=legend_columns(3, (480, 2)))
    dots = base.mark_circle(size=90, opacity=1).encode(x=across, color=colour)
    numbers = numbers_behind(base, across, 11)
    return framed(title, rings, clickable(dots), numbers, height=alt.Step(19), margin=ROOM_FOR_TEXT)


def model_totals_data(
    labels: Sequence[str],
    parameters: Sequence[int],
    published: Sequence[str],
    groups: Sequence[str],
    chosen: int,
    texts: Sequence[str],
) -> pd.DataFrame:
    """Return the data for `model_totals_spec`: one row per model, in the order given.

    parameters: their counted numbers of parameters.
    published: the published numbers in words, for the tooltip.
    groups: the kind of each model.
    chosen: the place of the selected model.
    texts: each model's parameters as they are written beside its dot.
    """
    words = {"published": list(published), "group": list(groups), "text": list(texts)}
    numbers = np.array(parameters, dtype=np.float64)
    return row_data("label", labels, value=numbers, chosen=np.arange(len(labels)) == chosen, **words)
