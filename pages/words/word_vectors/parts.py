"""Parts that several views of this page share: the method, single words, and notes on words without a vector."""

from collections.abc import Iterator
from typing import Any

from core.limits import LISTED_CHARACTERS
from core.readings.word_vectors import read_cut, read_several, read_unknown
from core.topics.word_vectors.table import Sorted
from core.tracing.run import Run
from pages.shell import Shown
from pages.widgets import Caption, Control, Message, Setting, Values, control, plain
from pages.words.word_vectors import queries
from pages.words.word_vectors.settings import METHOD

PLAYER = "word-vectors-live"  # the name of the player of a training
WORD_INPUT: dict[str, Any] = {"live": False}  # a word is looked up when it is complete, not letter by letter


def method_controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(METHOD)


def typed(setting: Setting, width: int | str = 130) -> Control:
    """Return a text box for words."""
    return control(setting, width=width, max_chars=LISTED_CHARACTERS, **WORD_INPUT)


def notes_on(words: Sorted, max_words: int) -> list[str | None]:
    """Return notes on the words without a vector, and on how many words were too many."""
    return [*read_unknown(words.unknown, len(queries.table().words)), read_cut(words.cut, max_words)]


def word_of(values: Values, setting: Setting) -> tuple[str, str]:
    """Return the one word that a setting names, and the reason why it cannot be looked up, or ""."""
    if several := read_several(values[setting] or ""):
        return "", several
    words = queries.sort_words(values[setting] or "", 1)
    if words.unknown:
        return "", read_unknown(words.unknown, len(queries.table().words), 1)[0]
    return (words.known[0], "") if words.known else ("", f"Write a word into “{setting.label}”.")


def known_words(values: Values, *settings: Setting) -> list[str]:
    """Return the one word that each of some settings names.

    Raises ValueError, with a sentence for the visitor, if one cannot be looked up.
    """
    looked_up = [word_of(values, setting) for setting in settings]
    for _, why in looked_up:
        if why:
            raise ValueError(f"There is no script yet: {why}")
    return [word for word, _ in looked_up]


def without_vectors(*reasons: str, lead: str = "") -> Shown:
    """Return a view that shows the reasons why its words cannot be used."""
    return Shown(lead=lead, pictures=[Message(plain(reason)) for reason in dict.fromkeys(reasons) if reason])


def origin() -> Caption:
    """Return a caption about the vectors: their model, their size and their training text."""
    table = queries.table()
    count, width = next(iter(table.vectors.values())).shape
    return Caption(f"{plain(table.title)}: {count:,} words, {width} numbers each, trained here on {plain(table.data)}.")
