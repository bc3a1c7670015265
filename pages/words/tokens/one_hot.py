"""One-hot against dense: a row as long as the vocabulary, and the row of the embedding table that it selects."""

from collections.abc import Iterator

import numpy as np

from core.topics.tokens.charts.vocabulary import one_hot_data, one_hot_spec
from core.topics.tokens.one_hot import MOST_NUMBERS, OneHot
from core.topics.tokens.readings import read_one_hot, write_one_hot
from core.topics.tokens.words import Looked
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.shell import Shown, View
from pages.widgets import Chart, Control, Table, Values, control, spec
from pages.words.tokens import queries
from pages.words.tokens.settings import PLACE


def _controls(looked: Looked, values: Values) -> Iterator[Control]:
    yield control(PLACE, "below", width=130)


def _show(looked: Looked, values: Values) -> Shown:
    """Show one token's id as a one-hot vector, times the embedding table of the shown model."""
    one_hot = queries.one_hot_row(looked.run, int(values[PLACE] or 0))
    label, i = one_hot.labels[one_hot.place], one_hot.ids[one_hot.place]
    size, width = len(one_hot.vector), len(one_hot.row)
    tokens = [
        Token(piece, f"id {id:,}", under=f"{id:,}") for piece, id in zip(one_hot.labels, one_hot.ids, strict=True)
    ]
    line = TokenButtons(
        tokens,
        key="tokens-one-hot-text",
        name="The text as the model reads it",
        selected=one_hot.place,
        hue="size",
        sets=lambda clicked: {PLACE.key: clicked},
    )
    name = "One-hot vector, embedding table and the row that comes out"
    vector = Chart(one_hot_data(one_hot.vector, label), spec(one_hot_spec, size), "tokens-one-hot", "One-hot vector")
    return Shown(
        pictures=[line, Matrices(_panels(one_hot), key="tokens-product", name=name, height=240), vector],
        takeaway=read_one_hot(label, i, size, width, one_hot.same),
        notes=[
            f"Of each row the first {MOST_NUMBERS} of {width:,} numbers are drawn." if width > MOST_NUMBERS else None
        ],
        formula=write_one_hot(size, width, i),
        about=f"The **one-hot** vector says only which piece it is: any two of them are equally far apart. The "
        f"**embedding** is dense: {width:,} numbers, learned, in which similar pieces can be near each other. A "
        "program never multiplies: it reads the row. Of the table the rows beside the chosen id are drawn; the "
        "multiplication was done with all of them.",
        table=Table(
            "embedding-row",
            np.stack([one_hot.row, one_hot.product], axis=1),
            [str(k) for k in range(width)],
            ["row of the table", "one-hot · table"],
            corner="number",
        ),
        source=("core.topics.tokens.one_hot.one_hot", "core.model.transformer.Transformer.embed_ids"),
    )


def _panels(one_hot: OneHot) -> list[Panel]:
    i, max_numbers = one_hot.ids[one_hot.place], min(MOST_NUMBERS, len(one_hot.row))
    chosen_row, numbers = one_hot.window.index(i), [str(k) for k in range(max_numbers)]
    rows = [f"{id}:{name}" for id, name in zip(one_hot.window, one_hot.names, strict=True)]
    column = one_hot.vector[list(one_hot.window)][:, None]
    part = f"{len(rows)} of {len(one_hot.vector):,} rows"
    return [
        Panel("one-hot", f"One-hot, upright: {part}", column, rows, ("",), "ids", "", "size", 1.0, unit="one-hot"),
        Panel(
            "table",
            f"Embedding table: {part}",
            one_hot.table[:, :max_numbers],
            rows,
            numbers,
            "ids",
            "D",
            before="·",
            unit="vector",
            outlines=[(chosen_row, None)],
        ),
        Panel(
            "row",
            "The product: one row",
            one_hot.product[None, :max_numbers],
            (rows[chosen_row],),
            numbers,
            "",
            "D",
            limit=float(np.abs(one_hot.table[:, :max_numbers]).max()) or None,
            before="=",
            unit="vector",
        ),
    ]


VIEW = View("one-hot against dense", _show, _controls)
