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
    found = queries.one_hot_row(looked.run, int(values[PLACE] or 0))
    label, i = found.labels[found.place], found.ids[found.place]
    size, width = len(found.vector), len(found.row)
    tokens = [Token(piece, f"id {id:,}", under=f"{id:,}") for piece, id in zip(found.labels, found.ids, strict=True)]
    line = TokenButtons(
        tokens,
        key="tokens-one-hot-text",
        name="The text as the model reads it",
        selected=found.place,
        hue="size",
        sets=lambda place: {PLACE.key: place},
    )
    name = "One-hot vector, embedding table and the row that comes out"
    vector = Chart(one_hot_data(found.vector, label), spec(one_hot_spec, size), "tokens-one-hot", "One-hot vector")
    return Shown(
        pictures=[line, vector, Matrices(_panels(found), key="tokens-product", name=name, height=240)],
        takeaway=read_one_hot(label, i, size, width, found.same),
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
            np.stack([found.row, found.product], axis=1),
            [str(k) for k in range(width)],
            ["row of the table", "one-hot · table"],
            corner="number",
        ),
        source=("core.topics.tokens.one_hot.one_hot", "core.model.transformer.Transformer.embed_ids"),
    )


def _panels(found: OneHot) -> list[Panel]:
    i, most = found.ids[found.place], min(MOST_NUMBERS, len(found.row))
    mine, numbers = found.window.index(i), [str(k) for k in range(most)]
    rows = [f"{id}:{name}" for id, name in zip(found.window, found.names, strict=True)]
    column = found.vector[list(found.window)][:, None]
    return [
        Panel("one-hot", "One-hot, upright", column, rows, ("",), "ids", "", "size", 1.0, unit="one-hot"),
        Panel(
            "table",
            "Embedding table",
            found.table[:, :most],
            rows,
            numbers,
            "ids",
            "D",
            before="·",
            unit="vector",
            outlines=[(mine, None)],
        ),
        Panel(
            "row",
            "The product: one row",
            found.product[None, :most],
            (rows[mine],),
            numbers,
            "",
            "D",
            limit=float(np.abs(found.table[:, :most]).max()) or None,
            before="=",
            unit="vector",
        ),
    ]


VIEW = View("one-hot against dense", _show, _controls)
