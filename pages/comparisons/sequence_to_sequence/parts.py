"""What several views of this page share."""

from collections.abc import Iterator

from core.explorer.sequence_to_sequence.records import Passage
from pages.comparisons.sequence_to_sequence import queries
from pages.comparisons.sequence_to_sequence.settings import OTHER, WORD
from pages.widgets import Control, Values, control

PLAYER = "sequence-to-sequence"
STEPS = "sequence-to-sequence-stepping"
BENCH = "sequence-to-sequence-bench"


def word_controls(text: str, values: Values) -> Iterator[Control]:
    """The words that stand in place of another, and which word that is."""
    yield control(OTHER, width=180, max_chars=40)
    yield control(WORD, high=max(0, len(queries.word_names(text)) - 1), width=130)


def replaced_word(text: str, values: Values) -> int:
    """The place of the word that changes."""
    return min(values[WORD], len(queries.word_names(text)) - 1)


def place_in(found: Passage, row: int, column: int) -> tuple[int, int]:
    """A written token and one of the source; the last where there are fewer."""
    return min(row, len(found.ids) - 1), min(column, len(found.source) - 1)
