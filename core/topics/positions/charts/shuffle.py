"""The permutation test of several models: how much more changes in the outputs than their order."""

from collections.abc import Mapping
from typing import Any, Protocol

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import IS_WIDE, TWO_LINES, chart, framed, named, numbers_behind, texts, tips
from core.charts.style import NEGATIVE, POSITIVE, legend_columns, short_number

FLOOR = 1e-9


class Differences(Protocol):
    """How far a model's outputs differ from outputs that only moved with their tokens.

    smallest, largest: the difference of the token that differs least, and of the one that differs most.
    moves_along: whether the largest is no more than rounding.
    """

    @property
    def smallest(self) -> float: ...
    @property
    def largest(self) -> float: ...
    @property
    def moves_along(self) -> bool: ...


def shuffle_spec() -> dict[str, Any]:
    """Return a dot per model at its largest difference, for the columns of `shuffle_data`.

    A bar leads from its smallest difference to the dot.
    """
    names = alt.Axis(
        labelExpr=f"{IS_WIDE} ? datum.label : {TWO_LINES}",
        labelLimit=alt.ExprRef(f"{IS_WIDE} ? 450 : 220"),
        labelOffset=alt.ExprRef(f"{IS_WIDE} ? 0 : -6"),
        grid=True,
    )
    base = chart(y=alt.Y("model:N", sort=None, title=None, axis=names))
    across = alt.X(
        "at:Q",
        title="difference",
        scale=alt.Scale(type="log", domain=[FLOOR, 1000], clamp=True),
        axis=alt.Axis(values=[1e-9, 1e-6, 1e-3, 1, 1e3], format="~e"),
    )
    columns = legend_columns(2, (480, 1))
    colour = named("verdict:N", {"just moved": NEGATIVE, "changed": POSITIVE}, symbolOpacity=1, columns=columns)
    tooltip = tips("model:N", ("text:N", "largest difference"), "verdict:N")
    dots = base.mark_point(filled=True, size=130, opacity=1).encode(x=across, color=colour, tooltip=tooltip)
    bars = base.mark_rule(strokeWidth=4, opacity=0.45).encode(x=alt.X("from:Q"), x2="at:Q", color=colour)
    title = ["Does the order change anything,", "or do the outputs just move with their words?"]
    return framed(title, bars, dots, numbers_behind(base, across, 10), height=alt.Step(34), fitted=True)


def shuffle_data(differences: Mapping[str, Differences]) -> pd.DataFrame:
    """Return the data for `shuffle_spec`: one row per model, by its name; a difference of 0 is drawn at `FLOOR`."""
    rows = differences.values()
    return pd.DataFrame(
        {
            "model": texts(differences),
            "from": np.maximum(np.array([row.smallest for row in rows], np.float64), FLOOR),
            "at": np.maximum(np.array([row.largest for row in rows], np.float64), FLOOR),
            "text": [short_number(row.largest) for row in rows],
            "verdict": ["just moved" if row.moves_along else "changed" for row in rows],
        }
    )
