"""Parts shared by several views of this page."""

from collections.abc import Iterator

from core.topics.sequence_to_sequence.records import Passage
from pages.comparisons.sequence_to_sequence import queries
from pages.comparisons.sequence_to_sequence.settings import OTHER_WORD, WORD
from pages.widgets import Control, Values, control

PLAYER = "sequence-to-sequence"
STEPS = "sequence-to-sequence-stepping"
BENCH = "sequence-to-sequence-bench"


def word_controls(text: str, values: Values) -> Iterator[Control]:
    """Yield two controls: for the words to put in place of a word of the source, and for the number of that word."""
    yield control(OTHER_WORD, width=180, max_chars=40)
    yield control(WORD, high=max(0, len(queries.word_names(text)) - 1), width=130)


def replaced_word(text: str, values: Values) -> int:
    """Return the number of the word of the source that is replaced; the last one if the source has fewer words."""
    return min(values[WORD], len(queries.word_names(text)) - 1)


def place_in(passage: Passage, row: int, column: int) -> tuple[int, int]:
    """Limit the visitor's chosen row and column to the tokens that a translation has; return both.

    passage: the translation.
    row: the number of a token that it wrote; the last one if it wrote fewer.
    column: the number of a source token; the last one if the source has fewer.
    """
    return min(row, len(passage.ids) - 1), min(column, len(passage.source) - 1)
