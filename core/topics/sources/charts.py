"""Which shipped files were made from which texts: a mark for each pair, by the demands of the text's licence."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import BY_PLACE, chart, framed, named, texts, tips
from core.charts.style import POSITIVE, SIZE, legend_columns

SHAPES = ("circle", "diamond", "triangle-up", "square")
COLOURS = (SIZE, SIZE, POSITIVE, POSITIVE)  # free, free with attribution; unstated, research only


def made_from_spec(sources: tuple[str, ...], kinds: tuple[str, ...]) -> dict[str, Any]:
    """Return files as rows and sources as columns, for the columns of `made_from_data`.

    kinds: the four kinds of licence in words, the freest first.
    """
    hues = dict(zip(kinds, COLOURS, strict=True))
    marks = chart(
        x=alt.X(
            "source:N",
            title=None,
            scale=alt.Scale(domain=list(sources)),
            axis=alt.Axis(orient="top", labelAngle=-35, labelAlign="left", labelOverlap=False, grid=True),
        ),
        y=alt.Y("file:N", sort=BY_PLACE, title=None, axis=alt.Axis(grid=True, labelLimit=140)),
        shape=alt.Shape("kind:N", scale=alt.Scale(domain=list(kinds), range=list(SHAPES)), title=None),
        color=named("kind:N", hues, orient="bottom", columns=legend_columns(2, (480, 1)), labelLimit=200),
        tooltip=tips("file:N", ("source:N", "made from"), ("kind:N", "which is")),
    )
    marks = marks.mark_point(filled=True, size=110, opacity=1)
    return framed("What was each file made from?", marks, height=alt.Step(21))


def made_from_data(files: Mapping[str, Sequence[str]], kinds: Mapping[str, str]) -> pd.DataFrame:
    """Return the data for `made_from_spec`: one row for each file and source.

    files: the names of each file's sources, by the file's name.
    kinds: the kind of licence of each source.
    """
    rows = [(index, file, source) for index, (file, named) in enumerate(files.items()) for source in named]
    return pd.DataFrame(
        {
            "place": np.array([index for index, _, _ in rows], dtype=np.int16),
            "file": texts(file for _, file, _ in rows),
            "source": texts(source for _, _, source in rows),
            "kind": texts(kinds[source] for _, _, source in rows),
        }
    )
