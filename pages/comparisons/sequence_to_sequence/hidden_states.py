"""The view of the hidden states at each step: every number that the GRUs pass on, beside the transformer's output."""

from collections.abc import Sequence

import numpy as np

from core.export.script_parts import ScriptParts
from core.readings.words import number
from core.text.labels import token_name
from core.topics.sequence_to_sequence.readings import read_left, read_states, read_steps
from core.topics.sequence_to_sequence.records import ADDITIVE, BOTTLENECK, TITLES, TRANSFORMER, Passage
from core.topics.sequence_to_sequence.steps import states_by_step, states_left
from core.tracing.run import Run
from pages.canvas import Strip, Tile, Token, TokenButtons
from pages.comparisons.sequence_to_sequence import queries
from pages.comparisons.sequence_to_sequence.parts import STEPS
from pages.comparisons.sequence_to_sequence.settings import STEP
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.widgets import Caption, Listing, Markdown, Part, Player, Table, Values, plain

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
        tiles += [_tile(name, passage, site, step, layers, site == sites[0], _largest(passage)) for site in sites]
        read = [passage.states[site].size for site in sites if site != "decoder.state"]
        handed[TITLES[name]] = passage.states["forwards.state"].shape[1] if passage.weights is None else sum(read)
    names, sizes = list(handed), list(handed.values())
    left = core_call(states_left, passages[BOTTLENECK], step)
    headline = read_left(plain(token_name(passages[BOTTLENECK].columns, 0)), float(left[0])) if len(left) > 1 else ""
    return Shown(
        pictures=[
            Player(STEPS, STEP, max_steps, step, step >= max_steps, opens=max_steps),
            *_words(passages[BOTTLENECK].source, left),
            Strip(tiles, key="sequence-to-sequence-states", name="Hidden states"),
            Caption(
                "A row is a token that was read or written, a column one number of its state."
                f"{' Hatched: not made yet.' if step < max_steps else ''}"
            ),
        ],
        lead="A **GRU** goes from row to row: each **hidden state** is made of the one before it and the next token. "
        "The **transformer** makes all rows of its **encoder** at once, **layer** by layer.",
        takeaway=[
            *(read_steps(step, source, layers) if step < max_steps else filter(None, [headline])),
            *read_states(names, sizes),
        ],
        about=(
            "How much a state resembles the last one is their cosine: 1 in the same direction, 0 at right angles. It "
            "is no share of the state.",
            "A step of reading is one token of a GRU, and one layer of the transformer. Then each step writes one "
            "token: there every model waits for its own last one.",
        ),
        table=[
            Listing("handed-over", {"model": names, "numbers": sizes}),
            Table(
                "left-of-each-state", left[None], ["cosine with the last state"], passages[BOTTLENECK].columns, "GRU"
            ),
        ],
        source=(
            *("core.model.recurrent.GRUCell.forward", "core.topics.sequence_to_sequence.steps.states_by_step"),
            "core.topics.sequence_to_sequence.steps.states_left",
            "core.tracing.step_tap.StepTap",
        ),
    )


def _words(source: Sequence[str], left: np.ndarray) -> list[Part]:
    """Return the source twice: by how much each state resembles the one vector, and by what attention hands over."""
    read = np.isfinite(left)
    shades = np.clip(np.nan_to_num(left), 0, 1).tolist()
    one = [
        Token(piece, f"cosine {cosine:.3f}", shade, under=number(cosine, 2)) if is_read else Token(piece, dim=True)
        for piece, cosine, shade, is_read in zip(source, left.tolist(), shades, read.tolist(), strict=True)
    ]
    every = [
        Token(piece, "handed over", 1.0) if is_read else Token(piece, dim=True)
        for piece, is_read in zip(source, read.tolist(), strict=True)
    ]
    key, name = "sequence-to-sequence-left", "How much the state after each token resembles the last one"
    return [
        Markdown(
            f"**{TITLES[BOTTLENECK]}**: how much the state after each word resembles the last one, which is all that "
            "the decoder gets (1 = the same direction)"
        ),
        TokenButtons(one, key=key, name=name, hue="size", large=True),
        Markdown(f"**{TITLES[ADDITIVE]}**: the decoder gets the state after every word"),
        TokenButtons(every, key=f"{key}-every", name="The states that are handed over", hue="size", large=True),
    ]


def _largest(passage: Passage) -> float:
    """Return the end of the colour scale of a model's states: 1 for a GRU, whose numbers lie between −1 and 1."""
    largest = max(float(np.abs(passage.states[site]).max()) for site in SITES if site in passage.states)
    return max(1.0, largest)


def _tile(name: str, passage: Passage, site: str, step: int, layers: int, starts: bool, limit: float) -> Tile:
    state, writes = passage.states[site], site == "decoder.state"
    return Tile(
        f"{name}-{site}",
        f"{TITLES[name]}: {SITES[site]}",
        states_by_step(passage, site, step, layers),
        f"{state.shape[0]} × {state.shape[1]}",
        size=(0.9, 2.4),
        rows=passage.rows if writes else passage.columns,
        axes=("written" if writes else "read", "number"),
        limit=limit,
        unit="transformer" if name == TRANSFORMER else "GRU",
        starts=starts,
    )


def _script(run: Run, values: Values) -> ScriptParts:
    return queries.states_script(run.text)


VIEW = View("hidden states", _show, player=STEPS, script=_script)
