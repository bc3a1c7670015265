"""The view of what is left of a word after each layer, with and without residual connections."""

from collections.abc import Iterator, Sequence

import numpy as np

from core.charts.style import share_label
from core.readings.words import capital, plural, quoted
from core.text.labels import are_words, bare, token_name
from core.topics.depth.charts.by_depth import TRAINED
from core.topics.depth.curves import Curve, cosine_curve, curves_table
from core.topics.depth.readings.signal import read_own_remains, read_remains, write_remains
from core.topics.depth.stacks import remains_curves
from core.tracing.run import Run
from pages.canvas import Token, TokenButtons
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.transformer.depth import queries
from pages.transformer.depth.parts import cut_note, depth_chart, for_each_seed, stack_controls
from pages.transformer.depth.settings import SEEDS, TOKEN, WIDTH
from pages.widgets import Caption, Chart, Control, Markdown, Message, Part, Table, Values, control, plain

MAX_TILES = 13  # tiles in a line: deeper stacks show some of their layers
LEAD = (
    "Your text goes through a stack of blocks with **random weights**, twice. A **residual connection** adds what a "
    "layer makes to what it was given; without one, the layer replaces it. What is left of a word's direction?"
)
HINT = (
    "The stronger the colour, the more the word's vector still points where it pointed before the first layer. The "
    "weights are random, so what comes back in a later layer comes back by chance."
)
AXES = ("All words on average", "layer", "cosine with the first vector")


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from stack_controls()
    yield control(TOKEN, "more")


def _show(run: Run, values: Values) -> Shown:
    """Show one word after each layer, with residual connections and without, and a chart of all words."""
    try:
        text = queries.stack_text(run)
    except ValueError as mistake:
        return Shown(lead=LEAD, pictures=[Message(plain(str(mistake)))])
    labels = queries.token_labels(run)
    token = _token(labels, values)
    word, piece = plain(token_name(labels, token)), bare(labels[token])
    each_seed = for_each_seed(values, lambda shape: queries.remains(run, shape))
    added, replaced, *averages = core_call(remains_curves, each_seed, token, quoted(piece))
    followed = [added, replaced]
    said, own = [read_remains(word, added.middle.tolist(), replaced.middle.tolist())], queries.trained_remains(run)
    if own is not None:
        said.append(read_own_remains(len(own) - 1, float(own[-1, token])))
        followed.append(cosine_curve(quoted(piece), TRAINED, own[None, :, token]))
        averages.append(cosine_curve(TRAINED, "", own.mean(-1)[None]))
    lines = [*_line(piece, added), *_line(piece, replaced)]
    return Shown(
        lead=LEAD,
        pictures=[_choice(labels, token), *lines, Caption(HINT), _chart(averages)],
        takeaway=said,
        notes=[cut_note(text)],
        formula=write_remains(),
        about=_about(values),
        table=Table("left", *curves_table([*followed, *averages], "layer"), corner="vector, stack"),
        source=(
            "core.analysis.word_contexts.cosine_rows",
            "core.topics.depth.analysis.signal.wired",
            "core.topics.depth.stacks.stack_remains",
            "core.topics.depth.stacks.own_remains",
        ),
    )


def _token(labels: Sequence[str], values: Values) -> int:
    """Return the token that is followed: the chosen one or, until one is chosen, the first that is a whole word."""
    if values[TOKEN] is not None:
        return min(int(values[TOKEN]), len(labels) - 1)
    return int(are_words(labels).argmax())


def _line(piece: str, left: Curve) -> list[Part]:
    """Return the word before the first layer and after each, coloured by what is left of it."""
    layers = np.linspace(0, len(left.x) - 1, min(len(left.x), MAX_TILES)).round().astype(int).tolist()
    shades = np.clip(np.nan_to_num(left.middle), 0, 1).tolist()
    tiles = [
        Token(
            piece,
            f"cosine {left.middle[layer]:.3f}",
            shades[layer],
            under=f"{_stage(layer)}\n{share_label(shades[layer])}",
        )
        for layer in layers
    ]
    key, title = f"depth-left-{left.way.split()[0]}", f"{capital(left.way)} connections"
    name = f"{quoted(piece)} after each layer, {left.way}"
    return [Markdown(f"**{title}**"), TokenButtons(tiles, key=key, name=name, hue="size", item="tile", large=True)]


def _stage(layer: int) -> str:
    return f"layer {layer}" if layer else "before"


def _choice(labels: Sequence[str], token: int) -> TokenButtons:
    """Return the text, in which a click chooses the word that is followed."""
    return TokenButtons(
        [Token(bare(label)) for label in labels],
        key="depth-left-text",
        name="Your text",
        selected=token,
        click="Click a word to follow it through the layers.",
        hue="size",
        sets=lambda clicked: {TOKEN.key: clicked},
    )


def _chart(curves: Sequence[Curve]) -> Chart:
    return depth_chart("depth-left-chart", "What is left of all words on average", curves, AXES, log=False)


def _about(values: Values) -> list[str]:
    return [
        f"What is left is the cosine of the word's vector after a layer with its vector before the first; below 0 "
        f"it is written as 0%. It is the mean of {plural(values[SEEDS], 'stack')} with other random weights. Two "
        f"random vectors of {values[WIDTH]} numbers have a cosine of about ±{float(values[WIDTH]) ** -0.5:.2f} by "
        "chance.",
        "Both lines are of stacks with norms before each part (pre-norm) and the same weights. The chart has all six "
        "ways to build the stack, averaged over all words of the text.",
    ]


VIEW = View("what is left", _show, _controls)
