"""The view of the hidden states at each step: every number that the GRUs pass on, beside the transformer's output."""

import numpy as np

from core.topics.sequence_to_sequence.readings import read_states, read_steps
from core.topics.sequence_to_sequence.records import TITLES, TRANSFORMER, Passage
from core.topics.sequence_to_sequence.steps import states_by_step
from pages.canvas import Strip, Tile
from pages.comparisons.sequence_to_sequence import queries
from pages.comparisons.sequence_to_sequence.parts import STEPS
from pages.comparisons.sequence_to_sequence.settings import STEP
from pages.shell import Shown, View
from pages.widgets import Caption, Listing, Player, Values

SITES = {
    "forwards.state": "encoder, forward",
    "backwards.state": "encoder, backward",
    "encoder.state": "encoder",
    "decoder.state": "decoder",
}


def _show(text: str, values: Values) -> Shown:
    """Show the states of each model up to a step: a row for each token, a column for each number."""
    passages = {name: queries.passage(name, text) for name in TITLES}
    source, layers = len(passages[TRANSFORMER].source), queries.translator_run(text).config.layers
    max_steps = source + max(len(passage.ids) for passage in passages.values())
    step = max_steps if values[STEP] is None else min(values[STEP], max_steps)
    tiles, handed = [], {}
    for name, passage in passages.items():
        sites = [site for site in SITES if site in passage.states]
        tiles += [_tile(name, passage, site, step, layers, starts=site == sites[0]) for site in sites]
        read = [passage.states[site].size for site in sites if site != "decoder.state"]
        handed[TITLES[name]] = passage.states["forwards.state"].shape[1] if passage.weights is None else sum(read)
    names, sizes = list(handed), list(handed.values())
    return Shown(
        pictures=[
            Player(STEPS, STEP, max_steps, step, step >= max_steps, opens=max_steps),
            Strip(tiles, key="sequence-to-sequence-states", name="Hidden states"),
            Caption("A row is a token that was read or written, a column one number of its state. Hatched: not made."),
        ],
        lead="A **GRU** goes from row to row: each **hidden state** is made of the one before it and the next token. "
        "The **transformer** makes all rows of its **encoder** at once, **layer** by layer.",
        takeaway=[*(read_steps(step, source, layers) if step < max_steps else []), *read_states(names, sizes)],
        about="A step of reading is one token of a GRU, and one layer of the transformer. Then each step writes one "
        "token: there every model waits for its own last one.",
        table=Listing("handed-over", {"model": names, "numbers": sizes}),
        source=(
            *("core.model.recurrent.GRUCell.forward", "core.topics.sequence_to_sequence.steps.states_by_step"),
            "core.tracing.step_tap.StepTap",
        ),
    )


def _tile(name: str, passage: Passage, site: str, step: int, layers: int, starts: bool) -> Tile:
    state, writes = passage.states[site], site == "decoder.state"
    return Tile(
        f"{name}-{site}",
        f"{TITLES[name]}: {SITES[site]}",
        states_by_step(passage, site, step, layers),
        f"{state.shape[0]} × {state.shape[1]}",
        size=(0.9, 2.4),
        rows=passage.rows if writes else passage.columns,
        axes=("written" if writes else "read", "number"),
        limit=float(np.abs(state).max()) or None,
        starts=starts,
    )


VIEW = View("hidden states", _show, player=STEPS)
