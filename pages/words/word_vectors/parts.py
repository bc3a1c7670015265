"""What several views of this page share: the method, single words, and notes on words without a vector."""

from collections.abc import Iterator
from typing import Any

from core.explorer.word_vectors.table import Sorted
from core.limits import LISTED_CHARACTERS
from core.readings.word_vectors import read_cut, read_several, read_unknown
from core.tracing.run import Run
from pages.shell import Shown
from pages.widgets import Caption, Control, Message, Setting, Values, control, plain
from pages.words.word_vectors import queries
from pages.words.word_vectors.settings import METHOD

PLAYER = "word-vectors-live"  # the name of the player of a training
SLOWLY: dict[str, Any] = {"live": False}  # a word is looked up when it is written, not letter by letter


def method_controls(run: Run, values: Values) -> Iterator[Control]:
    yield control(METHOD)


def typed(setting: Setting, width: int | str = 130) -> Control:
    """A text box for words."""
    return control(setting, width=width, max_chars=LISTED_CHARACTERS, **SLOWLY)


def notes_on(words: Sorted, most: int) -> list[str | None]:
    """Which words have no vector, and how many were too many."""
    return [*read_unknown(words.unknown, len(queries.table().words)), read_cut(words.cut, most)]


def word_of(values: Values, setting: Setting) -> tuple[str, str]:
    """The one word that a setting names, and why it cannot be looked up, or ""."""
    if several := read_several(values[setting] or ""):
        return "", several
    found = queries.sort_words(values[setting] or "", 1)
    if found.unknown:
        return "", read_unknown(found.unknown, len(queries.table().words), 1)[0]
    return (found.known[0], "") if found.known else ("", f"Write a word into “{setting.label}”.")


def without_vectors(*reasons: str, lead: str = "") -> Shown:
    """A view whose words have no vectors: it says which."""
    return Shown(lead=lead, pictures=[Message(plain(each)) for each in dict.fromkeys(reasons) if each])


def origin() -> Caption:
    """Whose vectors these are, under a picture."""
    table = queries.table()
    count, width = next(iter(table.vectors.values())).shape
    return Caption(f"{plain(table.title)}: {count:,} words, {width} numbers each, trained here on {plain(table.data)}.")
