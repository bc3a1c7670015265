"""The view of a layer's neurons: which fire at a token, the pieces that one raises, and the texts on which it fires."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.charts.bars import bars_data, neuron_bars_spec, piece_scores_spec
from core.checkpoints.firing import WITH_TEXTS
from core.readings.words import number, quoted
from core.text.labels import token_name
from core.topics.block.corpus_texts import LitText, found_texts
from core.topics.block.neurons import Neurons, Written
from core.topics.block.readings import neurons as say
from core.tracing.run import Run
from pages.canvas import Matrices, Panel, Token, TokenButtons
from pages.compute.cache import model_title
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.transformer.block import queries
from pages.transformer.block.parts import (
    block_controls,
    stack_of,
    token_at,
    token_control,
    token_row_of,
    without_neurons,
)
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
    if not run.config.hidden_width:
        return
    yield from block_controls(run, values)
    yield control(NEURON, high=run.config.hidden_width - 1, width=150, placeholder="strongest")
    yield token_control(run, values)


def _show(run: Run, values: Values) -> Shown:
    """Show the strongest neurons at the token and at every token, and the row and the texts of one of them."""
    config, stack = run.config, stack_of(run, values)
    if not config.hidden_width:
        return without_neurons(LEAD)
    layer = layer_of(run, values, stack)
    chosen = None if values[NEURON] is None else int(min(values[NEURON], config.hidden_width - 1))
    neurons = queries.neurons(run, stack, layer, token_at(run, values), chosen)
    writes = queries.written(run, stack, layer, neurons.neuron)
    texts, sentences, favourite = _corpus(run, stack, layer, neurons.neuron)
    names = tuple(map(str, neurons.numbers))
    return Shown(
        lead=LEAD,
        click="Click a neuron in the charts below to see what it writes, and on which texts it fires.",
        pictures=[
            token_row_of(run, values, "block-neurons-tokens"),
            *([Columns([texts, _row(neurons, writes)], (5, 4))] if writes else texts),
            Columns([[_heatmap(neurons, config.activation)], [_bars(neurons, names)]], (4, 5)),
        ],
        takeaway=_said(neurons, writes, sentences, favourite),
        notes=[UNNAMED if writes is None and not config.has_two_stacks else None],
        formula=say.write_ffn(config.d_model, config.hidden_width, config.activation, config.ffn_bias),
        about=[
            ABOUT,
            say.explain_written(config.norm if config.ends_with_norm else None, config.gated) if writes else "",
        ],
        table=[
            _at_token(neurons, names),
            Table("activations", neurons.activations, neurons.labels, names, corner="token"),
        ],
        source=(
            "core.topics.block.neurons.neurons",
            "core.model.layers.FeedForward",
            "core.topics.block.analysis.before_unembedding",
        ),
    )


def _heatmap(neurons: Neurons, activation: str) -> Part:
    """Show the activations at every token; a click chooses another token and neuron."""
    panel = Panel(
        "neurons",
        f"activations of the strongest neurons of {neurons.count:,}",
        neurons.activations,
        neurons.labels,
        tuple(map(str, neurons.numbers)),
        "tokens",
        "neurons",
        "size" if activation == "relu" else "signed",
        selected=(neurons.token, neurons.chosen),
        unit="activation",
    )

    def sets(panel: str, row: int, column: int) -> dict[str, int]:
        return {TOKEN.key: row, NEURON.key: neurons.numbers[column]}

    return Matrices([panel], key="block-neurons", name="activations of neurons", height=400, sets=sets)


def _bars(neurons: Neurons, names: Sequence[str]) -> Part:
    """Show the length of the vector that each neuron adds at the token; a click chooses another neuron."""
    return Chart(
        bars_data(neurons.lengths, names),
        spec(neuron_bars_spec, "Which neuron adds most at this token?", "length of what it adds"),
        "block-neurons-lengths",
        "what the strongest neurons add",
        lambda index: {NEURON.key: neurons.numbers[index]},
    )


def _row(neurons: Neurons, writes: Written) -> list[Part]:
    """Show the pieces whose scores the neuron's row of the output matrix raises most and lowers most."""
    pieces = [*writes.raised, *reversed(writes.lowered)]
    chart = Chart(
        bars_data(np.array([score for _, score in pieces]), [piece for piece, _ in pieces]),
        spec(piece_scores_spec, "What does its row raise and lower?", "score"),
        "block-neurons-written",
        f"what neuron {neurons.neuron} writes",
    )
    return [Markdown(f"What **neuron** {neurons.neuron:,} writes"), chart]


