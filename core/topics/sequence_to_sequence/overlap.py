"""The agreement of translations in their words."""

from collections.abc import Sequence

from core.topics.sequence_to_sequence.analysis.recurrence import words_shared


def shared_with(text: str, others: Sequence[str]) -> list[tuple[int, int]]:
    """Return for each of the other texts the number of its words that are in `text` too, and of all its words."""
    return [words_shared(other_text, text) for other_text in others]
