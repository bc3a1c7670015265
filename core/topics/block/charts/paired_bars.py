"""The probabilities of the same answers in two or three runs: bars beside each other for each answer."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import BY_PLACE, cell_data, chart, framed, named, numbers_behind, tips
from core.charts.style import CHANCE, POSITIVE, legend_columns, printed

TONES = {2: (CHANCE, POSITIVE), 3: (CHANCE, "#8a94a6", POSITIVE)}
NUMBER_PIXELS = 52  # pixels behind the longest bar, for its number


def paired_bars_spec(title: str, names: tuple[str, ...]) -> dict[str, Any]:
    """Return for each answer two or three bars, one for each run, for the columns of `paired_bars_data`.

    names: the runs, in order.
    """
    base = chart(
        y=alt.Y("label:N", sort=BY_PLACE, title=None, axis=alt.Axis(ticks=False, labelLimit=110, labelFlush=False)),
        yOffset=alt.YOffset("run:N", sort=list(names), scale=alt.Scale(paddingInner=0.12)),
        tooltip=tips(("label:N", "answer"), "run:N", ("text:N", "probability")),
    )
    hues, columns = dict(zip(names, TONES[len(names)], strict=True)), legend_columns(3, (480, 1))
    bars = base.mark_bar(cornerRadiusEnd=2).encode(
        x=alt.X("value:Q", title="probability", scale=alt.Scale(domain=[0, 1], nice=False), axis=alt.Axis(tickCount=5)),
        color=named("run:N", hues, symbolType="square", labelLimit=260, columns=columns),
    )
    numbers = numbers_behind(base, "value:Q", 4, fontSize=10.5)
    step = alt.Step(13 if len(names) > 2 else 15, **{"for": "offset"})
    return framed(title, bars, numbers, height=step, margin=NUMBER_PIXELS)


def paired_bars_data(labels: Sequence[str], names: Sequence[str], values: np.ndarray) -> pd.DataFrame:
    """Return the data for `paired_bars_spec`: one row per bar.

    labels (n,): the answers; the same one may come twice.
    names (R,): the runs.
    values (n, R): the probability of each answer in each run.
    """
    numbered = [f"{number}. {label}" for number, label in enumerate(labels, 1)]
    frame = cell_data(("label", numbered), ("run", names), value=values.astype(np.float32))
    return frame.assign(text=printed(values, 3))
