"""The view of the dot products of positions against their distance."""

from core.charts.positions_lines import lines_along
from core.export.encodings import distances_script
from core.export.script_parts import ScriptParts
from core.readings.words import number
from core.topics.positions.encodings import DotProducts
from core.topics.positions.readings.encodings import read_encoding, write_dot_products
from core.topics.positions.readings.measures import read_band, read_distances
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.parts import encoding_controls, encoding_of, line_chart
from pages.canvas import Token, TokenButtons
from pages.shell import Shown, View
from pages.widgets import Markdown, Table, Values

TILES = 20  # positions in a line


def _show(run: Run, values: Values) -> Shown:
    """Show the mean over all pairs at each distance, their spread, and the value that theory predicts."""
    encoding = encoding_of(run, values)
    kind, products = encoding.kind, queries.dot_products(encoding)
    explanation = " Here each position meets each."
    words = ("How alike are two positions?", "distance |p − q|", "dot product")
    what = "the dot product"
    if kind == "alibi":
        explanation = " ALiBi has no vectors, so here is what it adds to each score."
        what = "what is added to the score"
        words = ("What does ALiBi add to a score?", "distance |p − q|", "added to the score")
    rows = sorted({part * min(TILES, encoding.length) // 4 for part in (1, 3)})
    lines = lines_along({"measured": products.measured.mean}, products.theory, products.measured.spread)
    return Shown(
        lead="Attention compares vectors by their **dot product**: the larger, the more alike.",
        pictures=[
            *(_alike(products, row, what) for row in rows),
            Markdown(read_encoding(kind, as_table=False) + explanation),
            line_chart("positions-distance", f"{kind} positions by distance", lines, words),
        ],
        takeaway=read_distances(kind, products.measured, products.theory),
        formula=write_dot_products(encoding),
        about=read_band(kind, products.measured),
        table=Table("dot-products", *products.table, corner="distance"),
        source=("core.topics.positions.analysis.encodings.by_distance",),
    )


def _alike(products: DotProducts, row: int, what: str) -> TokenButtons:
    """Return the first positions, coloured by their number with one of them.

    what: the name of the number.
    """
    tiles = [
        Token(str(position), f"{what} {number(float(product))}", float(shade))
        for position, (product, shade) in enumerate(
            zip(products.square[row, :TILES], products.shades(row)[:TILES], strict=True)
        )
    ]
    return TokenButtons(
        tiles,
        key=f"positions-alike-{row}",
        name=f"How alike each position is to position {row}",
        selected=row,
        caption=f"Each position beside position {row}: the stronger the colour, the larger {what}.",
        hue="size",
        item="position",
        large=True,
    )


def _script(run: Run, values: Values) -> ScriptParts:
    return distances_script(encoding_of(run, values))


VIEW = View("how alike", _show, encoding_controls, reads_text=False, reads_mask=False, script=_script)
