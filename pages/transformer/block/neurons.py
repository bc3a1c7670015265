"""The view of a layer's neurons: which fire at a token, the pieces that one raises, and the texts on which it fires."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.charts.bars import bars_data, neuron_bars_spec, piece_scores_spec
from core.checkpoints.firing import WITH_TEXTS
from core.readings.words import number, quoted, token_name
from core.topics.block.corpus_texts import LitText, found_texts
from core.topics.block.neurons import Neurons, Written
from core.topics.block.readings import neurons as say
from core.tracing.run import Run
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.compute.cache import model_title
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.transformer.block import queries
from pages.transformer.block.parts import block_controls, stack_of, token_at, token_control, token_row_of
from pages.transformer.block.settings import NEURON, TOKEN
from pages.widgets import (
    Caption,
    Chart,
    Columns,
    Control,
    Markdown,
    Message,
    Part,
    Table,
    Values,
    control,
    layer_of,
    plain,
    spec,
)

LEAD = (
    "Each **neuron** of the **feed-forward layer** that fires adds a row of numbers of its own to the token's vector. "
    "Click one to see what it writes, and on which texts it fires."
)
ABOUT = (
    "The neurons shown are those that add the longest vectors at the chosen token: activation times the length of the "
    "neuron's row. They are counted from 0. The share is measured along the layer's whole output there: the shares of "
    "all neurons and of the bias make 100%, and one that pulls the other way is negative."
)
UNNAMED = (
    "This encoder's vectors are never compared with the pieces of the vocabulary, so a neuron's row cannot be read as "
    "pieces."
)
ORIGIN = "Sentences of Tatoeba (CC BY 2.0 FR) and passages of children's books, found once and read by the model now."


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from block_controls(run, values)
    yield control(NEURON, high=run.config.hidden_width - 1, width=150, placeholder="strongest")
    yield token_control(run, values)


def _show(run: Run, values: Values) -> Shown:
    """Show the strongest neurons at the token and at every token, and the row and the texts of one of them."""
    config, stack = run.config, stack_of(run, values)
    layer = layer_of(run, values, stack)
    asked = None if values[NEURON] is None else int(min(values[NEURON], config.hidden_width - 1))
    found = queries.neurons(run, stack, layer, token_at(run, values), asked)
    writes = queries.written(run, stack, layer, found.neuron)
    texts, said = _corpus(run, stack, layer, found.neuron)
    names = tuple(map(str, found.numbers))
    return Shown(
        lead=LEAD,
        pictures=[
            token_row_of(run, values, "block-neurons-tokens"),
            Columns([[_heatmap(found, config.activation)], [_bars(found, names)]], (4, 5)),
            *([Columns([_row(found, writes), texts], (4, 5))] if writes else texts),
        ],
        takeaway=[_read_token(found), _read_neuron(found), *_read_written(found, writes), *said],
        notes=[UNNAMED if writes is None and not config.has_two_stacks else None],
        formula=say.write_ffn(config.d_model, config.hidden_width, config.activation, config.ffn_bias),
        about=[
            ABOUT,
            say.explain_written(config.norm if config.ends_with_norm else None, config.gated) if writes else "",
        ],
        table=[_at_token(found, names), Table("activations", found.activations, found.labels, names, corner="token")],
        source=(
            "core.topics.block.neurons.neurons",
            "core.model.layers.FeedForward",
            "core.topics.block.analysis.before_unembedding",
        ),
    )


def _heatmap(found: Neurons, activation: str) -> Part:
    """Show the activations at every token; a click chooses another token and neuron."""
    panel = Panel(
        "neurons",
        f"activations of the strongest neurons of {found.count:,}",
        found.activations,
        found.labels,
        tuple(map(str, found.numbers)),
        "tokens",
        "neurons",
        "size" if activation == "relu" else "signed",
        selected=(found.token, found.chosen),
        unit="activation",
    )

    def sets(panel: str, row: int, column: int) -> dict[str, int]:
        return {TOKEN.key: row, NEURON.key: found.numbers[column]}

    return Matrices([panel], key="block-neurons", name="activations of neurons", height=400, sets=sets)


def _bars(found: Neurons, names: Sequence[str]) -> Part:
    """Show the length of the vector that each neuron adds at the token; a click chooses another neuron."""
    return Chart(
        bars_data(found.lengths, names),
        spec(neuron_bars_spec, "Which neuron adds most at this token?", "length of what it adds"),
        "block-neurons-lengths",
        "what the strongest neurons add",
        lambda place: {NEURON.key: found.numbers[place]},
    )


def _row(found: Neurons, writes: Written) -> list[Part]:
    """Show the pieces that the neuron's row raises and lowers."""
    pieces = [*writes.raised, *reversed(writes.lowered)]
    chart = Chart(
        bars_data(np.array([score for _, score in pieces]), [piece for piece, _ in pieces]),
        spec(piece_scores_spec, "What does its row raise and lower?", "score"),
        "block-neurons-written",
        f"what neuron {found.neuron} writes",
    )
    return [Markdown(f"What **neuron** {found.neuron:,} writes"), chart]


