"""The numbers of a vector as ticks on a line, before and after a norm, all lines on one scale."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import chart, framed, quiet_rows, tips, width_share
from core.charts.style import INK, SIZE

LEFT_SHARE, RIGHT_SHARE = 0.02, 0.98  # shares of the width at which the least and the greatest of all numbers are drawn
SPREAD_COLOUR = "#d9822b"


def norm_strips_spec() -> dict[str, Any]:
    """Return a line of ticks for each stage, for the columns of `norm_strips_data`.

    Each line also shows its mean and a band of one standard deviation to each side.
    """
    rows = chart(x=width_share("left:Q"), y=quiet_rows("stage:N", 110).scale(paddingInner=0.1, paddingOuter=0.05))
    bands = rows.transform_filter("datum.kind == 'band'").mark_bar(
        height={"band": 0.4}, color=SPREAD_COLOUR, opacity=0.28
    )
    ticks = rows.transform_filter("datum.kind == 'number'")
    ticks = ticks.mark_tick(thickness=1, color=SIZE, opacity=0.65, height={"band": 0.4})
    means = rows.transform_filter("datum.kind == 'mean'").mark_tick(
        thickness=3, color=SPREAD_COLOUR, height={"band": 0.5}
    )
    side = alt.expr("datum.left < 0.15 ? 'left' : datum.left > 0.85 ? 'right' : 'center'")
    words = rows.transform_filter("datum.text != ''").mark_text(dy=28, color=INK, fontSize=12, align=side)
    return framed(
        "What does the norm do to a vector?",
        bands.encode(x2="right:Q"),
        ticks.encode(tooltip=tips("stage:N", ("at:Q", "number"), ("value:Q", "", ".4f"))),
        means,
        words.encode(text="text:N"),
        height=alt.Step(78),
    )


def norm_strips_data(stages: Mapping[str, np.ndarray], means: Mapping[str, str]) -> pd.DataFrame:
    """Return the data for `norm_strips_spec`: one row per number, and two more for the band and the mean of each line.

    stages: the numbers (D,) of the vector at each stage, by the stage's name.
    means: the text under the mean of each line, by the stage's name.
    """
    low, high = (float(edge([edge(numbers) for numbers in stages.values()])) for edge in (np.min, np.max))
    scale = (RIGHT_SHARE - LEFT_SHARE) / ((high - low) or 1.0)

    def across(values: Any) -> Any:
        return np.clip(LEFT_SHARE + (np.asarray(values) - low) * scale, 0, 1)

    frames = []
    for row, (stage, numbers) in enumerate(stages.items()):
        mean, spread = float(numbers.mean()), float(numbers.std())
        rows = [
            _rows("number", across(numbers), values=numbers),
            _rows("band", across([mean - spread]), across([mean + spread])),
            _rows("mean", across([mean]), text=means[stage]),
        ]
        frames.append(pd.concat(rows, ignore_index=True).assign(stage=stage, place=np.int16(row)))
    return pd.concat(frames, ignore_index=True)


def _rows(
    kind: str, left: np.ndarray, right: np.ndarray | None = None, values: np.ndarray | None = None, text: str = ""
) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "kind": kind,
            "at": np.arange(len(left), dtype=np.int16),
            "left": np.asarray(left, np.float32),
            "right": np.asarray(left if right is None else right, np.float32),
            "value": np.asarray(left if values is None else values, np.float32),
            "text": text,
        }
    )
