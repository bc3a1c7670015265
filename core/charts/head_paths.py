"""Paths between the heads of a stack as a graph, and what cutting them does beside an estimate of it."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import DASHED, chart, clickable, framed, named, row_data, stroke_legend, texts, tips
from core.charts.style import KEY, QUERY, SIZE, VALUE

HUES = {"queries": QUERY, "keys": KEY, "values": VALUE}
GRAPH_HEIGHT, SCATTER_HEIGHT = 380, 340
APART = 0.14  # layers, between the lines of queries, keys and values
WIDEST = 7.0  # pixels, of the line of the strongest path


def head_graph_spec() -> dict[str, Any]:
    """Return heads as points, layer by layer from below, and paths as lines, for the columns of `head_graph_data`.

    A click on a line selects it (`picked`, field "place").
    """
    whole = alt.Axis(format="d", tickMinStep=1, grid=False)
    room = alt.Scale(zero=False, nice=False, padding=18)
    base = chart(
        x=alt.X("x:Q", title="head", axis=whole, scale=room), y=alt.Y("y:Q", title="layer", axis=whole, scale=room)
    )
    lines = base.transform_filter("isValid(datum.to_x)").mark_rule(strokeCap="round", cursor="pointer")
    lines = lines.encode(
        x2="to_x:Q",
        y2="to_y:Q",
        color=named("entry:N", HUES, "goes into", **stroke_legend(titleOrient="left")),
        strokeWidth=alt.StrokeWidth("width:Q", scale=None, legend=None),
        opacity=alt.condition("datum.here", alt.value(1), alt.value(0.55)),
        tooltip=tips(("path:N", "path"), ("text:N", "change of the word without it")),
    )
    heads = base.transform_filter("!isValid(datum.to_x)").mark_point(filled=True, size=70, color=SIZE, opacity=1)
    heads = heads.encode(tooltip=tips(("path:N", "head")))
    return framed("Which paths matter?", clickable(lines), heads, height=GRAPH_HEIGHT)


def head_graph_data(
    heads: np.ndarray,
    names: Sequence[str],
    paths: Sequence[tuple[int, int]],
    entries: Sequence[str],
    changes: np.ndarray,
    printed: Sequence[str],
    chosen: int | None,
) -> pd.DataFrame:
    """Return the data for `head_graph_spec`: one row for each path, then one for each head.

    heads (S, 2): the place of each head across and up. names: of the heads.
    paths: for each path the numbers of the head that reads and of the earlier head; entries: of `HUES`.
    changes (P,): of the word without each path; printed: the same as texts.
    chosen: the path that is looked at.
    """
    ends = np.array([[*heads[earlier], *heads[later]] for later, earlier in paths]).reshape(-1, 4)
    ends[:, [1, 3]] += APART * np.array([list(HUES).index(entry) - 1 for entry in entries]).reshape(-1, 1)
    lone = np.full(len(names), np.nan)
    sizes = np.abs(changes)
    widths = np.maximum(1.0, WIDEST * sizes / max(float(sizes.max(initial=0.0)), 1e-12))
    labels = [
        f"{names[earlier]} → {entry} of {names[later]}" for (later, earlier), entry in zip(paths, entries, strict=True)
    ]
    rows = row_data("path", [*labels, *names])
    rows["x"], rows["y"] = np.append(ends[:, 0], heads[:, 0]), np.append(ends[:, 1], heads[:, 1])
    rows["to_x"], rows["to_y"] = np.append(ends[:, 2], lone), np.append(ends[:, 3], lone)
    rows["width"] = np.append(widths, lone)
    rows["entry"], rows["text"] = texts([*entries, *names]), texts([*printed, *names])
    rows["here"] = [place == chosen for place in range(len(rows))]
    return rows


def cut_scatter_spec() -> dict[str, Any]:
    """Return the paths as points: the estimate across, the truth up, for the columns of `cut_scatter_data`.

    A click on a point selects it (`picked`, field "place").
    """
    base = chart(x=alt.X("estimate:Q", title="estimated change"), y=alt.Y("truth:Q", title="real change"))
    points = base.mark_circle(size=36, opacity=0.7, cursor="pointer").encode(
        color=named("entry:N", HUES, "goes into", titleOrient="left"),
        tooltip=tips(("path:N", "path"), ("estimate:Q", "estimate", ".3f"), ("truth:Q", "truth", ".3f")),
    )
    same = base.mark_line(**DASHED).encode(y=alt.Y("estimate:Q"))
    return framed("Is the estimate true?", same, clickable(points), height=SCATTER_HEIGHT)


def cut_scatter_data(
    estimates: np.ndarray, truths: np.ndarray, paths: Sequence[str], entries: Sequence[str]
) -> pd.DataFrame:
    """Return the data for `cut_scatter_spec`: one row for each path, estimates (P,) and truths (P,)."""
    columns = {"estimate": estimates.astype(np.float32), "truth": truths.astype(np.float32), "entry": texts(entries)}
    return row_data("path", paths, **columns)
