"""How alike the heads are: a square map, heads by heads, for at most 63 heads (4,000 cells).

For more heads a page draws the matrix on the canvas of dense matrices instead.
"""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import bare_spec, share_colour

MOST_HEADS = 63


def similarity_spec(title: str = "Which heads do the same thing?") -> dict[str, Any]:
    """Return the map's spec, for the columns of `similarity_data`; it never depends on the data."""
    return bare_spec(
        alt.Chart(alt.NamedData("data"))
        .mark_rect()
        .encode(
            x=alt.X("other:N", sort=None, title="layer·head (columns)", axis=alt.Axis(orient="top", labelAngle=-90)),
            y=alt.Y("head:N", sort=None, title="layer·head (rows)"),
            color=share_colour("similarity", "similarity: 0 = nothing shared, 1 = the same"),
            tooltip=[
                alt.Tooltip("head:N", title="head"),
                alt.Tooltip("other:N", title="other head"),
                alt.Tooltip("similarity:Q", title="similarity", format=".3f"),
            ],
        )
        .properties(title=title, width="container", height=560)
    )


def similarity_data(alike: np.ndarray, labels: Sequence[str]) -> pd.DataFrame:
    """Return one row per pair of heads.

    alike: (heads, heads), in [0, 1].
    labels: one per head, all different ("1·3").
    """
    heads = len(labels)
    assert alike.shape == (heads, heads) and len(set(labels)) == heads <= MOST_HEADS
    return pd.DataFrame(
        {
            "head": np.repeat(np.array(labels, dtype=object), heads),
            "other": np.tile(np.array(labels, dtype=object), heads),
            "similarity": alike.ravel().astype(np.float32),
        }
    ).astype({"head": "str", "other": "str"})