def _corpus(run: Run, stack: str, layer: int, neuron: int) -> tuple[list[Part], list[str], str]:
    """Show the texts on which the neuron fires most, as the model reads them now, and return sentences about them.

    The last is short, for the headline; "" if there are no texts.
    """
    try:
        firing = queries.firing(run)
    except ValueError as mistake:
        return [Message(plain(str(mistake)))], [], ""
    if firing is None or stack not in firing.stacks:
        titles = ", ".join(model_title(name) for name in WITH_TEXTS)
        return (
            [Message(plain(f"On which texts a neuron fires most was found for these trained models: {titles}."))],
            [],
            "",
        )
    hits = core_call(found_texts, firing, stack, layer, neuron)
    lit = queries.lit_texts(run, stack, layer, neuron, hits)
    sentence = say.read_fires_on(neuron, firing.read, [text.pieces[text.token] for text in lit])
    if not lit:
        return [Markdown(plain(sentence))], [sentence], ""
    largest_activation = max(float(text.activations.max()) for text in lit)
    buttons = [_lit(text, index, largest_activation) for index, text in enumerate(lit)]
    head = f"Where neuron {neuron:,} fires most in {firing.read:,} texts that this model was not trained on"
    caption = Caption(f"{ORIGIN} The stronger the colour, the more the neuron fires there.")
    favourite = say.read_favourite(firing.read, lit[0].pieces[lit[0].token])
    return [Markdown(head), *buttons, caption], [sentence], favourite


def _lit(text: LitText, index: int, largest_activation: float) -> TokenButtons:
    """Return a text with its tokens shaded by the neuron's activation, the strongest one framed."""
    shades = (
        np.clip(text.activations / largest_activation, 0, 1)
        if largest_activation > 0
        else np.zeros_like(text.activations)
    )
    tokens = [
        Token(piece, number(activation), float(shade))
        for piece, activation, shade in zip(text.pieces, text.activations, shades, strict=True)
    ]
    peak = f"{number(text.activations[text.token])} at {quoted(text.pieces[text.token])}"
    beside = f", translated from {quoted(text.source)}" if text.source else ""
    return TokenButtons(
        tokens,
        key=f"block-neurons-text-{index}",
        name=f"text {index + 1} on which the neuron fires most",
        selected=text.token,
        caption=peak + beside,
        hue="size",
    )


def _said(neurons: Neurons, writes: Written | None, sentences: Sequence[str], favourite: str) -> list[str]:
    """Return all sentences: the first is about the neuron that is looked at, the strongest or a chosen one.

    sentences, favourite: what is said of it on other texts, whole and short.
    """
    at_token, in_text = _read_token(neurons, favourite), _read_neuron(neurons)
    written = _read_written(neurons, writes)
    if neurons.neuron == neurons.numbers[0]:
        return [*at_token, in_text, *written, *([] if favourite else sentences)]
    return [*sentences, in_text, *at_token, *written]


def _read_token(neurons: Neurons, favourite: str) -> tuple[str, ...]:
    """Say which neuron adds most at the token, and where else it fires if it is the one that is looked at."""
    strongest = neurons.strongest
    share = None if not neurons.size else float(neurons.shares[strongest].sum())
    token = token_name(neurons.labels, neurons.token)
    activation = float(neurons.activations[neurons.token, 0])
    first = neurons.numbers[0]
    known = favourite if neurons.neuron == first else ""
    return say.read_strongest(token, strongest.stop, neurons.count, share, first, activation, known)


def _read_neuron(neurons: Neurons) -> str:
    strongest_token = int(neurons.fires.argmax())
    above = int((neurons.fires >= neurons.fires[strongest_token] / 2).sum())
    return say.read_fires(
        neurons.neuron,
        token_name(neurons.labels, strongest_token),
        float(neurons.fires[strongest_token]),
        above,
        len(neurons.labels),
    )


def _read_written(neurons: Neurons, writes: Written | None) -> list[str]:
    if writes is None:
        return []
    raised, lowered = ([piece for piece, _ in pieces] for pieces in (writes.raised, writes.lowered))
    return [say.read_raised(neurons.neuron, raised, lowered)]


def _at_token(neurons: Neurons, names: Sequence[str]) -> Table:
    """Return the numbers of the strongest neurons at the token, without shares if the layer adds nothing."""
    columns = {"activation": neurons.activations[neurons.token], "length added": neurons.lengths}
    if neurons.size:
        columns["share of the output"] = neurons.shares
    return Table("neurons", np.stack(list(columns.values()), 1), names, tuple(columns), corner="neuron")


VIEW = View("neurons", _show, _controls)
