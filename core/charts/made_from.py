"""Which shipped files were made from which texts: a mark for each pair, by the demands of the text's licence."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import BY_PLACE, POSITIVE, SIZE, bare_spec

SHAPES = ("circle", "diamond", "triangle-up", "square")
COLOURS = (SIZE, SIZE, POSITIVE, POSITIVE)  # free, free with attribution; unstated, research only


def made_from_spec(sources: tuple[str, ...], kinds: tuple[str, ...]) -> dict[str, Any]:
    """Return files as rows and sources as columns, for the columns of `made_from_data`.

    kinds: the four kinds of licence in words, the freest first.
    """
    assert len(kinds) == len(SHAPES)
    domain = list(kinds)
    return bare_spec(
        alt.Chart(alt.NamedData("data"))
        .mark_point(filled=True, size=110, opacity=1)
        .encode(
            x=alt.X(
                "source:N",
                title=None,
                scale=alt.Scale(domain=list(sources)),
                axis=alt.Axis(orient="top", labelAngle=-35, labelAlign="left", labelOverlap=False, grid=True),
            ),
            y=alt.Y("file:N", sort=BY_PLACE, title=None, axis=alt.Axis(grid=True, labelLimit=140)),
            shape=alt.Shape("kind:N", scale=alt.Scale(domain=domain, range=list(SHAPES)), title=None),
            color=alt.Color(
                "kind:N",
                scale=alt.Scale(domain=domain, range=list(COLOURS)),
                title=None,
                legend=alt.Legend(orient="bottom", columns=2, labelLimit=200),
            ),
            tooltip=[
                alt.Tooltip("file:N"),
                alt.Tooltip("source:N", title="made from"),
                alt.Tooltip("kind:N", title="which is"),
            ],
        )
        .properties(title="What was each file made from?", width="container", height=alt.Step(21))
    )


def made_from_data(files: Mapping[str, Sequence[str]], kinds: Mapping[str, str]) -> pd.DataFrame:
    """Return one row for each file and source.

    files: the names of each file's sources, by the file's name.
    kinds: the kind of licence of each source.
    """
    rows = [(place, file, source) for place, (file, named) in enumerate(files.items()) for source in named]
    return pd.DataFrame(
        {
            "place": np.array([place for place, _, _ in rows], dtype=np.int16),
            "file": pd.Series([file for _, file, _ in rows], dtype="str"),
            "source": pd.Series([source for _, _, source in rows], dtype="str"),
            "kind": pd.Series([kinds[source] for _, _, source in rows], dtype="str"),
        }
    )
