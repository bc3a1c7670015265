"""Pieces of a word as bars below its characters, in rows: merges step by step, or all possible pieces."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt
import pandas as pd

from core.charts.kit import chart, framed, named, tips
from core.charts.style import INK, POSITIVE, SIZE

LIT_KIND, OTHER_KIND, LATER_KIND = "lit", "other", "later"
ROOM_IN_BAR = "((datum.end - datum.start) * width / datum.columns)"  # pixels


@dataclass(frozen=True)
class PieceBar:
    """A piece of a word, drawn as a bar.

    row: the row of the bar.
    start, end: the places between characters at which the piece begins and ends.
    under: small text below the piece.
    tip: the text of its tooltip.
    kind: `LIT_KIND`, `OTHER_KIND`, or `LATER_KIND` for a piece that keeps its place but is not drawn.
    """

    row: int
    start: int
    end: int
    piece: str
    under: str = ""
    tip: str = ""
    kind: str = OTHER_KIND


def piece_bars_spec(title: str, numbered: bool) -> dict[str, Any]:
    """Return bars for the columns of `piece_bars_data`.

    numbered: whether the rows show their numbers, which are steps.
    """
    visible = "datum.kind != 'later'"
    axis = alt.Axis(grid=False, ticks=False, domain=False) if numbered else None
    base = chart(
        y=alt.Y("row:O", title="merges" if numbered else None, axis=axis, scale=alt.Scale(paddingInner=0.2)),
        tooltip=tips("piece:N", ("tip:N", " ")),
    )
    bars = base.transform_filter(f"{visible} && datum.kind != 'letter'")
    bars = bars.mark_rect(cornerRadius=4, stroke=alt.expr("background"), strokeWidth=3).encode(
        x=alt.X(
            "start:Q",
            title="places between characters",
            scale=alt.Scale(nice=False, zero=True),
            axis=alt.Axis(tickMinStep=1, format="d"),
        ),
        x2="end:Q",
        color=named("kind:N", {LIT_KIND: POSITIVE, OTHER_KIND: f"{SIZE}55"}, orient=None),
    )
    spacer = base.transform_filter("datum.kind == 'later'").mark_rect(opacity=0).encode(x="start:Q", x2="end:Q")
    middle = base.transform_calculate(middle="(datum.start + datum.end) / 2").encode(x="middle:Q")
    fits: dict[str, Any] = {"limit": alt.expr(f"max(1, {ROOM_IN_BAR} - 4)"), "align": "center", "color": INK}
    letters = middle.transform_filter("datum.kind == 'letter'").mark_text(**fits, fontSize=15, fontWeight="bold")
    names = middle.transform_filter(f"{visible} && datum.kind != 'letter' && datum.under == ''").mark_text(
        **fits, fontSize=13
    )
    high = middle.transform_filter(f"{visible} && datum.under != ''").mark_text(**fits, fontSize=13, dy=-6)
    small = middle.transform_filter(f"{visible} && datum.under != ''").mark_text(**fits, fontSize=10, dy=8)
    texts = [mark.encode(text="piece:N") for mark in (letters, names, high)]
    return framed(title, bars, spacer, *texts, small.encode(text="under:N"), height=alt.Step(38))


def piece_bars_data(letters: Sequence[str], bars: Sequence[PieceBar]) -> pd.DataFrame:
    """Return the data for `piece_bars_spec`: one row per bar; if row 0 has no bar, also one per character, drawn there.

    letters: the characters.
    """
    rows = [(bar.row, bar.start, bar.end, bar.piece, bar.under, bar.tip, bar.kind) for bar in bars]
    if all(bar.row for bar in bars):
        rows += [(0, position, position + 1, letter, "", "", "letter") for position, letter in enumerate(letters)]
    names = ["row", "start", "end", "piece", "under", "tip", "kind"]
    return pd.DataFrame(rows, columns=names).assign(columns=len(letters))


def lanes(spans: Sequence[tuple[int, int]]) -> list[int]:
    """Assign a row, counted from 0, to each span, so that no two spans in a row overlap; short spans come first."""
    ends: list[list[tuple[int, int]]] = []
    rows = [0] * len(spans)
    for index in sorted(range(len(spans)), key=lambda index: (spans[index][1] - spans[index][0], spans[index])):
        start, end = spans[index]
        free = (row for row, taken in enumerate(ends) if all(b <= start or a >= end for a, b in taken))
        row = next(free, len(ends))
        if row == len(ends):
            ends.append([])
        ends[row].append((start, end))
        rows[index] = row
    return rows
