"""Why who-looks-at-whom is not mutual: the scores against their transpose, and the matrix that makes them."""

from collections.abc import Iterator

import numpy as np

from core.explorer.head.asymmetry import Asymmetry
from core.readings.patterns import read_scores
from core.readings.words import percent
from core.tracing.run import Run
from pages.canvas import Matrices, Panel
from pages.queries import head as queries
from pages.shell import Shown
from pages.widgets import Control, Markdown, Message, Part, Table, Values, place_controls, place_of, plain

WIDEST = 256
CROSSED = "In cross-attention queries and keys come from two texts: there is no pair of tokens to swap."


def asymmetry_controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)


def show_asymmetry(run: Run, values: Values) -> Shown:
    """S_raw, its transpose, and its symmetric and antisymmetric parts."""
    place = place_of(run, values)
    if place.cross:
        return Shown([Message(CROSSED)])
    record, found = queries.head(run, place), queries.asymmetry(run, place)
    labels, parts = record.queries.labels, found.scores
    limit = float(np.abs(record.raw).max())

    def square(name: str, title: str, values: np.ndarray, sign: str = "") -> Panel:
        return Panel(name, title, values, labels, labels, "queries", "keys", limit=limit, before=sign)

    drawn = [
        square("S", "S_raw", record.raw),
        square("ST", "S_rawᵀ: query and key swapped", record.raw.T, "vs"),
        square("symmetric", f"symmetric part: {percent(parts.symmetric_share)}", parts.symmetric, "→"),
        square("anti", f"antisymmetric part: {percent(parts.antisymmetric_share)}", parts.antisymmetric, "+"),
    ]
    picture = Matrices(drawn, key="asymmetry-picture", name="symmetric and antisymmetric parts", height=290)
    return Shown(
        lead="“cat” may look for “sat” without “sat” looking for “cat”: the query of one meets the key of the other, "
        "and queries and keys are made by different weights. Any square matrix is a **symmetric** part, the same in "
        "both directions, plus an **antisymmetric** part, which changes its sign.",
        pictures=[picture, *_weights_behind(found)],
        takeaway=read_scores(record.raw, labels),
        formula=r"S_\text{raw} = \tfrac12(S_\text{raw} + S_\text{raw}^\top)"
        r" + \tfrac12(S_\text{raw} - S_\text{raw}^\top)",
        table=Table("antisymmetric part", parts.antisymmetric, labels, labels),
        source=("core.analysis.symmetry.split",),
    )


def _weights_behind(found: Asymmetry) -> list[Part]:
    """W_Q W_Kᵀ, the one matrix that scores two vectors, where the score is a plain dot product."""
    product = found.product
    if product is None or found.weights is None:
        return []
    share = plain(percent(found.weights.antisymmetric_share))
    dims = [f"x{number}" for number in range(min(WIDEST, len(product)))]
    cut = f", the first {WIDEST} of {len(product):,} rows and columns"
    title = "W_Q W_Kᵀ" + ("" if len(product) <= WIDEST else cut)
    panel = Panel("product", title, product[:WIDEST, :WIDEST], dims, dims, "d_model", "d_model")
    return [
        Markdown(
            "The cause is in the weights. Without the biases, S_raw = X (W_Q W_Kᵀ) Xᵀ, and W_Q W_Kᵀ is not symmetric: "
            f"**{share}** of its squared size is antisymmetric. Were it symmetric (as with W_K = W_Q), the scores "
            "would be mutual; the weights still would not, since each row has its own softmax."
        ),
        Matrices([panel], key="asymmetry-weights", name="query-key matrix", height=300),
    ]
