"""The agreement of translations in their words."""

from collections.abc import Sequence

from core.topics.sequence_to_sequence.analysis.recurrence import words_of, words_shared


def shared_with(text: str, others: Sequence[str]) -> list[tuple[int, int]]:
    """Return for each of the other texts the number of its words that are in `text` too, and of all its words."""
    return [words_shared(other_text, text) for other_text in others]


def kept_by(text: str, without: str, with_attention: str) -> list[str]:
    """Return the words of a text, each once, that the translation without attention lacks and the other one has.

    Words of at most two letters are left out: articles and the like say nothing about what was lost.
    """
    lacks, has = set(words_of(without)), set(words_of(with_attention))
    return [word for word in dict.fromkeys(words_of(text)) if len(word) > 2 and word not in lacks and word in has]
