"""One number per layer, per head or per token, as horizontal bars with the number at their end."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import BY_PLACE, NUMBER, chart, clickable, framed, numbers_behind, row_data, signed, tips
from core.charts.style import CHANCE, printed

ROOM_FOR_TEXT = 56
LARGE = f"abs(datum.value) < 1e6 ? datum.label : {NUMBER}"
SIGNED_VALUE = signed("value")


def bars_spec(
    what: str, title: str, value_title: str, clicked: bool = False, hue: str | alt.ExprRef = SIGNED_VALUE
) -> dict[str, Any]:
    """Return horizontal bars for the columns of `bars_data`; the spec never depends on the data.

    what: the kind of thing that each bar belongs to, such as "layer"; it is the title of the rows.
    clicked: whether a click on a bar selects it (`picked`, field "place").
    hue: the colour of all bars, or an expression that gives positive and negative ones different colours.
    """
    base = chart(
        y=alt.Y("label:N", sort=BY_PLACE, title=what, axis=alt.Axis(labelLimit=150)),
        tooltip=tips(("label:N", what), ("text:N", value_title)),
    )
    bars = base.mark_bar(color=hue, height={"band": 0.7}).encode(
        x=alt.X("value:Q", title=value_title, scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=6, labelExpr=LARGE))
    )
    numbers = numbers_behind(base, "text_at:Q")
    return framed(title, clickable(bars) if clicked else bars, numbers, height=alt.Step(26), margin=ROOM_FOR_TEXT)


# The same for a kind of thing; each takes a title, and the words at the axis of the numbers.
layer_bars_spec = partial(bars_spec, "layer")
head_bars_spec = partial(bars_spec, "head")
tokens_bars_spec = partial(bars_spec, "token")
probability_bars_spec = partial(bars_spec, "token", value_title="chance", hue=CHANCE)
direction_bars_spec = partial(bars_spec, "direction", clicked=True)
neuron_bars_spec = partial(bars_spec, "neuron", clicked=True)
piece_scores_spec = partial(bars_spec, "piece")
loss_bars_spec = partial(bars_spec, "hidden", value_title="loss, in nats")
net_bars_spec = partial(bars_spec, "net")
logit_bars_spec = partial(bars_spec, "part", value_title="logit")


def word_bars_spec(title: str, value_title: str = "cosine", clicked: bool = False) -> dict[str, Any]:
    """Return bars for one number per word, as `bars_spec` does."""
    return bars_spec("word", title, value_title, clicked)


def bars_data(values: np.ndarray, labels: Sequence[str], decimals: int = 3) -> pd.DataFrame:
    """Return the data for `bars_spec`: one row per bar, in the order given.

    values: (n,), masked if a bar has no number; it is then printed as "–".
    labels: all different, such as "layer 2" or "3:sat" (index:token keeps repeated words apart).

    The column `text_at` is where the number is printed: at the end of a bar, or on the zero line beside a negative one.
    """
    assert len(values) == len(labels) == len(set(labels))
    plain = np.ma.filled(np.ma.asarray(values).astype(np.float64), np.nan)
    ends = np.maximum(np.nan_to_num(plain), 0).astype(np.float32)
    return row_data("label", labels, value=plain.astype(np.float32), text=printed(plain, decimals), text_at=ends)
