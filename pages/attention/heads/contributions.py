"""How the heads of one layer add up to its output."""

from collections.abc import Iterator

import numpy as np

from core.charts.bars import bars_data, head_bars_spec
from core.explorer.heads.records import Contributions
from core.readings.heads import read_contributions
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.grid import title
from pages.canvas import Matrices, Panel
from pages.shell import Shown
from pages.widgets import Chart, Control, Table, Values, place_controls, place_of, spec


def contributions_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)


def show_contributions(run: Run, values: Values) -> Shown:
    """The concatenation, every head's own part of the output, and whose part is large."""
    place = place_of(run, values)
    record, name = queries.contributions(run, place), title(place)
    heads, labels = [f"head {head + 1}" for head in range(len(record.z))], record.queries.labels
    sums = "columns sum to 1"
    sums += "" if record.by_token.any(0).all() else "; those of tokens that get nothing are zeros"
    whose = "Each head's share" if len(heads) > 1 else "The head's share"
    by_token = Panel(
        "shares", f"{whose}, token by token: {sums}", record.by_token, heads, labels, "heads", "queries", scale="weight"
    )
    share = spec(head_bars_spec, "Which head adds most?", "share of the lengths of all contributions")
    return Shown(
        pictures=[
            Matrices([_joined(record)], key="heads-z", name=f"{name}: concatenation", height=320),
            Matrices(_sum(record, place.head), key="heads-sum", name=f"{name}: contributions", height=192),
            Chart(bars_data(record.share, heads), share, key="heads-share", name="share of each head"),
            Matrices([by_token], key="heads-share-tokens", name="share of each head by token", height=340),
        ],
        takeaway=read_contributions(record.share, record.difference),
        formula=_formula(record),
        about="Multiplying the concatenation by W_O is the same as adding up what each head makes of its own rows of "
        "W_O.",
        table=Table("shares", record.by_token, heads, labels, corner="head"),
        source=("core.model.attention.MultiHeadAttention._join",),
    )


def _joined(record: Contributions) -> Panel:
    """z (H, Q, E) of all heads side by side, (Q, H · E)."""
    heads, _, width = record.z.shape
    return Panel(
        "z",
        f"z of {heads} heads side by side, {width} columns each" if heads > 1 else "z of the one head",
        np.concatenate(list(record.z), axis=1),
        rows=record.queries.labels,
        cols=[f"head {head + 1}, {column}" for head in range(heads) for column in range(width)],
        row_axis="queries",
        col_axis="heads × d_v" if heads > 1 else "d_v",
    )


def _sum(record: Contributions, head: int) -> list[Panel]:
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


def _formula(record: Contributions) -> str:
    heads, asked, width = record.z.shape
    d_model = len(record.b_o)
    joined = rf"[z_1 \cdots z_{{{heads}}}]" if heads > 1 else "z_1"
    return (
        rf"\underset{{{asked} \times {d_model}}}{{\text{{attn\_out}}}} = "
        rf"\underset{{{asked} \times {heads * width}}}{{{joined}}}\;"
        rf"\underset{{{heads * width} \times {d_model}}}{{W_O}} + b_O \qquad "
        rf"= \sum_{{h=1}}^{{{heads}}} \underset{{{asked} \times {width}}}{{z_h}}\;"
        rf"\underset{{{width} \times {d_model}}}{{W_O^{{(h)}}}} + b_O"
    )
