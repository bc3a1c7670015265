"""The agreement of translations in their words."""

from collections.abc import Sequence

from core.topics.sequence_to_sequence.analysis.recurrence import words_shared


def shared_with(text: str, others: Sequence[str]) -> list[tuple[int, int]]:
    """Return for each of the others how many of its words are in `text` too, and how many words it has."""
    return [words_shared(other_text, text) for other_text in others]
