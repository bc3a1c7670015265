"""The view of what a head writes when it looks at a token: the words that it raises and lowers."""

from collections.abc import Iterator

import numpy as np

from core.charts.bars import bars_data, piece_scores_spec
from core.readings.words import percent
from core.text.labels import bare, token_name
from core.topics.circuits.head_words import WrittenWords
from core.topics.circuits.readings import head_words as say
from core.tracing.run import Run
from pages.canvas import Token, TokenButtons
from pages.shell import Shown, View
from pages.transformer.circuits import queries
from pages.transformer.circuits.grid import part_grid
from pages.transformer.circuits.settings import KEY
from pages.transformer.circuits.subject import WrittenWord, distinct, part_name, word_controls, written_word
from pages.widgets import Chart, Columns, Control, Message, Table, Values, control, spec

LEAD = (
    "A **head** writes the **value** of what it looks at, through its **output matrix**. That vector points towards "
    "some words and raises their **logits**. Choose a head, and a token for it to look at."
)
ABOUT = (
    "The value is that of this text, and the scale of each norm on the way to the logits is held at its value here. "
    "The bars are changes of logits, compared with the mean over all words, if the head looks at this token alone.",
    "Copying score: the sum of the eigenvalues of the map from a token's embedding through the head to the logits, "
    "divided by the sum of their sizes (Elhage et al. 2021). It is about embeddings, not about this text's vectors.",
)
NO_HEAD = "This model writes no words, so no head can be read in words: choose the storyteller or the translator."


def _controls(run: Run, values: Values) -> Iterator[Control]:
    yield from word_controls(run, values)
    if queries.writes_words(run):
        yield control(KEY, "below", width=120)


def _show(run: Run, values: Values) -> Shown:
    """Show what the head that is looked at raises and lowers, and the tokens that it could look at."""
    word = written_word(run, values)
    if word is None:
        return Shown([Message(NO_HEAD)], LEAD)
    part, chosen = word.attribution.parts[word.head_index], None if values[KEY] is None else int(values[KEY])
    head = part.head
    assert head is not None
    found = queries.written_words(run, word.stack, word.attribution.token, part, chosen)
    at = int(found.weights.argmax()) if chosen is None else min(chosen, len(found.labels) - 1)
    token, cross = token_name(found.labels, at), part.kind == "cross-attention"
    score = None if cross else queries.copying_score(run, word.stack, part.layer, head)
    return Shown(
        lead=LEAD,
        pictures=[
            _tokens(word, found, at),
            Columns([[_bars(found)], [part_grid(word, heads_only=True)]], widths=(2, 3)),
        ],
        takeaway=[
            say.read_written(part.layer, head, token, found.raised[0], cross),
            say.read_weight(token, float(found.weights[at]), found.raised[0], float(found.raised_by[0])),
            *([] if score is None else [say.read_copying(score)]),
        ],
        about=ABOUT,
        table=_tables(found, score),
        source=(
            "core.topics.circuits.head_words.written_words",
            *([] if score is None else ["core.topics.circuits.head_words.copying_score"]),
        ),
    )


def _tokens(word: WrittenWord, found: WrittenWords, at: int) -> TokenButtons:
    """Return the tokens that the head can look at, shaded by its weights; a click looks at another one."""
    name = part_name(word.attribution.parts[word.head_index])
    tokens = [
        Token(bare(label), f"{percent(float(weight))} of the weight", float(weight))
        for label, weight in zip(found.labels, np.clip(found.weights, 0, 1), strict=True)
    ]
    return TokenButtons(
        tokens,
        key="circuits-looks-at",
        name=f"What {name} looks at",
        selected=at,
        caption=f"What {name} looks at here: the stronger the colour, the more weight.",
        click="Click a token to read what it would write from it.",
        sets=lambda place: {KEY.key: place},
    )


def _bars(found: WrittenWords) -> Chart:
    values = np.concatenate([found.raised_by, found.lowered_by[::-1]])
    labels = distinct([*found.raised, *reversed(found.lowered)])
    drawn = spec(piece_scores_spec, "What does it speak for, and against?", "change of the logit")
    return Chart(bars_data(values, labels, 2), drawn, "circuits-written", "what the head writes")


def _tables(found: WrittenWords, score: float | None) -> list[Table]:
    numbers = np.concatenate([found.raised_by, found.lowered_by[::-1]])[:, None]
    words = distinct([*found.raised, *reversed(found.lowered)])
    tables = [
        Table("what it writes", numbers, words, ("change of the logit",), corner="word"),
        Table("where it looks", found.weights[:, None], found.labels, ("weight",), corner="token"),
    ]
    if score is not None:
        tables.append(Table("copying", np.array([[score]]), ("head",), ("copying score",), corner="head"))
    return tables


VIEW = View("what a head writes", _show, _controls)
