"""Two numbers per row, as two bars under each other: with something and without it."""

from collections.abc import Callable, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import BY_PLACE, NUMBER, TWO_LINES, cell_data, chart, framed, named, numbers_behind, tips
from core.charts.kv_lines import two_hues

ROOM_FOR_TEXT = 64


def kv_pairs_spec(
    title: str, value: str, what: str, kinds: tuple[str, str], axis: str = NUMBER, margin: int = ROOM_FOR_TEXT
) -> dict[str, Any]:
    """Return two bars for each row, with their numbers at the end, for the columns of `kv_pairs_data`.

    value: the title of the numbers' axis.
    what: the kind of thing that a row shows, the title of the rows.
    kinds: the names of the two bars.
    axis: a Vega expression for the numbers at the axis.
    margin: pixels for the number behind the longest bar.
    """
    base = chart(
        y=alt.Y("label:N", sort=BY_PLACE, title=what, axis=alt.Axis(labelLimit=140, labelExpr=TWO_LINES)),
        yOffset=alt.YOffset("kind:N", sort=list(kinds)),
        tooltip=tips(("label:N", what), ("kind:N", " "), ("text:N", value)),
    )
    bars = base.mark_bar().encode(
        x=alt.X("value:Q", title=value, axis=alt.Axis(labelExpr=axis, tickCount=4)),
        color=named("kind:N", two_hues(kinds), direction="vertical", labelLimit=280),
    )
    numbers = numbers_behind(base, "value:Q", 4, fontSize=10.5)
    return framed(title, bars, numbers, height=alt.Step(15), margin=margin)


def kv_pairs_data(
    labels: Sequence[str], kinds: tuple[str, str], first: np.ndarray, second: np.ndarray, text: Callable[[float], str]
) -> pd.DataFrame:
    """Return the data for `kv_pairs_spec`: two rows for each label, one for each bar.

    kinds: the names of the two bars.
    first, second: the numbers of the first and of the second bar, one for each label.
    text: formats a number as it is written beside its bar.
    """
    pairs = np.stack([first, second], axis=1)
    frame = cell_data(("label", labels), ("kind", kinds), value=pairs.astype(np.float64))
    return frame.assign(text=[text(number) for number in pairs.ravel()])
