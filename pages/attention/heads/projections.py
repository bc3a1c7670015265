"""The queries, keys and values of one head, or of all heads of its layer."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from core.explorer.heads.records import Projections
from core.explorer.shared.places import Place
from core.readings.heads import read_projections
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.grid import title
from pages.attention.heads.settings import WHOSE
from pages.canvas import Matrices, Panel
from pages.shell import Shown
from pages.widgets import Control, Table, Values, control, place_controls, place_of


def projections_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield control(WHOSE)


def show_projections(run: Run, values: Values) -> Shown:
    """Q, K and V, each on the scale of all heads of the layer."""
    place, everyone = place_of(run, values), values[WHOSE] == "all heads"
    record = queries.projections(run, place.of_layer)
    heads = range(run.config.heads) if everyone else [place.head]
    pictures = [
        Matrices(
            _panels(record, head),
            key=f"heads-qkv-{head}",
            name=f"{title(replace(place, head=head))}: Q, K and V",
            height=180 if everyone else 300,
        )
        for head in heads
    ]
    q, k, v = (each[place.head] for each in (record.q, record.k, record.v))
    asks = "X is what asks, M what is asked: "
    asks += "the encoder's output." if place.cross else "in self-attention the same tokens, M = X."
    turned = run.config.positions == "rotary" and not place.cross
    return Shown(
        pictures=pictures,
        takeaway=read_projections(q, k, v, record.queries.labels, record.keys.labels),
        formula=_formula(run, len(q), len(k)),
        about=asks + (" Rotary positions turn Q and K afterwards." if turned else ""),
        table=_table(record, place),
        source=("core.model.attention.MultiHeadAttention.forward",),
    )


def _panels(record: Projections, head: int) -> list[Panel]:
    return [
        Panel(
            tint,
            f"{tint.upper()} of head {head + 1}",
            values[head],
            rows=rows.labels,
            row_axis="queries" if tint == "q" else "keys",
            col_axis="d_v" if tint == "v" else "d_k",
            limit=float(np.abs(values).max()),
            tint=tint,
        )
        for tint, values, rows in (
            ("q", record.q, record.queries),
            ("k", record.k, record.keys),
            ("v", record.v, record.keys),
        )
    ]


def _table(record: Projections, place: Place) -> Table:
    """The three below each other; the narrower ones end in empty cells."""
    named = [("q", record.q, record.queries), ("k", record.k, record.keys), ("v", record.v, record.keys)]
    width = max(values.shape[-1] for _, values, _ in named)
    rows = [f"{letter} {label}" for letter, _, row in named for label in row.labels]
    values = np.full((len(rows), width), np.nan)
    start = 0
    for _, each, _ in named:
        count, columns = each[place.head].shape
        values[start : start + count, :columns] = each[place.head]
        start += count
    return Table("qkv", values, rows, [str(column) for column in range(width)], corner="vector")


def _formula(run: Run, asked: int, told: int) -> str:
    width, d_k, d_v = run.config.d_model, run.config.key_width, run.config.value_width
    return (
        rf"\underset{{{asked} \times {d_k}}}{{Q}} = \underset{{{asked} \times {width}}}{{X}}\;"
        rf"\underset{{{width} \times {d_k}}}{{W_Q}} + b_Q \qquad "
        rf"\underset{{{told} \times {d_k}}}{{K}} = \underset{{{told} \times {width}}}{{M}}\,W_K + b_K \qquad "
        rf"\underset{{{told} \times {d_v}}}{{V}} = M\,W_V + b_V"
    )
