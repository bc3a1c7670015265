"""Parts that charts share: the frame, rows and columns, clicks, legends, tooltips, and data as rows and as cells."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import INK, NEGATIVE, POSITIVE, SIZE, bare_spec

# Rows in the order of the data's column "place". With `sort=None`, labels that a chart has drawn before would stay in
# front of new ones when it gets other data.
TWO_LINES = "split(datum.label, ': ')"  # breaks a label in two at its colon
BY_PLACE = alt.EncodingSortField("place", op="min")
# A layout that is not redone at each change, because redoing it puts the title of a narrow chart outside the picture.
FITTED = alt.AutoSizeParams(type="fit", contains="padding", resize=False)
IS_WIDE = "width > 420"
DASHED: dict[str, Any] = {"color": INK, "strokeDash": [3, 3]}
NUMBER = "replace(format(datum.value, '~s'), 'G', 'B')"  # thousands k, millions M, billions B
DATA = alt.NamedData("data")  # one object, so that layers are seen to share it


def chart(**encodings: Any) -> alt.Chart:
    """Return a chart that has no marks yet, with the encodings that all its marks will share.

    Its data are the rows that the page supplies under the name "data".
    """
    return alt.Chart(DATA).encode(**encodings)


def framed(
    title: str | Sequence[str] | alt.TitleParams,
    *layers: alt.Chart,
    height: int | alt.Step,
    margin: int = 0,
    fitted: bool = False,
) -> dict[str, Any]:
    """Return the spec of layers under a title, as wide as the page gives it room.

    height: the height in pixels, or the step from row to row.
    margin: pixels at the right for the number behind the longest bar.
    fitted: whether the layout keeps to the frame, as in `FITTED`.
    """
    more: dict[str, Any] = {}
    if fitted or margin:  # a fitted layout sets its title a few pixels too high
        more["padding"] = {"left": 5, "top": 10 if fitted else 5, "right": margin or 5, "bottom": 5}
    if fitted:
        more["autosize"] = FITTED
    drawn = alt.layer(*layers) if len(layers) > 1 else layers[0]
    return bare_spec(drawn.properties(title=title, width="container", height=height, **more))


def clickable(marks: alt.Chart) -> alt.Chart:
    """Return the chart with marks that can be clicked; a click on one selects it (`picked`, field "place")."""
    return marks.add_params(alt.selection_point(name="picked", fields=["place"], on="click", clear=False, empty=False))


def tips(*columns: str | tuple[str, str] | tuple[str, str, str]) -> list[alt.Tooltip]:
    """Return a tooltip: one line for each column, with a title and the column's value.

    columns: a column with its type, such as "size:Q"; or a pair with the line's title, or a triple with its title and
        number format. With an empty title, Vega uses the name of the column.
    """
    lines = []
    for column in columns:
        name, title, numbers = (*((column,) if isinstance(column, str) else column), "", "")[:3]
        lines.append(alt.Tooltip(name, title=title or alt.Undefined, format=numbers or alt.Undefined))
    return lines


def named(
    column: str, hues: Mapping[str, str], title: str | None = None, orient: str | None = "top", **legend: Any
) -> alt.Color:
    """Return a colour for each name in a column.

    hues: the colour of each name, in the order of the legend.
    title: the legend's title.
    orient: the side of the chart at which the legend is drawn; None for no legend.
    legend: further options of the legend.
    """
    scale = alt.Scale(domain=list(hues), range=list(hues.values()))
    return alt.Color(column, title=title, scale=scale, legend={"orient": orient, **legend} if orient else None)


def stroke_legend(orient: str = "top", **more: Any) -> dict[str, Any]:
    """Return the options of a legend of lines."""
    strokes = {"symbolType": "stroke", "symbolSize": 300, "symbolOpacity": 1, "symbolStrokeWidth": 3}
    return {"orient": orient, "labelLimit": 260, "offset": 4, **strokes, **more}


def percents(axis: Any, title: str, **scale: Any) -> Any:
    """Return `axis`, an `alt.X` or `alt.Y` of a column of shares, with a title and a scale from 0 to 100%.

    scale: further options of the scale.
    """
    ends = alt.Scale(domain=[0, 1], nice=False, **scale)
    return axis.title(title).scale(ends).axis(alt.Axis(format="%", tickCount=5))


def signed(column: str, middle: float = 0) -> alt.ExprRef:
    """Return a colour that tells numbers below `middle` from the others, for a bar that shows this column."""
    return alt.expr(f"datum.{column} < {middle:g} ? '{NEGATIVE}' : '{POSITIVE}'")


def numbers_behind(bars: alt.Chart, end: str | alt.X, dx: int = 5, **text: Any) -> alt.Chart:
    """Return the text layer that writes the column "text" behind the end of each bar.

    end: the column in which the bars end.
    dx: pixels between the end and the text.
    text: further options of the text.
    """
    words = bars.mark_text(color=INK, align="left", dx=dx, baseline="middle", **text)
    return words.encode(x=end, text="text:N")


def quiet_rows(column: str, limit: int, **more: Any) -> alt.Y:
    """Return an axis of rows in the order of the data, without a line or ticks beside the names.

    limit: pixels for a name.
    more: further options of the axis.
    """
    axis = alt.Axis(ticks=False, domain=False, labelLimit=limit, labelFlush=False, **more)
    return alt.Y(column, sort=BY_PLACE, title=None, axis=axis)


def width_share(column: str) -> alt.X:
    """Return places across a picture as shares of its width, without an axis."""
    return alt.X(column, scale=alt.Scale(domain=[0, 1], nice=False), axis=None)


def clickable_rows(rows: alt.Chart) -> alt.Chart:
    """Return a clickable bar behind each row, from column "zero" to column "one", visible if column "here" is true."""
    shade = alt.condition("datum.here", alt.value(0.22), alt.value(0))
    bars = rows.mark_bar(cursor="pointer", height={"band": 0.98}, cornerRadius=3)
    return clickable(bars.encode(x=width_share("zero:Q"), x2="one:Q", color=alt.value(SIZE), opacity=shade))


def headings(titles: Iterable[tuple[float, str]]) -> list[alt.Chart]:
    """Return a heading above each column of a picture.

    titles: for each column, the share of the width at which it begins, and a Vega expression for its text.
    """
    heads = chart().transform_filter("datum.place == 0")
    heads = heads.mark_text(align="left", baseline="bottom", color=INK, fontSize=11, fontWeight="bold")
    return [
        heads.transform_calculate(head=words).encode(x=alt.datum(share), y=alt.value(-6), text="head:N")
        for share, words in titles
    ]


def texts(words: Iterable[str]) -> pd.Series:
    """Return a column of text, also if it is empty."""
    return pd.Series(list(words), dtype="str")


def row_data(name: str, labels: Sequence[str], /, **columns: Any) -> pd.DataFrame:
    """Return one row per label, in the column `name`, with its number from 0 in the column "place"."""
    places = np.arange(len(labels), dtype=np.int16)
    return pd.DataFrame({"place": places, name: texts(labels), **columns})


def cell_data(
    rows: tuple[str, Sequence[str]], columns: tuple[str, Sequence[str]], /, **values: np.ndarray
) -> pd.DataFrame:
    """Return one row for each cell of matrices (R, C), row by row, with the row's number in the column "place".

    rows, columns: the name of the column with their labels, and the labels.
    """
    (down, names), (across, heads) = rows, columns
    labels = {down: [name for name in names for _ in heads], across: [*heads] * len(names)}
    places = np.repeat(np.arange(len(names), dtype=np.int16), len(heads))
    words = {key: texts(column) for key, column in labels.items()}
    return pd.DataFrame({"place": places, **words, **{key: matrix.ravel() for key, matrix in values.items()}})
