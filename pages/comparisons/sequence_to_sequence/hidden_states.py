"""The hidden states of each step: every number that the GRUs carry on, beside the transformer's output."""

from core.explorer.sequence_to_sequence.records import TITLES
from core.readings.sequence_to_sequence import read_states
from pages.canvas import Strip, Tile
from pages.comparisons.sequence_to_sequence import queries
from pages.shell import Shown
from pages.widgets import Caption, Listing, Values

SITES = {
    "forwards.state": "encoder, forward",
    "backwards.state": "encoder, backward",
    "encoder.state": "encoder",
    "decoder.state": "decoder",
}


def show_states(text: str, values: Values) -> Shown:
    """The states of each model: a row for each token, a column for each number."""
    tiles, handed = [], {}
    for name, title in TITLES.items():
        each = queries.passage(name, text)
        memory = 0
        for place, site in enumerate(site for site in SITES if site in each.states):
            state, writes = each.states[site], site == "decoder.state"
            tiles.append(
                Tile(
                    f"{name}-{site}",
                    f"{title}: {SITES[site]}",
                    state,
                    f"{state.shape[0]} × {state.shape[1]}",
                    size=(0.9, 1.6),
                    rows=each.rows if writes else each.columns,
                    axes=("written" if writes else "read", "number"),
                    starts=place == 0,
                )
            )
            memory += 0 if writes else state.size
        handed[title] = each.states["forwards.state"].shape[1] if each.weights is None else memory
    names, sizes = list(handed), list(handed.values())
    return Shown(
        pictures=[
            Strip(tiles, key="sequence-to-sequence-states", name="Hidden states"),
            Caption("A row is a token that was read or written, a column one number of its state."),
        ],
        lead="A **GRU** goes from row to row: each **hidden state** is made of the one before it and the next token. "
        "The **transformer** makes all rows of its **encoder** at once.",
        takeaway=read_states(names, sizes),
        table=Listing("handed-over", {"model": names, "numbers": sizes}),
        source=("core.model.recurrent.GRUCell.forward", "core.tracing.step_tap.StepTap"),
    )
