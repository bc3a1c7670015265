"""Words as named points on a plane that can be moved and zoomed, and the plane of an analogy."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.kit import chart, framed, named, texts, tips
from core.charts.positions_lines import HUES
from core.charts.style import INK, POSITIVE, SIZE, legend_columns, moved_and_zoomed

HEIGHT = 520
PALETTE = (*(hue for hue in HUES if hue != "#8a94a6"), "#d070b0", "#8a94a6")
TARGET = "t = b − a + c"
LETTER = 13  # pixels, the size of the words
ZOOM_WIDTHS = (90, 140, 200, 280, 380, 500, 660, 880, 1200)  # pixels from the leftmost word to the rightmost
# Pixels from the lowest word to the highest, and the size of the words, on a projector.
LOW_HEIGHT, LOW_LETTER = 100, 17
# Room <= those pixels at the current zoom; a map lower than 230 pixels is on a projector.
HAS_ROOM = "(height < 230 ? datum.low : datum.room) * abs(span(domain('x'))) <= width * datum.span"


def word_map_spec(
    title: str, x_title: str, y_title: str, height: int = HEIGHT, groups: tuple[str, ...] = ("",)
) -> dict[str, Any]:
    """Return words as points, for the columns of `word_map_data`.

    A word is written beside its point if it has room, so zooming in shows more; the tooltip of every point names its
    word.

    groups: the names of the groups of words, at most as many as `PALETTE` has colours.
    """
    hues = dict(zip(groups, PALETTE, strict=False))
    columns = legend_columns(9, (700, 4))
    colour = named("group:N", hues, orient="top" if len(groups) > 1 else None, labelLimit=160, columns=columns)
    base = chart(x=map_axis("x:Q", x_title), y=map_axis("y:Q", y_title), color=colour)
    points = base.mark_circle(size=64, opacity=1, clip=True).encode(
        tooltip=tips(("word:N", "word"), ("x:Q", "", ".3f"), ("y:Q", "", ".3f"))
    )
    words = base.mark_text(align="left", dx=7, baseline="middle", clip=True, fontSize=LETTER).encode(
        text="word:N", color=alt.value(INK), opacity=alt.condition(HAS_ROOM, alt.value(1), alt.value(0))
    )
    return framed(title, points.add_params(moved_and_zoomed()), words, height=height, fitted=True)


def word_map_data(places: np.ndarray, words: Sequence[str], groups: Sequence[str] = ()) -> pd.DataFrame:
    """Return the data for `word_map_spec`: one row per word.

    places: (N, 2).
    groups: the name of each word's group, if there are groups.
    """
    return map_data(places, words, HEIGHT - 100, group=texts(groups or [""] * len(words)))


def map_data(
    places: np.ndarray,
    words: Sequence[str],
    height: int,
    order: Sequence[int] | None = None,
    always: int = 0,
    **columns: Any,
) -> pd.DataFrame:
    """Return a map's data: one row per word, with its place and the map width in pixels from which it is written.

    The column "room" holds that width on a map of the usual height, "low" that on the low map of a projector.

    places (N, 2): the words' places.
    height: pixels from the lowest word to the highest on a map of the usual height.
    order: the numbers of the words in the order in which they take precedence; None for the order given.
    always: number of the first of them that are always written.
    columns: further columns.
    """
    frame = pd.DataFrame(places.astype(np.float32), columns=["x", "y"])
    first = np.arange(len(words)) if order is None else np.asarray(order, dtype=int)
    for column, size in (("room", (height, LETTER)), ("low", (LOW_HEIGHT, LOW_LETTER))):
        widths = np.empty(len(words), np.float32)
        widths[first] = rooms(places[first], [words[number] for number in first], *size, always)
        frame[column] = widths
    span = np.float32(np.ptp(places[:, 0]) if len(places) else 0)
    return frame.assign(word=texts(words), span=span, **columns)


def rooms(places: np.ndarray, words: Sequence[str], height: int, letter: int = LETTER, always: int = 0) -> np.ndarray:
    """Return for each word the width of the map in pixels, (N,), from which there is room to write it.

    That is the first of `ZOOM_WIDTHS` at which the word overlaps no other written word, or infinity if there is none;
    earlier words take precedence. A word that fits on a narrow map fits on every wider one: words only move apart.

    places (N, 2): the words' places.
    height: pixels from the lowest word to the highest.
    letter: the size of the words in pixels.
    always: number of the first words that are written at every width, whatever they overlap.
    """
    widths = np.full(len(words), np.inf)
    widths[:always] = ZOOM_WIDTHS[0]
    if not len(words):
        return widths
    ends = np.array([0.55 * letter * len(word) for word in words])
    x, y = ((column - column.min()) / (np.ptp(column) or 1) for column in np.asarray(places, dtype=float).T)
    near = np.abs(y[:, None] - y) * height < letter + 2
    for width in ZOOM_WIDTHS:
        left = x * width
        clash = near & (left[:, None] < left + ends + 6) & (left < left[:, None] + ends[:, None] + 6)
        for index in np.flatnonzero(np.isinf(widths)):
            if not (clash[index] & np.isfinite(widths)).any():
                widths[index] = width
    return widths


def analogy_spec() -> dict[str, Any]:
    """Return the parallelogram of an analogy and its answers, for the columns of `analogy_data`."""
    base = chart(x=map_axis("x:Q", "along b − a"), y=map_axis("y:Q", "across it, towards c"))
    steps = base.transform_filter("isValid(datum.to_x)").mark_rule(strokeWidth=2, color=INK, clip=True, tooltip=None)
    points = base.mark_point(size=90, filled=True, opacity=1, clip=True)
    words = base.mark_text(align="left", dx=8, dy=-8, baseline="bottom", clip=True, fontSize=13, color=INK)
    hues = {"given": "#56B4E9", TARGET: "#D55E00", "answer": POSITIVE, "runner-up": SIZE}
    shapes = alt.Scale(domain=list(hues), range=["circle", "cross", "diamond", "circle"])
    points = points.encode(
        color=named("kind:N", hues, columns=legend_columns(4, (480, 2))),
        shape=alt.Shape("kind:N", scale=shapes, legend=None),
        tooltip=tips("word:N", "kind:N", ("off:Q", "distance from the plane", ".3f")),
    )
    return framed(
        "Where does the arithmetic lead?",
        steps.encode(x2="to_x:Q", y2="to_y:Q"),
        points.add_params(moved_and_zoomed()),
        words.encode(text="word:N", opacity=alt.condition(HAS_ROOM, alt.value(1), alt.value(0))),
        height=HEIGHT - 80,
        fitted=True,
    )


def analogy_data(
    corners: np.ndarray, names: Sequence[str], shadows: np.ndarray, off: np.ndarray, answers: Sequence[str]
) -> pd.DataFrame:
    """Return the data for `analogy_spec`: one row per corner a, b, c and b − a + c, then one per answer, best first.

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
    places, words = np.concatenate([corners, shadows]), [*names, *answers]
    frame = map_data(places, words, 230)
    frame[["to_x", "to_y"]] = ends.astype(np.float32)
    frame["off"] = np.concatenate([np.zeros(4), off]).astype(np.float32)
    kinds = ["given"] * 3 + [TARGET] + ["answer"] + ["runner-up"] * len(answers)
    frame["kind"] = texts(kinds[: len(frame)])
    return frame


def map_axis(column: str, title: str, margin: int = 0, numbers: str = "~g") -> Any:
    """Return an axis of a map: the horizontal one if the column's name begins with x, otherwise the vertical one.

    margin: pixels beyond the outermost points; 0 means enough for their words.
    numbers: the format of the numbers at the axis.
    """
    make, free = (alt.X, 60) if column.startswith("x") else (alt.Y, 30)
    scale = alt.Scale(zero=False, nice=False, padding=margin or free)
    return make(column, title=title, scale=scale, axis=alt.Axis(grid=True, tickCount=5, format=numbers))
