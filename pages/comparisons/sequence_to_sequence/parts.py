"""Parts shared by several views of this page."""

from collections.abc import Iterator

from core.topics.sequence_to_sequence.records import Passage
from pages.comparisons.sequence_to_sequence import queries
from pages.comparisons.sequence_to_sequence.settings import OTHER, WORD
from pages.widgets import Control, Values, control

PLAYER = "sequence-to-sequence"
STEPS = "sequence-to-sequence-stepping"
BENCH = "sequence-to-sequence-bench"


def word_controls(text: str, values: Values) -> Iterator[Control]:
    """Yield the controls for the words to put in place of another, and for the word that they replace."""
    yield control(OTHER, width=180, max_chars=40)
    yield control(WORD, high=max(0, len(queries.word_names(text)) - 1), width=130)


def replaced_word(text: str, values: Values) -> int:
    """Return the place of the word that changes."""
    return min(values[WORD], len(queries.word_names(text)) - 1)


def place_in(found: Passage, row: int, column: int) -> tuple[int, int]:
    """Return the places of a written token and of a source token; the last place if there are fewer tokens."""
    return min(row, len(found.ids) - 1), min(column, len(found.source) - 1)
