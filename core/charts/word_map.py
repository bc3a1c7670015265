"""Words as named points on a plane that can be moved and zoomed, and the plane of an analogy."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.positions_lines import HUES
from core.charts.style import FITTED, INK, POSITIVE, SIZE, bare_spec, legend_columns, moved_and_zoomed

HEIGHT = 520
PALETTE = (*(hue for hue in HUES if hue != "#8a94a6"), "#d070b0", "#8a94a6")
TARGET = "t = b − a + c"
LETTER = 13  # pixels, the size of the words
ROOMS = (90, 140, 200, 280, 380, 500, 660, 880, 1200)  # pixels from the leftmost word to the rightmost
ROOMY = "datum.room * abs(span(domain('x'))) <= width * datum.span"  # room <= those pixels at the current zoom


def word_map_spec(
    title: str, x_title: str, y_title: str, height: int = HEIGHT, groups: tuple[str, ...] = ("",)
) -> dict[str, Any]:
    """Return points with their words, for the columns of `word_map_data`.

    A word is written if it has room, so zooming in shows more; the tooltip of every point names its word.
    groups: their names, at most as many as `PALETTE` has colours.
    """
    hues = list(PALETTE[: len(groups)])
    names = alt.Legend(title=None, orient="top", labelLimit=160, columns=legend_columns(9, (700, 4)))
    base = alt.Chart(alt.NamedData("data")).encode(
        x=_across("x:Q", x_title),
        y=_across("y:Q", y_title),
        color=alt.Color(
            "group:N", scale=alt.Scale(domain=[*groups], range=hues), legend=names if len(groups) > 1 else None
        ),
    )
    points = base.mark_circle(size=64, opacity=1, clip=True).encode(
        tooltip=[alt.Tooltip("word:N", title="word"), _exact("x"), _exact("y")]
    )
    words = base.mark_text(align="left", dx=7, baseline="middle", clip=True, fontSize=LETTER).encode(
        text="word:N", color=alt.value(INK), opacity=alt.condition(ROOMY, alt.value(1), alt.value(0))
    )
    zoomed = points.add_params(moved_and_zoomed())
    return bare_spec(
        alt.layer(zoomed, words).properties(title=title, width="container", height=height, autosize=FITTED)
    )


def word_map_data(places: np.ndarray, words: Sequence[str], groups: Sequence[str] = ()) -> pd.DataFrame:
    """Return one row per word.

    places: (N, 2).
    groups: the name of each word's group, if there are groups.
    """
    return pd.DataFrame(
        {
            "x": places[:, 0].astype(np.float32),
            "y": places[:, 1].astype(np.float32),
            "word": pd.Series(list(words), dtype="str"),
            "group": pd.Series(list(groups) or [""] * len(words), dtype="str"),
            "room": rooms(places, words).astype(np.float32),
            "span": np.float32(np.ptp(places[:, 0]) if len(places) else 0),
        }
    )


def rooms(places: np.ndarray, words: Sequence[str], height: int = HEIGHT - 100) -> np.ndarray:
    """Return the widths (N,) in pixels from which on each word is written.

    A word's width is the first of `ROOMS` at which it overlaps no other written word, or infinity if it never has room;
    earlier words take precedence. A word that has room on a narrow map has it on every wider one, because words only
    move apart.
    height: pixels from the lowest word to the highest.
    """
    found = np.full(len(words), np.inf)
    if not len(words):
        return found
    ends = np.array([0.55 * LETTER * len(word) for word in words])
    x, y = ((column - column.min()) / (np.ptp(column) or 1) for column in np.asarray(places, dtype=float).T)
    near = np.abs(y[:, None] - y) * height < LETTER + 2
    for width in ROOMS:
        left = x * width
        clash = near & (left[:, None] < left + ends + 6) & (left < left[:, None] + ends[:, None] + 6)
        for place in np.flatnonzero(np.isinf(found)):
            if not (clash[place] & np.isfinite(found)).any():
                found[place] = width
    return found


def analogy_spec(title: str = "Where does the arithmetic lead?") -> dict[str, Any]:
    """Return the parallelogram of an analogy and its answers, for the columns of `analogy_data`."""
    base = alt.Chart(alt.NamedData("data"))
    across, up = _across("x:Q", "along b − a"), _across("y:Q", "across it, towards c")
    steps = base.transform_filter("isValid(datum.to_x)").mark_rule(strokeWidth=2, color=INK, clip=True, tooltip=None)
    points = base.mark_point(size=90, filled=True, opacity=1, clip=True)
    words = base.mark_text(align="left", dx=8, dy=-8, baseline="bottom", clip=True, fontSize=13, color=INK)
    kinds = ["given", TARGET, "answer", "runner-up"]
    colour = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=kinds, range=["#56B4E9", "#D55E00", POSITIVE, SIZE]),
        legend=alt.Legend(title=None, orient="top", columns=legend_columns(4, (480, 2))),
    )
    shape = alt.Shape(
        "kind:N", scale=alt.Scale(domain=kinds, range=["circle", "cross", "diamond", "circle"]), legend=None
    )
    layers = [
        steps.encode(x=across, y=up, x2="to_x:Q", y2="to_y:Q"),
        points.encode(
            x=across,
            y=up,
            color=colour,
            shape=shape,
            tooltip=["word:N", "kind:N", alt.Tooltip("off:Q", title="distance from the plane", format=".3f")],
        ).add_params(moved_and_zoomed()),
        words.encode(x=across, y=up, text="word:N", opacity=alt.condition(ROOMY, alt.value(1), alt.value(0))),
    ]
    return bare_spec(alt.layer(*layers).properties(title=title, width="container", height=HEIGHT - 80, autosize=FITTED))


def analogy_data(
    corners: np.ndarray, names: Sequence[str], shadows: np.ndarray, off: np.ndarray, answers: Sequence[str]
) -> pd.DataFrame:
    """Return one row per point: the corners a, b, c and b − a + c, then the answers, the best first.

    corners (4, 2): their places.
    names: the words at the corners.
    shadows (N, 2): the answers projected onto the plane.
    off (N,): the answers' distances from the plane.
    answers: the words of the answers.

    The same step leads from a to b and from c to b − a + c, drawn as a line. A word is written if it has room.
    """
    nowhere = np.full(2, np.nan)
    _, b, _, target = corners
    ends = np.stack([b, nowhere, target, nowhere, *[nowhere] * len(answers)])
    frame = pd.DataFrame(np.concatenate([corners, shadows]).astype(np.float32), columns=["x", "y"])
    frame[["to_x", "to_y"]] = ends.astype(np.float32)
    frame["word"] = pd.Series([*names, *answers], dtype="str")
    frame["room"] = rooms(frame[["x", "y"]].to_numpy(), frame["word"].tolist(), height=230).astype(np.float32)
    frame["span"] = np.float32(np.ptp(frame["x"]))
    frame["off"] = np.concatenate([np.zeros(4), off]).astype(np.float32)
    kinds = ["given"] * 3 + [TARGET] + ["answer"] + ["runner-up"] * len(answers)
    frame["kind"] = pd.Series(kinds[: len(frame)], dtype="str")
    return frame


def _across(field: str, title: str) -> Any:
    axis = alt.Axis(grid=True, tickCount=5, format="~g")
    make = alt.X if field.startswith("x") else alt.Y
    return make(
        field,
        title=title,
        scale=alt.Scale(zero=False, nice=False, padding=60 if field.startswith("x") else 30),
        axis=axis,
    )


def _exact(column: str) -> alt.Tooltip:
    return alt.Tooltip(f"{column}:Q", format=".3f")
