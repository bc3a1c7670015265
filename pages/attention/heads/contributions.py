"""The view of how the heads of one layer add up to its output."""

from dataclasses import replace

import numpy as np

from core.charts.bars import bars_data, head_bars_spec
from core.readings.heads import name_joined, name_shares, read_contributions
from core.topics.heads.readings.formulas import write_contributions
from core.topics.heads.records import Contributions
from core.topics.shared.labels import with_labels
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.grid import title
from pages.canvas import Matrices, Panel
from pages.shell import Shown, View
from pages.widgets import Chart, Table, Values, place_controls, place_of, spec

LEAD = (
    "Each **head** has a mix of values for each token, z. The **output matrix** W_O turns it into what the head adds "
    "to the token; the sum over all heads is what comes out."
)


def _show(run: Run, values: Values) -> Shown:
    """Show the share of each head, the concatenation, and every head's own part of the output."""
    place = place_of(run, values)
    record, name = queries.contributions(run, place), title(place)
    heads, query_count, width = record.z.shape
    columns, outlines = ("heads × d_v numbers", [(place.head, None)]) if heads > 1 else ("d_v numbers", [])
    joined = Panel("z", name_joined(heads, width, place.head), *record.joined, "queries", columns, unit="mix")
    axes, titled = ("heads", "queries"), name_shares(record.by_token)
    by_token = Panel("shares", titled, *record.shares, *axes, scale="size", limit=1.0, outlines=outlines, unit="share")
    share = spec(head_bars_spec, "Which head adds most?", "share of the lengths of all contributions")
    return Shown(
        lead=LEAD,
        pictures=[
            Chart(bars_data(record.share, record.heads), share, key="heads-share", name="share of each head"),
            Matrices([by_token], key="heads-share-tokens", name="share of each head by token", height=340),
            Matrices([joined], key="heads-z", name=f"{name}: concatenation", height=320),
            Matrices(_sum(record, place.head), key="heads-sum", name=f"{name}: contributions", height=192),
        ],
        takeaway=read_contributions(record.share, record.difference, place.layer, place.head),
        formula=write_contributions(heads, query_count, width, len(record.b_o)),
        about="Multiplying the concatenation by W_O is the same as adding up what each head makes of its own rows of "
        "W_O.",
        table=[
            Table("shares", *record.shares, corner="head"),
            Table("difference", *with_labels(np.array([record.difference]), "sum − output"), corner="largest"),
        ],
        source=("core.model.attention.MultiHeadAttention._join",),
    )


def _sum(record: Contributions, head: int) -> list[Panel]:
    """Return the heads' contributions, which add up to the layer's output, as panels on one scale.

    If there are several heads, the chosen head's part has a frame.
    """
    terms = record.summands(head)
    limit = max(term.largest for term in terms)
    panels = [
        Panel(
            f"part{n}",
            term.name,
            term.values,
            term.rows,
            col_axis="d_model numbers",
            limit=limit,
            before=term.sign,
            unit="output",
        )
        for n, term in enumerate(terms)
    ]
    framed = record.heads[head] if len(record.heads) > 1 else ""
    return [replace(panel, outlines=[(None, None)]) if panel.title == framed else panel for panel in panels]


VIEW = View("what each adds", _show, lambda run, values: place_controls(run))
