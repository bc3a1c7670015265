"""The tree of a beam search: a row for each step, with the likeliest continuation at the left."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import pandas as pd

from core.charts.kit import chart, framed, named, tips
from core.charts.style import CHANCE, INK, legend_columns

FATES = {"best": CHANCE, "finished": "#b8860b", "cut": "#cc4b4b", "kept": "#7a4fcb", "dropped": "#8a93a3"}
PIECE_WIDTH = "(width / datum.columns - 18)"  # pixels for a piece, up to the next dot; a piece with too few is hidden


def beam_tree_spec() -> dict[str, Any]:
    """Return a chart of tokens, each with a line to the token it continues, for the columns of `beam_tree_data`."""
    base = chart(
        y=alt.Y("step:O", title="step", scale=alt.Scale(type="point", padding=0.6), axis=alt.Axis(grid=False)),
        x=alt.X(
            "place:Q",
            title="continuations, the likeliest at the left",
            scale=alt.Scale(nice=False, domain=[0, 1], padding=10),
            axis=alt.Axis(labels=False, ticks=False, grid=False),
        ),
    )
    colour = named("fate:N", FATES, columns=legend_columns(5, (480, 3)))
    lines = base.transform_filter("datum.step > 0").mark_rule()
    lines = lines.encode(
        x2="from:Q",
        y2="above:Q",
        color=colour,
        strokeWidth=alt.condition("datum.fate == 'best'", alt.value(2.5), alt.value(1)),
        opacity=alt.condition("datum.fate == 'dropped'", alt.value(0.35), alt.value(0.9)),
    )
    tooltip = tips("piece:N", "fate:N", ("chance:Q", "", ".4f"), ("total:Q", "", ".3f"), ("score:Q", "", ".3f"))
    dots = base.mark_circle(size=90, opacity=1).encode(color=colour, tooltip=tooltip)
    beside: dict[str, Any] = {"align": "left", "dx": 8, "fontSize": 12, "limit": alt.expr(f"max(1, {PIECE_WIDTH})")}
    beside["opacity"] = alt.expr(f"{PIECE_WIDTH} < 24 ? 0 : datum.fate == 'dropped' ? 0.6 : 1")
    halo = base.mark_text(**beside, stroke=alt.expr("background"), strokeWidth=4, strokeJoin="round").encode(
        text="piece:N"
    )
    names = base.mark_text(**beside, color=INK).encode(text="piece:N", tooltip=tooltip)
    return framed("Which continuations were kept?", lines, halo, dots, names, height=alt.Step(34))


def beam_tree_data(nodes: Sequence[Mapping[str, Any]], best: Sequence[int], start: str) -> pd.DataFrame:
    """Return the data for `beam_tree_spec`: one row per node, and one for the start.

    nodes: mappings with index, parent, step, piece, chance, total, score and fate, in the order in which they were
        found (within a step the likeliest first).
    best: the indices of the nodes of the winning text.
    start: the text of the start.

    The columns place and from are shares of the width.
    """
    widest = max(Counter(node["step"] for node in nodes).values(), default=1)
    middle = (widest - 1) / 2
    places: dict[int | None, tuple[int, float]] = {None: (0, middle)}
    rows: list[tuple[Any, ...]] = [(start, 0, middle, 0, middle, 1.0, 0.0, 0.0, "best")]
    in_step, won = Counter[int](), set(best)
    for node in nodes:
        step, column = node["step"], float(in_step[node["step"]])
        in_step[step] += 1
        places[node["index"]] = (step, column)
        fate = "best" if node["index"] in won else node["fate"]
        parent = places[node["parent"]]
        rows.append((node["piece"], step, column, *parent, node["chance"], node["total"], node["score"], fate))
    names = ["piece", "step", "place", "above", "from", "chance", "total", "score", "fate"]
    frame = pd.DataFrame(rows, columns=names).assign(columns=widest)
    return frame.assign(place=frame["place"] / widest, **{"from": frame["from"] / widest})
