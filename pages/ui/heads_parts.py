"""What the heads of one layer are made of, and how they add up to its output."""

from dataclasses import replace
from functools import cache as once
from typing import Any

import numpy as np
import streamlit as st

from core.charts.bars import bars_data, head_bars_spec
from core.explorer.heads.records import Contributions, Projections
from core.explorer.shared.places import Place
from core.model.attention import MultiHeadAttention
from core.readings.heads import read_contributions, read_projections
from core.tracing.run import Run
from pages.canvas.chart_save.chart_save import chart_save
from pages.canvas.matrices.matrices import Matrices, Panel
from pages.ui import cache
from pages.ui.choices import WHOSE
from pages.ui.heads_pattern import title
from pages.ui.numbers import numbers
from pages.ui.say import code, formula, reading
from pages.ui.settings import ask


def show_projections(run: Run, place: Place) -> None:
    """Queries, keys and values of the chosen head, or of all heads of its layer."""
    record = cache.projections(run, replace(place, head=0))
    everyone = ask(WHOSE) == "all heads"
    for head in range(run.config.heads) if everyone else [place.head]:
        name = f"{title(replace(place, head=head))}: Q, K and V"
        Matrices(_projected(record, head), key=f"heads-qkv-{head}", name=name, height=180 if everyone else 300).draw()
    q, k, v = (values[place.head] for values in (record.q, record.k, record.v))
    reading(read_projections(q, k, v, record.queries.labels, record.keys.labels))
    _projection_formula(run, place, len(q), len(k))
    named = [("q", record.queries.labels), ("k", record.keys.labels), ("v", record.keys.labels)]
    rows = [f"{letter} {label}" for letter, labels in named for label in labels]
    width = max(values.shape[1] for values in (q, k, v))
    padded = [np.pad(values, ((0, 0), (0, width - values.shape[1])), constant_values=np.nan) for values in (q, k, v)]
    columns = [str(column) for column in range(width)]
    numbers("qkv", np.concatenate(padded), rows, columns, "heads-qkv-numbers", "vector")
    code(MultiHeadAttention.forward, key="heads-code-qkv")


def _projected(record: Projections, head: int) -> list[Panel]:
    """Q, K and V of one head, each on the scale of all heads of the layer."""
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


def _projection_formula(run: Run, place: Place, asked: int, told: int) -> None:
    width, d_k, d_v = run.config.d_model, run.config.key_width, run.config.value_width
    formula(
        rf"\underset{{{asked} \times {d_k}}}{{Q}} = \underset{{{asked} \times {width}}}{{X}}\;"
        rf"\underset{{{width} \times {d_k}}}{{W_Q}} + b_Q \qquad "
        rf"\underset{{{told} \times {d_k}}}{{K}} = \underset{{{told} \times {width}}}{{M}}\,W_K + b_K \qquad "
        rf"\underset{{{told} \times {d_v}}}{{V}} = M\,W_V + b_V"
    )
    asks = "X is what asks, M what is asked: "
    asks += "the encoder's output." if place.cross else "in self-attention the same tokens, M = X."
    turned = run.config.positions == "rotary" and not place.cross
    st.caption(asks + (" Rotary positions turn Q and K afterwards." if turned else ""))


def show_contributions(run: Run, place: Place) -> None:
    """The concatenation, W_O, and every head's own part of the output."""
    record = cache.contributions(run, place)
    _concatenation(record, place)
    Matrices(_sum_panels(record, place.head), key="heads-sum", name=f"{title(place)}: contributions", height=192).draw()
    reading(read_contributions(record.share, record.difference))
    names, labels = [f"head {head + 1}" for head in range(len(record.z))], record.queries.labels
    with st.container(key="heads-share"):
        st.vega_lite_chart(bars_data(record.share, names), _share_spec(), width="stretch")
    chart_save("heads-share", name="share of each head")
    shares = record.by_token
    sums = "columns sum to 1" if shares.any(0).all() else "columns sum to 1; those of tokens that get nothing are zeros"
    whose = "Each head's share" if len(names) > 1 else "The head's share"
    what = f"{whose}, token by token: {sums}"
    by_token = Panel("shares", what, shares, names, labels, "heads", "queries", scale="weight")
    Matrices([by_token], key="heads-share-tokens", name="share of each head by token", height=340).draw()
    numbers("shares", shares, names, labels, "heads-share-numbers", "head")
    code(MultiHeadAttention._join, key="heads-code-sum")


def _concatenation(record: Contributions, place: Place) -> None:
    heads, asked, width = record.z.shape
    d_model = len(record.b_o)
    joined = Panel(
        "z",
        f"z of {heads} heads side by side, {width} columns each" if heads > 1 else "z of the one head",
        np.concatenate(list(record.z), axis=1),
        rows=record.queries.labels,
        cols=[f"head {head + 1}, {column}" for head in range(heads) for column in range(width)],
        row_axis="queries",
        col_axis="heads × d_v" if heads > 1 else "d_v",
    )
    Matrices([joined], key="heads-z", name=f"{title(place)}: concatenation", height=320).draw()
    joined_z = rf"[z_1 \cdots z_{{{heads}}}]" if heads > 1 else "z_1"
    formula(
        rf"\underset{{{asked} \times {d_model}}}{{\text{{attn\_out}}}} = "
        rf"\underset{{{asked} \times {heads * width}}}{{{joined_z}}}\;"
        rf"\underset{{{heads * width} \times {d_model}}}{{W_O}} + b_O \qquad "
        rf"= \sum_{{h=1}}^{{{heads}}} \underset{{{asked} \times {width}}}{{z_h}}\;"
        rf"\underset{{{width} \times {d_model}}}{{W_O^{{(h)}}}} + b_O"
    )
    st.caption(
        "Multiplying the concatenation by W_O is the same as adding up what each head makes of its own rows of W_O."
    )


@once
def _share_spec() -> dict[str, Any]:
    return head_bars_spec("Which head adds most?", "share of the lengths of all contributions")


def _sum_panels(record: Contributions, head: int) -> list[Panel]:
    """The sum as it is written: each head, or this head and the others together, then b_O, then the output."""
    if record.every is not None:
        parts = [(f"head {number + 1}", part) for number, part in enumerate(record.every)]
    else:
        parts = [(f"head {head + 1}", record.mine)]
        parts += [("all other heads together", record.others)] if len(record.z) > 1 else []
    bias = "b_O, added to every row" if record.b_o.any() else "b_O, all zeros here"
    parts += [(bias, record.b_o[None]), ("attn_out", record.attn_out)]
    limit = float(max(np.abs(values).max() for _, values in parts))
    signs = ["", *["+"] * (len(parts) - 2), "="]
    return [
        Panel(
            f"part{place}",
            name,
            values,
            rows=record.queries.labels if name != bias else (),
            col_axis="d_model",
            limit=limit,
            before=sign,
        )
        for place, ((name, values), sign) in enumerate(zip(parts, signs, strict=True))
    ]
