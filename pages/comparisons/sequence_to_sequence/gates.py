"""The view of a GRU's gates: how much it writes into its state at each token, and how much of that it keeps."""

from collections.abc import Iterator

import numpy as np

from core.readings.words import percent
from core.text.labels import bare
from core.topics.sequence_to_sequence.gates import SCANS, Gates, gates_of
from core.topics.sequence_to_sequence.readings import GRU_FORMULA, read_retention
from pages.canvas import Matrices, Panel, Strip, Tile, Token, TokenButtons
from pages.comparisons.sequence_to_sequence import queries
from pages.comparisons.sequence_to_sequence.settings import SCAN
from pages.shell import Shown, View
from pages.widgets import Caption, Control, Table, Values, control


def _controls(text: str, values: Values) -> Iterator[Control]:
    yield control(SCAN, width=300)


def _show(text: str, values: Values) -> Shown:
    """Show how much is kept of each token, as a matrix, and all gates as two strips."""
    model, part = SCANS[values[SCAN]]
    gates = gates_of(queries.passage(model, text), part)
    kept = Panel(
        "kept",
        "What is kept of each token",
        np.where(gates.read, gates.kept, -np.inf),
        gates.labels,
        gates.labels,
        "the state at",
        "was written at",
        scale="size",
        absent="not read yet",
        unit="share of the state",
    )
    return Shown(
        pictures=[
            _held(gates),
            Matrices([kept], key="sequence-to-sequence-kept", name="What the GRU keeps", height=480),
            Strip(_gates(gates), key="sequence-to-sequence-gates", name="The gates"),
            Caption("Gates: a row is a token, a column one number of the state. 0 is shut, 1 is open."),
        ],
        lead="A GRU keeps what it has read in one vector, its state. At each token it makes a candidate n for a new "
        "one: the update **gate** z says, number by number, how much of the old state stays; the reset gate r, how "
        "much of it the candidate sees.",
        takeaway=read_retention(gates.labels, gates.kept[gates.last]),
        formula=GRU_FORMULA,
        about="Each row holds shares of one state, as means over its numbers: so much of it was written at each token. "
        "What is missing to 1 is left of the first state. A candidate is itself made with the state before it, so a "
        "word can live on in later candidates.",
        table=Table("kept", gates.kept, gates.labels, gates.labels, "the state at"),
        source=(
            "core.model.recurrent.GRUCell.forward",
            "core.topics.sequence_to_sequence.analysis.recurrence.kept_shares",
        ),
    )


def _held(gates: Gates) -> TokenButtons:
    """Return the tokens, each shaded by how much of it the last state holds, as a part of the most."""
    held = gates.kept[gates.last]
    most = float(held.max()) or 1.0
    tokens = [
        Token(bare(label), shade=float(share) / most, under=percent(float(share)))
        for label, share in zip(gates.labels, held, strict=True)
    ]
    caption = "Below each token: the share of the last state that was written there."
    key, name = "sequence-to-sequence-held", "What the last state holds of each token"
    return TokenButtons(tokens, key=key, name=name, caption=caption, hue="size", large=True)


def _gates(gates: Gates) -> list[Tile]:
    named_gates = (("update", "update gate z", gates.update), ("reset", "reset gate r", gates.reset))
    return [
        Tile(
            name,
            title,
            values,
            f"{values.shape[0]} × {values.shape[1]}",
            size=(1.0, 5.0),
            rows=gates.labels,
            axes=("token", "number"),
            scale="weight",
            unit="gate",
            starts=True,
        )
        for name, title, values in named_gates
    ]


VIEW = View("gates", _show, _controls)
