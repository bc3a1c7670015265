"""The view of token and position in one vector: the terms of a score of sums, and the cost of concatenating."""

from core.readings.words import percent
from core.topics.positions.readings.terms import read_joined, read_parts, read_terms
from core.topics.positions.terms import TERMS, Terms, layer_weights, why_no_terms
from core.tracing.run import Run
from pages.attention.positions import queries
from pages.attention.positions.parts import first_layer, first_layer_controls
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.shell import Shown, View, model_words
from pages.widgets import ATTENTION, Caption, Message, Table, Values, plain

SHOWN_TOKENS = 64
LEAD = (
    "A query and a key each hold a token and its position, added. Their dot product multiplies out to *four terms*: "
    "token with token, token with position, position with token, position with position."
)


def _show(run: Run, values: Values) -> Shown:
    """Show the four terms of every score in the first layer, on one scale of colours."""
    place, config = first_layer(run, values), run.config
    if reason := why_no_terms(run, place):
        return Shown(lead=LEAD, pictures=[Message(plain(reason))])
    terms = queries.terms(run, place)
    cut = f"The picture shows the first {SHOWN_TOKENS} of {len(terms.labels)} tokens; all are measured."
    return Shown(
        lead=LEAD,
        pictures=[_shares(terms), _picture(terms.corner(SHOWN_TOKENS)), Caption(model_words(run))],
        takeaway=read_terms(TERMS, terms.sizes),
        notes=[cut if len(terms.labels) > SHOWN_TOKENS else None],
        formula=r"(e_i + p_i) W \cdot (e_j + p_j) U = \qquad e_i W \cdot e_j U + e_i W \cdot p_j U + "
        r"\qquad p_i W \cdot e_j U + p_i W \cdot p_j U",
        about=[
            read_parts(place.head, terms.off, config.score == "general", config.norm_position == "pre"),
            "**And if they were concatenated?** Placed side by side, token and position never mix in a plain "
            "dot product: only the first and the last term are left. A projection brings all four back, now with "
            "weights of the position's own; adding makes both share one matrix.",
            r"$$[e_i; p_i] \cdot [e_j; p_j] = e_i \cdot e_j + p_i \cdot p_j \qquad "
            r"[e; p] \begin{pmatrix} W_e \\ W_p \end{pmatrix} = e W_e + p W_p$$",
            read_joined(*layer_weights(config), config.d_model),
        ],
        table=Table("terms", *terms.table, corner="term"),
        source=("core.topics.positions.terms.terms",),
    )


def _shares(terms: Terms) -> TokenButtons:
    """Return the four terms, coloured by their shares of the sum of their squares."""
    tiles = [
        Token(name, f"share {percent(float(share))}", float(share), under=percent(float(share)))
        for name, share in zip(TERMS, terms.shares, strict=False)
    ]
    return TokenButtons(
        tiles,
        key="positions-shares",
        name="How large each term of the scores is",
        caption="The share of each term in the sum of the squares of all four.",
        hue="size",
        item="term",
        large=True,
    )


def _picture(terms: Terms) -> Matrices:
    labels, limit = terms.labels, terms.limit
    axes = (labels, labels, "queries", "keys")
    panels = [
        Panel(f"term{n}", TERMS[n], terms.values[n], *axes, limit=limit, before="+" if n else "", unit="score")
        for n in terms.present
    ]
    raw = Panel("raw", "the model's scores, not scaled", terms.raw, *axes, before="=", unit="score")
    return Matrices([*panels, raw], key="positions-terms", name="The terms of the scores", height=190)


VIEW = View("token and position", _show, first_layer_controls, reads_target=ATTENTION)