def _corpus(run: Run, stack: str, layer: int, neuron: int) -> tuple[list[Part], list[str]]:
    """Show the texts on which the neuron fires most, as the model reads them now, and return a sentence about them."""
    try:
        firing = queries.firing(run)
    except ValueError as mistake:
        return [Message(plain(str(mistake)))], []
    if firing is None or stack not in firing.stacks:
        titles = ", ".join(model_title(name) for name in WITH_TEXTS)
        return [Message(plain(f"On which texts a neuron fires most was found for these trained models: {titles}."))], []
    found = core_call(found_texts, firing, stack, layer, neuron)
    lit = queries.lit_texts(run, stack, layer, neuron, found)
    said = say.read_fires_on(neuron, firing.read, [each.pieces[each.token] for each in lit])
    if not lit:
        return [Markdown(plain(said))], [said]
    most = max(float(each.activations.max()) for each in lit)
    buttons = [_lit(each, place, most) for place, each in enumerate(lit)]
    head = f"Where neuron {neuron:,} fires most in {firing.read:,} texts that this model was not trained on"
    return [Markdown(head), *buttons, Caption(f"{ORIGIN} The darker a token, the more the neuron fires there.")], [said]


def _lit(each: LitText, place: int, most: float) -> TokenButtons:
    """Return a text with its tokens shaded by the neuron's activation, the strongest one framed."""
    shades = np.clip(each.activations / most, 0, 1) if most > 0 else np.zeros_like(each.activations)
    tokens = [
        Token(piece, number(much), float(shade))
        for piece, much, shade in zip(each.pieces, each.activations, shades, strict=True)
    ]
    at = f"{number(each.activations[each.token])} at {quoted(each.pieces[each.token])}"
    beside = f", translated from {quoted(each.source)}" if each.source else ""
    return TokenButtons(
        tokens,
        key=f"block-neurons-text-{place}",
        name=f"text {place + 1} on which the neuron fires most",
        selected=each.token,
        caption=at + beside,
        hue="size",
    )


def _read_token(found: Neurons) -> str:
    strongest = found.strongest
    share = None if not found.size else float(found.shares[strongest].sum())
    token = token_name(found.labels, found.token)
    activation = float(found.activations[found.token, 0])
    return say.read_strongest(token, strongest.stop, found.count, share, found.numbers[0], activation)


def _read_neuron(found: Neurons) -> str:
    most = int(found.fires.argmax())
    above = int((found.fires >= found.fires[most] / 2).sum())
    return say.read_fires(
        found.neuron, token_name(found.labels, most), float(found.fires[most]), above, len(found.labels)
    )


def _read_written(found: Neurons, writes: Written | None) -> list[str]:
    if writes is None:
        return []
    raised, lowered = ([piece for piece, _ in pieces] for pieces in (writes.raised, writes.lowered))
    return [say.read_raised(found.neuron, raised, lowered)]


def _at_token(found: Neurons, names: Sequence[str]) -> Table:
    """Return the numbers of the strongest neurons at the token, without shares if the layer adds nothing."""
    columns = {"activation": found.activations[found.token], "length added": found.lengths}
    if found.size:
        columns["share of the output"] = found.shares
    return Table("neurons", np.stack(list(columns.values()), 1), names, tuple(columns), corner="neuron")


VIEW = View("neurons", _show, _controls)
