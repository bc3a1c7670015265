"""A sentence, its translation by a trained model, where each written word looked, and what one word changes."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.checkpoints.examples import other_text
from core.explorer.shared.requests import chosen_of
from core.explorer.welcome.scene import Scene, Turn, scene, turn
from core.readings.welcome import read_turn, read_written
from core.tracing.run import Run
from pages.canvas import Bridge, Token, TokenButtons
from pages.queries.generation import start
from pages.shell import CHOSEN, FRESH, OWN, TEXT, Shown
from pages.start.welcome.queries import translated
from pages.widgets import Button, Columns, Link, Markdown, Part, Row, Table, Values, plain

LINES = (
    "The lines are **cross-attention**: the mean over the heads of layer {layer} of the decoder, whose attention is "
    "the most focused on average. The weights of each written word sum to 1; those below 2% have no line."
)
LEAD = (
    "A small model reads the upper line and writes the lower one, word by word. Point at a written word: the lines "
    "show which words it looked at."
)
SOURCE = (
    "core.explorer.welcome.scene.scene",
    "core.explorer.welcome.scene.turn",
    "core.model.attention.attention",
)


def show_translation(run: Run, values: Values) -> Shown:
    """The words of the sentence above those of the translation; of a pair of sentences, also what one word changes."""
    text = other_text(run.checkpoint, run.text)
    seen, first = translated(run), len(start(run))
    other = translated(replace(run, text=text)) if text else None
    here = scene(seen, first, scene(other, first).written if other else ())
    found = turn(seen, other) if other else None
    return Shown(
        lead=LEAD,
        pictures=[_bridge(here), *(_one_word(found, text) if found else []), _ways_on(run)],
        takeaway=read_written(here.written[here.opened], here.weights[here.opened], here.read),
        about=[LINES.format(layer=here.layer + 1), _where(found) if found else ""],
        table=Table("cross-attention", here.weights, _numbered(here.written), _numbered(here.read), "written"),
        source=SOURCE,
    )


def _bridge(here: Scene) -> Bridge:
    return Bridge(
        here.weights,
        here.written,
        here.read,
        key="welcome-bridge",
        name="the words of your sentence, and of its translation",
        above="Your sentence",
        below="The model's translation: point at a word to see where it looked",
        opened=here.opened,
        told=here.told,
    )


def _one_word(found: Turn, text: str) -> list[Part]:
    """Where one token looks in either sentence, and the button that turns one sentence into the other."""
    token, (before, after) = found.pieces[0][found.place], found.words
    label, icon = f"Change “{before}” to “{after}”", ":material/swap_horiz:"
    change = Button(label, "welcome-swap", lambda: {TEXT.key: text}, icon, "primary", whole=True)
    here: list[Part] = [Markdown(f"**Where “{token}” looks in your sentence**"), _shaded(found, 0)]
    there: list[Part] = [Markdown(f"**Where it looks when “{before}” becomes “{after}”**"), _shaded(found, 1)]
    return [change, Columns([here, there]), Markdown(plain(read_turn(found.place, found.rows, found.pieces)))]


def _where(found: Turn) -> str:
    """Which head looks so, with what a head and a layer are."""
    return (
        f"Where “{plain(found.pieces[0][found.place])}” looks is shown of head {found.head + 1} in layer "
        f"{found.layer + 1} of the **encoder**, the half of the model that reads. A **layer** is one round of looking; "
        "a **head** is one of several that look at once, each in its own way."
    )


def _shaded(found: Turn, which: int) -> TokenButtons:
    pairs = zip(found.pieces[which], found.rows[which], strict=True)
    tokens = [Token(piece, f"weight {weight:.3f}", float(np.clip(weight, 0, 1))) for piece, weight in pairs]
    return TokenButtons(
        tokens,
        key=f"welcome-turn-{which}",
        name=f"Where the token looks, sentence {which + 1}",
        selected=found.place,
        caption="The stronger the colour, the more attention. The weights sum to 1.",
    )


def _ways_on(run: Run) -> Row:
    random = {CHOSEN.key: FRESH, OWN: chosen_of(run.config)}
    return Row(
        [
            Link("How is this computed?", "journey"),
            Link("Watch it write", "translate"),
            Button("Start from random weights", "welcome-random", lambda: random, ":material/casino:", whole=True),
        ]
    )


def _numbered(words: Sequence[str]) -> list[str]:
    return [f"{number}:{word}" for number, word in enumerate(words)]
