"""The view of the dot products of positions against their distance."""

from core.charts.positions_lines import lines_along
from core.topics.positions.readings.encodings import read_encoding, write_dot_products
from core.topics.positions.readings.measures import read_band, read_distances
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.parts import encoding_controls, encoding_of, line_chart
from pages.shell import Shown, View
from pages.widgets import Markdown, Table, Values


def _show(run: Run, values: Values) -> Shown:
    """Show the mean over all pairs at each distance, their spread, and the value that theory predicts."""
    encoding = encoding_of(run, values)
    kind, products = encoding.kind, queries.dot_products(encoding)
    explanation = " Here each position meets each."
    words = ("How alike are two positions?", "distance |p − q|", "dot product")
    if kind == "alibi":
        explanation = " ALiBi has no vectors, so here is what it adds to each score."
        words = ("What does ALiBi add to a score?", "distance |p − q|", "added to the score")
    lines = lines_along({"measured": products.measured.mean}, products.theory, products.measured.spread)
    return Shown(
        lead="Attention compares vectors by their **dot product**: the larger, the more alike.",
        pictures=[
            Markdown(read_encoding(kind) + explanation),
            line_chart("positions-distance", f"{kind} positions by distance", lines, words),
        ],
        takeaway=read_distances(kind, products.measured, products.theory),
        formula=write_dot_products(encoding),
        about=read_band(kind, products.measured),
        table=Table("dot-products", *products.table, corner="distance"),
        source=("core.topics.positions.analysis.encodings.by_distance",),
    )


VIEW = View("how alike", _show, encoding_controls, reads_text=False, reads_mask=False)
