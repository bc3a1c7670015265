"""How alike the heads are: a square map, heads by heads, for at most 63 heads (4,000 cells).

For more heads a page draws the matrix on the canvas of dense matrices instead.
"""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import cell_data, chart, framed, tips
from core.charts.style import share_colour

MOST_HEADS = 63


def similarity_spec() -> dict[str, Any]:
    """Return the map's spec, for the columns of `similarity_data`; it never depends on the data."""
    cells = chart(
        x=alt.X("other:N", sort=None, title="layer·head (columns)", axis=alt.Axis(orient="top", labelAngle=-90)),
        y=alt.Y("head:N", sort=None, title="layer·head (rows)"),
        color=share_colour("similarity", "similarity: 0 = nothing shared, 1 = the same"),
        tooltip=tips(("head:N", "head"), ("other:N", "other head"), ("similarity:Q", "similarity", ".3f")),
    )
    return framed("Which heads do the same thing?", cells.mark_rect(), height=560)


def similarity_data(alike: np.ndarray, labels: Sequence[str]) -> pd.DataFrame:
    """Return the data for `similarity_spec`: one row per pair of heads.

    alike: (heads, heads), in [0, 1].
    labels: one per head, all different ("1·3").
    """
    heads = len(labels)
    assert alike.shape == (heads, heads) and len(set(labels)) == heads <= MOST_HEADS
    return cell_data(("head", labels), ("other", labels), similarity=alike.astype(np.float32))
