"""What the heads of one layer are made of, and how they add up to its output."""

from dataclasses import replace
from functools import cache as once
from typing import Any

import numpy as np
import streamlit as st

from core.analysis.head_readings import read_contributions, read_projections
from core.charts.bars import bars_data, head_bars_spec
from core.explorer.head_records import Contributions
from core.explorer.records import Place
from core.model.attention import MultiHeadAttention
from core.run import Run
from pages.ui import cache
from pages.ui.canvas.chart_save import chart_save
from pages.ui.canvas.matrices import Panel, matrices
from pages.ui.choices import WHOSE
from pages.ui.heads_pattern import title
from pages.ui.numbers import numbers
from pages.ui.say import code, formula, reading
from pages.ui.settings import ask


def show_projections(run: Run, place: Place) -> None:
    """Queries, keys and values of the chosen head, or of all heads of its layer."""
    record = cache.projections(run, replace(place, head=0))
    everyone = ask(WHOSE) == "all heads"
    heads = range(run.config.heads) if everyone else [place.head]
    vectors = {"q": record.q, "k": record.k, "v": record.v}
    for head in heads:
        panels = [
            Panel(
                tint,
                f"{letter} of head {head + 1}",
                vectors[tint][head],
                rows=record.queries.labels if tint == "q" else record.keys.labels,
                row_axis="queries" if tint == "q" else "keys",
                col_axis="d_v" if tint == "v" else "d_k",
                limit=float(np.abs(vectors[tint]).max()),
                tint=tint,
            )
            for tint, letter in (("q", "Q"), ("k", "K"), ("v", "V"))
        ]
        name = f"{title(replace(place, head=head))}: Q, K and V"
        matrices(panels, key=f"heads-qkv-{head}", name=name, height=180 if everyone else 420)
    q, k, v = (vectors[tint][place.head] for tint in "qkv")
    reading(read_projections(q, k, v, record.queries.labels, record.keys.labels))
    width, d_k, d_v = run.config.d_model, run.config.key_width, run.config.value_width
    asked, told = len(record.queries), len(record.keys)
    formula(
        rf"\underset{{{asked} \times {d_k}}}{{Q}} = \underset{{{asked} \times {width}}}{{X}}\;"
        rf"\underset{{{width} \times {d_k}}}{{W_Q}} + b_Q \qquad "
        rf"\underset{{{told} \times {d_k}}}{{K}} = \underset{{{told} \times {width}}}{{M}}\,W_K + b_K \qquad "
        rf"\underset{{{told} \times {d_v}}}{{V}} = M\,W_V + b_V"
    )
    st.caption(
        "X is what asks, M what is asked: "
        + ("the encoder's output." if place.cross else "in self-attention the same tokens, M = X.")
        + (
            " Rotary positions turn Q and K afterwards." if run.config.positions == "rotary" and not place.cross else ""
        ),
    )
    rows = [f"{name} {label}" for name, labels in _labelled(record) for label in labels]
    table = np.full((len(rows), max(d_k, d_v)), np.nan)
    for values, start in zip((q, k, v), (0, asked, asked + told), strict=True):
        table[start : start + len(values), : values.shape[1]] = values
    numbers("qkv", table, rows, [str(column) for column in range(table.shape[1])], "heads-qkv-numbers", "vector")
    code(MultiHeadAttention.forward, key="heads-code-qkv")


def show_contributions(run: Run, place: Place) -> None:
    """The concatenation, W_O, and every head's own part of the output."""
    record = cache.contributions(run, place)
    heads, asked, width = record.z.shape
    labels, d_model = record.queries.labels, len(record.b_o)
    joined = Panel(
        "z",
        f"z of {_heads(heads)} side by side, {width} columns each",
        np.concatenate(list(record.z), axis=1),
        rows=labels,
        cols=[f"head {head + 1}, {column}" for head in range(heads) for column in range(width)],
        row_axis="queries",
        col_axis="heads × d_v",
    )
    matrices([joined], key="heads-z", name=f"{title(place)}: concatenation", height=320)
    formula(
        rf"\underset{{{asked} \times {d_model}}}{{\text{{attn\_out}}}} = "
        rf"\underset{{{asked} \times {heads * width}}}{{[z_1 \cdots z_{{{heads}}}]}}\;"
        rf"\underset{{{heads * width} \times {d_model}}}{{W_O}} + b_O = "
        rf"\sum_{{h=1}}^{{{heads}}} \underset{{{asked} \times {width}}}{{z_h}}\;"
        rf"\underset{{{width} \times {d_model}}}{{W_O^{{(h)}}}} + b_O"
    )
    st.caption(
        "Multiplying the concatenation by W_O is the same as adding up what each head makes of its own rows of W_O."
    )
    matrices(_sum_panels(record, place.head), key="heads-sum", name=f"{title(place)}: contributions", height=192)
    reading(read_contributions(record.share, record.difference))
    names = [f"head {head + 1}" for head in range(heads)]
    with st.container(key="heads-share"):
        st.vega_lite_chart(bars_data(record.share, names), _share_spec(), width="stretch")
    chart_save("heads-share", name="share of each head")
    by_token = Panel(
        "shares",
        "Each head's share, token by token",
        record.by_token,
        names,
        labels,
        "heads",
        "queries",
        scale="weight",
    )
    matrices([by_token], key="heads-share-tokens", name="share of each head by token", height=340)
    numbers("shares", record.by_token, names, labels, "heads-share-numbers", "head")
    code(MultiHeadAttention._join, key="heads-code-sum")


@once
def _share_spec() -> dict[str, Any]:
    return head_bars_spec("Which head adds most?", "share of the lengths of all contributions")


def _sum_panels(record: Contributions, head: int) -> list[Panel]:
    """The sum as it is written: each head, or this head and the others together, then b_O, then the output."""
    if record.every is not None:
        parts = [(f"head {number + 1}", part) for number, part in enumerate(record.every)]
    else:
        parts = [(f"head {head + 1}", record.mine), ("all other heads together", record.others)]
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


def _heads(count: int) -> str:
    return "one head" if count == 1 else f"{count} heads"


def _labelled(record: Any) -> list[tuple[str, tuple[str, ...]]]:
    return [("q", record.queries.labels), ("k", record.keys.labels), ("v", record.keys.labels)]
