"""One number per layer, per head or per token, as horizontal bars with the number at their end."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import BY_PLACE, chart, clickable, framed, numbers_behind, row_data, signed, tips
from core.charts.style import CHANCE, printed

ROOM_FOR_TEXT = 56


def layer_bars_spec(
    title: str = "Which layer's output moves most?", value_title: str = "change of the output"
) -> dict[str, Any]:
    """Return bars for one number per layer, with the columns of `bars_data`; the spec never depends on the data."""
    return _bars_spec(title, value_title, "layer")


def tokens_bars_spec(
    title: str = "Which token's output moves most?", value_title: str = "change of the output"
) -> dict[str, Any]:
    """Return bars for one number per token, with the columns of `bars_data`; the spec never depends on the data."""
    return _bars_spec(title, value_title, "token")


def chance_bars_spec(title: str) -> dict[str, Any]:
    """Return bars for the probability of each token, with the columns of `bars_data`."""
    return _bars_spec(title, "chance", "token", hue=CHANCE)


def head_bars_spec(title: str = "Which head adds most?", value_title: str = "share") -> dict[str, Any]:
    """Return bars for one number per head, with the columns of `bars_data`; the spec never depends on the data."""
    return _bars_spec(title, value_title, "head")


def word_bars_spec(title: str, value_title: str = "cosine", clicked: bool = False) -> dict[str, Any]:
    """Return bars for one number per word, with the columns of `bars_data`.

    clicked: whether a click on a bar selects its word (`picked`, field "place").
    """
    return _bars_spec(title, value_title, "word", clicked)


def neuron_bars_spec(title: str, value_title: str) -> dict[str, Any]:
    """Return bars for one number per neuron, with the columns of `bars_data`.

    A click on a bar selects its neuron (`picked`, field "place").
    """
    return _bars_spec(title, value_title, "neuron", clicked=True)


def piece_scores_spec(title: str, value_title: str) -> dict[str, Any]:
    """Return bars for one number per piece of a vocabulary, with the columns of `bars_data`."""
    return _bars_spec(title, value_title, "piece")


def bars_data(values: np.ndarray, labels: Sequence[str], decimals: int = 3) -> pd.DataFrame:
    """Return one row per bar, in the order given.

    values: (n,), masked if a bar has no number; it is then printed as "–".
    labels: all different, such as "layer 2" or "3:sat" (index:token keeps repeated words apart).

    The column `text_at` is where the number is printed: at the end of a bar, or on the zero line beside a negative one.
    """
    assert len(values) == len(labels) == len(set(labels))
    plain = np.ma.filled(np.ma.asarray(values).astype(np.float64), np.nan)
    ends = np.maximum(np.nan_to_num(plain), 0).astype(np.float32)
    return row_data("label", labels, value=plain.astype(np.float32), text=printed(plain, decimals), text_at=ends)


def _bars_spec(title: str, value_title: str, what: str, clicked: bool = False, hue: str = "") -> dict[str, Any]:
    """Return the spec of horizontal bars.

    hue: the colour of all bars; if it is empty, positive and negative bars have a colour each.
    """
    base = chart(
        y=alt.Y("label:N", sort=BY_PLACE, title=what), tooltip=tips(("label:N", what), ("text:N", value_title))
    )
    bars = base.mark_bar(color=hue or signed("value"), height={"band": 0.7}).encode(
        x=alt.X("value:Q", title=value_title, scale=alt.Scale(zero=True))
    )
    numbers = numbers_behind(base, "text_at:Q")
    drawn = clickable(bars) if clicked else bars
    return framed(title, drawn, numbers, height=alt.Step(26), room=ROOM_FOR_TEXT)
