"""Parts that several views of this page share: the sentences, the word in them, and a view without occurrences."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from core.limits import SENTENCE_CHARACTERS
from core.topics.words_in_context.occurrences import Occurrence, occurrences, shared_word
from core.topics.words_in_context.readings import note_reading
from core.topics.words_in_context.sentences import ReadSentence
from core.tracing.run import Run
from pages.canvas import Token, TokenButtons
from pages.compute.calls import core_call
from pages.shell import Shown
from pages.shell.model_examples import examples_for
from pages.widgets import Button, Control, Message, Part, Row, Values, control, plain
from pages.words.words_in_context import queries
from pages.words.words_in_context.settings import EXAMPLES, SENTENCES, WORD

ENGLISH = " ".join(EXAMPLES["spring"])
OWN_EXAMPLES = "its own examples"
SENTENCE_END = re.compile(r"(?<=[.!?…])\s+")


@dataclass(frozen=True, eq=False)
class Compared:
    """The sentences as the model reads them, with the compared word.

    places: the positions of the word.
    cut: whether a sentence was too long.
    """

    sentences: tuple[ReadSentence, ...]
    word: str
    places: tuple[Occurrence, ...]
    cut: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the sentences on screen."""
        return tuple(f"sentence {number}" for number in range(1, len(self.sentences) + 1))

    @property
    def several_pieces(self) -> bool:
        """Whether any occurrence of the word consists of several pieces."""
        return any(self.sentences[occurrence.sentence].several_pieces(occurrence.word) for occurrence in self.places)

    @property
    def notes(self) -> list[str | None]:
        """Notes on sentences that were cut, and on the tokens that the model has read at the word."""
        return [
            f"Only the first {SENTENCE_CHARACTERS} characters of a sentence are read." if self.cut else None,
            *(sentence.note for sentence in self.sentences),
            note_reading(self.sentences[0].onward, self.several_pieces),
        ]

    @property
    def averaged(self) -> bool:
        """Whether the word's vector is the mean over its pieces."""
        return self.several_pieces and self.sentences[0].onward


def sentence_controls(run: Run, values: Values) -> Iterator[Control]:
    for setting in SENTENCES:
        yield control(setting, width=240, max_chars=SENTENCE_CHARACTERS, live=False)
    yield control(WORD, width=110, max_chars=40, live=False, placeholder="found here")


def read_sentences(run: Run, values: Values) -> Compared:
    """Return the sentences and the word that the settings name.

    Raises ValueError if no word is shared, or if the model cannot read a sentence.
    """
    written = [text for setting in SENTENCES if (text := (values[setting] or "").strip())]
    texts = [text[:SENTENCE_CHARACTERS] for text in written]
    if not texts:
        raise ValueError("Write a sentence or two, or take one of the examples.")
    sentences = tuple(queries.sentence(run, text) for text in texts)
    word = shared_word(sentences, values[WORD] or "")
    return Compared(sentences, word, core_call(occurrences, sentences, word), texts != written)


def nothing_shared(run: Run, mistake: ValueError, lead: str) -> Shown:
    """Return a view without two occurrences, which gives the reason."""
    advice = (
        "" if queries.reads(run, ENGLISH) else f" Press “{OWN_EXAMPLES}” for texts that it can read, or write some."
    )
    return Shown(pictures=[example_buttons(run), Message(plain(f"{mistake}{advice}"))], lead=lead)


def example_buttons(run: Run) -> Row:
    """Return buttons for example sentences, named by the word that they share, and for those of the visitor's text.

    A model that cannot read them has a button for its own examples instead.
    """
    above = partial(_above, run.text)
    buttons = [Button("your text", "words-in-context-above", above, ":material/vertical_align_bottom:")]
    if not queries.reads(run, ENGLISH):
        own = partial(
            _in_boxes, [example.text for example in examples_for(run.source.address if run.source else "").values()]
        )
        return Row([*buttons, Button(OWN_EXAMPLES, "words-in-context-own", own, ":material/format_quote:")])
    for word in EXAMPLES:
        key, sets = f"words-in-context-example-{word}", partial(_example, word)
        buttons.append(Button(word, key, sets, ":material/format_quote:"))
    return Row(buttons)


def sentence_rows(compared: Compared) -> list[Part]:
    """Return the sentences word by word, with the compared word outlined; a click on another word compares that one."""
    rows: list[Part] = []
    for number, sentence in enumerate(compared.sentences):
        positions = [occurrence.word for occurrence in compared.places if occurrence.sentence == number]
        tokens = [Token(word, new=position in positions) for position, word in enumerate(sentence.words)]
        name = compared.names[number]
        sets = partial(_look_at, sentence.words)
        key, selected = f"words-in-context-row-{number}", positions[0] if positions else None
        rows.append(TokenButtons(tokens, key=key, name=name, selected=selected, hue="size", caption=name, sets=sets))
    return rows


def _look_at(words: tuple[str, ...], clicked: int) -> dict[str, str]:
    return {WORD.key: words[clicked].casefold()}


def _above(text: str) -> dict[str, str]:
    """Return the settings that put the first sentences of a text into the boxes, one in each."""
    return _in_boxes(SENTENCE_END.split(text.strip()))


def _in_boxes(sentences: Sequence[str]) -> dict[str, str]:
    texts = [*sentences[: len(SENTENCES)], *[""] * len(SENTENCES)]
    boxes = zip(SENTENCES, texts, strict=False)
    return {setting.key: text[:SENTENCE_CHARACTERS] for setting, text in boxes} | {WORD.key: ""}


def _example(word: str) -> dict[str, str]:
    texts = zip(SENTENCES, EXAMPLES[word], strict=True)
    return {setting.key: text for setting, text in texts} | {WORD.key: ""}
