"""One share for each whole number along an axis, as upright bars of two kinds."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import chart, framed, named, texts, tips
from core.charts.positions_lines import HUES, THEORY

HEIGHT = 380


def upright_bars_spec(title: str, number: str, share: str, kinds: tuple[str, str], max_share: float) -> dict[str, Any]:
    """Return upright bars for the columns of `upright_bars_data`.

    number, share: the titles of the axes.
    kinds: the kinds of bars, as in the legend; the first is the one to look at.
    max_share: the share at which the axis ends.
    """
    hue = named("kind:N", dict(zip(kinds, (HUES[0], THEORY), strict=True)), None, columns=2, symbolOpacity=1)
    base = chart(
        x=alt.X("number:O", title=number, axis=alt.Axis(labelAngle=0, labelOverlap="greedy", ticks=False)),
        y=alt.Y(
            "share:Q",
            title=share,
            scale=alt.Scale(domain=[0, max_share], nice=False),
            axis=alt.Axis(format="%", tickCount=5),
        ),
        color=hue,
        tooltip=tips(("number:O", number), ("share:Q", share, ".1%")),
    )
    return framed(title, base.mark_bar(clip=True), height=HEIGHT, fitted=True)


def upright_bars_data(shares: np.ndarray, marked: Sequence[int], kinds: tuple[str, str]) -> pd.DataFrame:
    """Return the data for `upright_bars_spec`: one row for each share (n,), numbered from 1.

    marked: the numbers of the bars of the first kind.
    """
    numbers = np.arange(1, len(shares) + 1)
    kind = texts(kinds[0] if number in marked else kinds[1] for number in numbers)
    return pd.DataFrame({"number": numbers.astype(np.int16), "share": shares.astype(np.float32), "kind": kind})
