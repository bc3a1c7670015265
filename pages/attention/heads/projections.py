"""The view of the queries, keys and values of one head, or of all heads of its layer."""

from collections.abc import Iterator
from dataclasses import replace

from core.export.asked import HEAD_VECTORS
from core.readings.heads import read_projections
from core.text.labels import head_label
from core.topics.heads.readings.formulas import write_projections
from core.topics.heads.records import Vectors
from core.topics.shared.labels import UNITS
from core.topics.shared.places import HeadAddress
from core.topics.shared.truth import last_word
from core.tracing.run import Run
from pages.attention.heads import queries
from pages.attention.heads.grid import title
from pages.attention.heads.settings import SHOWN_HEADS
from pages.canvas import Matrices, Panel
from pages.shell import Shown, View
from pages.widgets import Control, Table, Values, control, place_controls, place_of

AXES = {"q": ("queries", "d_k numbers"), "k": ("keys", "d_k numbers"), "v": ("keys", "d_v numbers")}

MAX_PIXELS = 400  # pixels: the largest width of a matrix, if there is room
LEAD = (
    "One head makes three vectors of each token: a **query** (what it looks for), a **key** (what it can be found by) "
    "and a **value** (what it passes on). Each row is one vector."
)


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from place_controls(run)
    yield control(SHOWN_HEADS)


def _show(run: Run, values: Values) -> Shown:
    """Show Q, K and V, each on the scale of all heads of the layer."""
    place, config, everyone = place_of(run, values), run.config, values[SHOWN_HEADS] == "all heads"
    record = queries.projections(run, place.of_layer)
    query_labels, key_labels = record.queries.labels, record.keys.labels
    followed = last_word(record.queries)
    pictures = []
    for head in range(config.heads) if everyone else [place.head]:
        panels = [_panel(vectors, replace(place, head=head), followed) for vectors in record.each]
        name = f"{title(replace(place, head=head))}: Q, K and V"
        pictures.append(
            Matrices(
                panels,
                key=f"heads-qkv-{head if everyone else 0}",
                name=name,
                height=180 if everyone else 300,
                width=MAX_PIXELS,
            )
        )
    memory = "the encoder's output." if place.cross else "in self-attention the same tokens, M = X."
    is_rotated = config.positions == "rotary" and not place.cross
    q, k, v = (vectors.values[place.head] for vectors in record.each)
    return Shown(
        lead=LEAD,
        pictures=pictures,
        takeaway=read_projections(q, k, v, query_labels, key_labels, followed),
        formula=write_projections(
            len(query_labels), len(key_labels), config.d_model, config.key_width, config.value_width
        ),
        about=f"Queries are made from X, keys and values from M: {memory}"
        + (" Rotary positions turn Q and K afterwards." if is_rotated else ""),
        table=Table("qkv", *record.table(place.head), corner="vector"),
        source=("core.model.attention.MultiHeadAttention.forward",),
    )


def _panel(vectors: Vectors, place: HeadAddress, followed: int) -> Panel:
    """Return one head's queries, keys or values; the row of the token that the headline names is framed.

    In cross-attention it is framed among the queries alone.
    """
    letter, axes = vectors.letter, AXES[vectors.letter]
    name = f"{letter.upper()} of {head_label(place.layer, place.head)}"
    form = (vectors.labels, (), *axes, "signed", vectors.limit, letter)
    outlines: list[tuple[int, None]] = [] if place.cross and letter != "q" else [(followed, None)]
    return Panel(letter, name, vectors.values[place.head], *form, unit=UNITS[letter], outlines=outlines)


VIEW = View("Q, K, V", _show, _controls, export=HEAD_VECTORS)
