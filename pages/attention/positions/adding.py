"""Token and position in one vector: what a score of sums contains, and what concatenating would cost."""

from collections.abc import Iterator, Sequence

from core.explorer.positions.terms import TERMS, Terms, input_weights, why_no_terms
from core.readings.positions import read_terms
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.tokens import first_layer, first_layer_controls
from pages.canvas import Matrices, Panel
from pages.shell import Shown, model_words
from pages.widgets import Caption, Control, Message, Table, Values, plain

DRAWN = 64
LEAD = (
    "A query and a key each hold a token and its position, added. Their dot product multiplies out to **four terms**: "
    "token with token, token with position, position with token, position with position."
)


def adding_controls(run: Run, values: Values) -> Iterator[Control]:
    return first_layer_controls(run)


def show_adding(run: Run, values: Values) -> Shown:
    """The four terms of every score in the first layer, on one scale of colours."""
    place = first_layer(run, values)
    if reason := why_no_terms(run, place):
        return Shown(lead=LEAD, pictures=[Message(plain(reason))])
    found = queries.terms(run, place)
    cut = f"Drawn are the first {DRAWN} of {len(found.labels)} tokens; all are measured."
    general = " (times the matrix of its score)" if run.config.score == "general" else ""
    normed = " The norm before the projections divides every part by the same number."
    return Shown(
        lead=LEAD,
        pictures=[Caption(model_words(run)), _picture(found)],
        takeaway=read_terms(TERMS, found.sizes),
        notes=[cut if len(found.labels) > DRAWN else None],
        formula=r"(e_i + p_i) W \cdot (e_j + p_j) U = \qquad e_i W \cdot e_j U + e_i W \cdot p_j U + "
        r"\qquad p_i W \cdot e_j U + p_i W \cdot p_j U",
        about=[
            f"Layer 1, head {place.head + 1}; W and U are this head's W_Q and W_K{general}. The terms add up to what "
            f"the model computed, to within {found.off:.1e}." + (normed if run.config.norm_position == "pre" else ""),
            *_concatenated(run),
        ],
        table=Table("terms", found.sizes[None], ["size (root mean square)"], TERMS, corner="term"),
        source=("core.explorer.positions.terms.terms",),
    )


def _picture(found: Terms) -> Matrices:
    part = slice(DRAWN)
    labels, limit = found.labels[part], float(abs(found.values[:, part, part]).max())
    axes = (labels, labels, "queries", "keys")
    shown = [n for n in range(len(TERMS)) if n < 4 or found.sizes[n] > 0]
    panels = [
        Panel(f"term{n}", TERMS[n], found.values[n, part, part], *axes, limit=limit, before="+" if n else "")
        for n in shown
    ]
    raw = Panel("raw", "the model's scores, not scaled", found.raw[part, part], *axes, before="=")
    return Matrices([*panels, raw], key="positions-terms", name="The terms of the scores", height=190)


def _concatenated(run: Run) -> Sequence[str]:
    config = run.config
    out = config.heads * (2 * config.key_width + config.value_width)
    added, joined = input_weights(config.d_model, config.d_model, out)
    return [
        "**And if they were concatenated?** Written one behind the other, token and position never mix in a plain dot "
        "product: only the first and the last term are left. A projection brings all four back, now with weights of "
        "the position's own; adding makes both share one matrix.",
        r"$$[e_i; p_i] \cdot [e_j; p_j] = e_i \cdot e_j + p_i \cdot p_j \qquad "
        r"[e; p] \begin{pmatrix} W_e \\ W_p \end{pmatrix} = e W_e + p W_p$$",
        f"Weights of W_Q, W_K and W_V in one layer: {added:,} with positions added, {joined:,} with {config.d_model} "
        "numbers of position concatenated.",
    ]
