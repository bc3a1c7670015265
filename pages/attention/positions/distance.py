"""Dot products of positions against their distance."""

import numpy as np

from core.charts.positions_lines import Line
from core.explorer.positions.encodings import Encoding
from core.readings.positions import read_distances
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.encoding import WAVES, encoding_of, numbered, table_words
from pages.attention.positions.lines import line_chart
from pages.shell import Shown
from pages.widgets import Table, Values


def show_distance(run: Run, values: Values) -> Shown:
    """The mean over all pairs at a distance, their spread, and what theory says."""
    encoding = encoding_of(run, values)
    found, length = queries.dot_products(encoding), encoding.length
    measured, distances = found.measured, np.arange(length)
    lines = [Line("measured", distances, measured.mean, measured.spread)]
    theory = np.full(length, np.nan)
    if found.theory is not None:
        lines.append(Line("theory", distances, found.theory, theory=True))
        theory = found.theory
    here, words = " Here each position meets each.", ("How alike are two positions?", "distance |p − q|", "dot product")
    if encoding.kind == "alibi":
        here = " ALiBi has no vectors, so here is what it adds to each score."
        words = ("What does ALiBi add to a score?", "distance |p − q|", "added to the score")
    columns = np.stack([measured.pairs, measured.mean, measured.spread, theory])
    return Shown(
        lead="Attention compares vectors by their **dot product**: the larger, the more alike.",
        pictures=[
            table_words(encoding.kind, here),
            line_chart("positions-distance", f"{encoding.kind} positions by distance", lines, words),
        ],
        takeaway=read_distances(encoding.kind, measured, found.theory),
        formula=_formula(encoding),
        about=f"Measured over all {length * (length + 1) // 2:,} pairs, each position with itself included; the band "
        "is one standard deviation.",
        table=Table(
            "dot-products", columns, ["pairs", "mean", "spread", "theory"], numbered(length), corner="distance"
        ),
        source=("core.analysis.positions.by_distance",),
    )


def _formula(encoding: Encoding) -> str:
    if encoding.kind in WAVES and encoding.width % 2 == 0:
        return (
            r"PE(p) \cdot PE(q) = \sum_{i=0}^{D/2-1} \cos\left(\frac{p - q}{\alpha^{2i/D}}\right) "
            rf"\qquad D = {encoding.width} \qquad \alpha = {encoding.base:g}"
        )
    if encoding.kind == "alibi":
        return rf"-m\,|i - j| \qquad m = {encoding.slope:.5g}"
    if encoding.kind == "learned":
        return (
            r"\operatorname{E}[P_p \cdot P_q] = 0 \;(p \ne q) \qquad \operatorname{E}[P_p \cdot P_p] = 1 "
            rf"\qquad \text{{spread}} \approx 1/\sqrt{{D}} = 1/\sqrt{{{encoding.width}}}"
        )
    return rf"PE(p) \cdot PE(q) = \sum_{{i=0}}^{{{encoding.width - 1}}} PE(p, i)\, PE(q, i)"
