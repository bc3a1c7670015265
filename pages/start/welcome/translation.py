"""A sentence, its translation by a trained model, the attention of each written word, and the effect of one word."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.checkpoints.examples import other_text, paired_text
from core.checkpoints.languages import written_language
from core.topics.shared.places import require_no_sink
from core.topics.shared.run_from_choices import chosen_of
from core.topics.welcome.readings import read_missed, read_order, read_pairs, read_turn, read_untrained, read_written
from core.topics.welcome.scene import (
    Turn,
    WelcomeScene,
    looked_at,
    never_looked_at,
    order_turned,
    scene,
    shortened,
    turn,
)
from core.tracing.run import Run
from pages.canvas import Bridge, Token, TokenButtons
from pages.compute.generation import start
from pages.compute.own_text import about_answer
from pages.shell import MODEL, RANDOM_WEIGHTS, TEXT, Shown, View
from pages.start.welcome.queries import pronoun_counts, translated
from pages.widgets import (
    ATTENTION,
    Button,
    Caption,
    Columns,
    Link,
    Markdown,
    Part,
    Row,
    Table,
    Values,
    head_picked,
    plain,
)

LINES = (
    "The lines are **cross-attention**: the mean over the heads of layer {layer} of the decoder, whose attention is "
    "the most focused on average. The weights of each written word sum to 1; those below 2% have no line."
)
END_NOTE = "“(end)” is the **end token**."
LEAD = "Point at a written word: the lines show which words the model looked at to write it."
IT_SENTENCE = "French has to decide what “it” stands for: “il” for a masculine noun, “elle” for a feminine one."
MAX_REPEATED = 10  # times that one piece is drawn if the model writes no other
SOURCE = (
    "core.topics.welcome.scene.scene",
    "core.topics.welcome.scene.turn",
    "core.model.attention.attention",
)


def _show(run: Run, values: Values) -> Shown:
    """Show the words of the sentence above those of the translation.

    For a pair of sentences, also show the effect of the word in which they differ.
    """
    require_no_sink(run)
    text = other_text(run.model_name, run.text)
    attentions, first = translated(run), len(start(run))
    other_attentions = translated(replace(run, text=text)) if text else None
    other_scene = scene(other_attentions, first) if other_attentions else None
    this_scene = scene(attentions, first, other_scene.written if other_scene else ())
    change = (
        turn(attentions, other_attentions, int(this_scene.weights[this_scene.opened].argmax()))
        if other_attentions
        else None
    )
    second = _second_look(run)
    if change and other_attentions:
        other_scene = scene(other_attentions, first, this_scene.written)
        second = _one_word(
            run, change, text, (this_scene.written[this_scene.opened], other_scene.written[other_scene.opened])
        )
    return Shown(
        lead=LEAD,
        pictures=[_bridge(_drawn(this_scene), written_language(run.model_name)), *second, _ways_on(run, this_scene)],
        takeaway=_sentences(run, this_scene) if run.is_trained else read_untrained(this_scene.written),
        about=[
            LINES.format(layer=this_scene.layer + 1),
            END_NOTE if "(end)" in this_scene.read else "",
            _where(change) if change else "",
        ],
        table=Table(
            "cross-attention", this_scene.weights, _numbered(this_scene.written), _numbered(this_scene.read), "written"
        ),
        source=SOURCE,
    )


def _sentences(run: Run, this_scene: WelcomeScene) -> list[str]:
    """Return what the opened word looked at and whether the order turns there; then which words may be lost."""
    opened = this_scene.opened
    headline = read_written(this_scene.written[opened], this_scene.weights[opened], this_scene.read)
    if (positions := order_turned(this_scene)) and not about_answer(run):
        read, written = positions
        order = read_order([this_scene.read[index] for index in read], [this_scene.written[index] for index in written])
        headline = f"{headline} {order}"
    return [headline, *filter(None, [read_missed(never_looked_at(this_scene))])]


def _drawn(this_scene: WelcomeScene) -> WelcomeScene:
    """Return the scene to draw.

    If the model writes one piece again and again, only the first MAX_REPEATED words are left.
    """
    return shortened(this_scene, MAX_REPEATED) if len(set(this_scene.written)) == 1 else this_scene


def _bridge(this_scene: WelcomeScene, language: str) -> Bridge:
    return Bridge(
        this_scene.weights,
        this_scene.written,
        this_scene.read,
        key="welcome-bridge",
        name="a sentence and its translation",
        above="Your sentence",
        below="The model's translation, and below each word the one that it looked at most",
        opened=this_scene.opened,
        told=this_scene.told,
        glosses=looked_at(this_scene),
        language=language,
    )


def _one_word(run: Run, change: Turn, text: str, written: tuple[str, str]) -> list[Part]:
    """Return the attention of one token in both sentences, and a button that swaps the sentences.

    Each picture is titled with the word that the token becomes in the translation. If the pairs of the model were
    counted, the count is added.
    """
    token, (before, after) = plain(change.pieces[0][change.place]), map(plain, change.words)
    label, icon = f"Change “{before}” to “{after}”", ":material/swap_horiz:"
    titles = (
        f"**Where “{token}” looks in your sentence, to become “{plain(written[0])}”**",
        f"**Where “{token}” looks with “{after}”, to become “{plain(written[1])}”**",
    )
    parts: list[Part] = [
        Button(label, "welcome-swap", lambda: {TEXT.key: text}, icon, "primary", whole=True),
        Columns([[Markdown(title), _shaded(change, which)] for which, title in enumerate(titles)]),
        Markdown(
            plain(read_turn(change.place, change.rows, change.pieces)) + (f" {IT_SENTENCE}" if token == "it" else "")
        ),
    ]
    if counts := pronoun_counts(run.model_name):
        pairs = Link("All pairs, right and wrong", "words-in-context", {"words-in-context-view": "it: tired or wide"})
        parts.append(Row([Caption(read_pairs(counts.pairs, counts.both)), pairs]))
    return parts


def _second_look(run: Run) -> list[Part]:
    """Return a button to a pair of sentences in which one word changes the meaning of another.

    It is left out if the model has no such examples.
    """
    text = paired_text(run.model_name)
    if not text:
        return []
    label, icon = "A second look: one word decides what “it” stands for", ":material/swap_horiz:"
    return [Button(label, "welcome-second", lambda: {TEXT.key: text}, icon, "secondary", whole=True)]


def _where(change: Turn) -> str:
    """Return a sentence about the head that is shown, with explanations of a head and a layer."""
    return (
        f"Where “{plain(change.pieces[0][change.place])}” looks is shown of head {change.head + 1} in layer "
        f"{change.layer + 1} of the **encoder**, the half of the model that reads. A **layer** is one round of "
        "looking; a **head** is one of several that look at once, each in its own way."
    )


def _shaded(change: Turn, which: int) -> TokenButtons:
    pairs = zip(change.pieces[which], change.rows[which], strict=True)
    tokens = [Token(piece, f"weight {weight:.3f}", float(np.clip(weight, 0, 1))) for piece, weight in pairs]
    return TokenButtons(
        tokens,
        key=f"welcome-turn-{which}",
        name=f"Where the token looks, sentence {which + 1}",
        selected=change.place,
        caption="The stronger the colour, the more attention. The weights sum to 1.",
    )


def _ways_on(run: Run, this_scene: WelcomeScene) -> Row:
    """Return links to the computation in the head that is shown and to other pages, and a button for random weights."""
    random = {MODEL.key: RANDOM_WEIGHTS, **chosen_of(run.config)}
    return Row(
        [
            Link(
                "How is this computed?",
                "journey",
                {ATTENTION.key: "cross", **head_picked(this_scene.layer, this_scene.head)},
            ),
            Link("Watch it write", "translate"),
            Link("Learn this in order", "lessons", icon=":material/school:"),
            Button("Build an untrained model", "welcome-random", lambda: random, ":material/casino:", whole=True),
        ]
    )


def _numbered(words: Sequence[str]) -> list[str]:
    return [f"{number}:{word}" for number, word in enumerate(words)]


VIEW = View("translation", _show)
