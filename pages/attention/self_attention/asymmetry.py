"""The view of why attention is not mutual: the scores, their transpose, and the matrix that makes the scores."""

from core.readings.patterns import find_mutual, name_product, read_cause, read_mutual, read_scores
from core.readings.words import percent
from core.topics.self_attention.asymmetry import CROSS_ATTENTION_MESSAGE, Asymmetry, asymmetry
from core.tracing.run import Run
from pages.canvas import Matrices, Panel
from pages.compute import one_head as queries
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import Markdown, Message, Part, Table, Values, place_controls, place_of

MAX_SIDE = 256


def _show(run: Run, values: Values) -> Shown:
    """Show S_raw, its transpose, and its symmetric and antisymmetric parts."""
    place = place_of(run, values)
    if place.cross:
        return Shown([Message(CROSS_ATTENTION_MESSAGE)])
    head = queries.head(run, place)
    record, labels = core_call(asymmetry, head), head.queries.labels
    axes = (labels, labels, "queries", "keys")
    titles = {
        "S": "the scores, S_raw",
        "ST": "query and key swapped, S_rawᵀ",
        "symmetric": f"symmetric part: {percent(record.scores.symmetric_share)}",
        "anti": f"antisymmetric part: {percent(record.scores.antisymmetric_share)}",
    }
    raw = record.raw
    pair = find_mutual(raw, labels) if (raw != raw.T).any() else None
    outlines = [pair, (pair[1], pair[0])] if pair else []  # the two scores that the headline names
    panels = [
        Panel(
            name,
            titles[name],
            part,
            *axes,
            limit=record.limit,
            before=sign,
            unit="score",
            outlines=outlines * (name == "S"),
        )
        for name, sign, part in record.parts
    ]
    picture = Matrices(panels, key="asymmetry-picture", name="symmetric and antisymmetric parts", height=290)
    return Shown(
        lead="One word may look for another that does not look for it: the query of one meets the key of the other, "
        "and queries and keys are made by different weights. Any square matrix is a **symmetric** part, the same in "
        "both directions, plus an **antisymmetric** part, which changes its sign.",
        pictures=[picture, *_weights_behind(record)],
        takeaway=[read_mutual(record.raw, labels), read_scores(record.raw, labels)],
        formula=r"S_\text{raw} = \tfrac12(S_\text{raw} + S_\text{raw}^\top)"
        r" + \tfrac12(S_\text{raw} - S_\text{raw}^\top)",
        table=Table("antisymmetric part", record.scores.antisymmetric, labels, labels),
        source=("core.analysis.symmetry.split",),
    )


def _weights_behind(record: Asymmetry) -> list[Part]:
    """Return W_Q W_Kᵀ, the one matrix that scores two vectors; empty unless the score is a plain dot product."""
    if record.product is None or record.weights is None:
        return []
    shown, title = record.product[:MAX_SIDE, :MAX_SIDE], name_product(len(record.product), MAX_SIDE)
    dims = [f"x{number}" for number in range(len(shown))]
    panel = Panel("product", title, shown, dims, dims, "d_model numbers", "d_model numbers", unit="parameter")
    return [
        Markdown(read_cause(record.weights.antisymmetric_share)),
        Matrices([panel], key="asymmetry-weights", name="query-key matrix", height=300),
    ]


VIEW = View("why it is not symmetric", _show, lambda run, values: place_controls(run))
