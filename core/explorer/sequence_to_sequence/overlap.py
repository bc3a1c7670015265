"""How far translations agree in their words."""

from collections.abc import Sequence

from core.analysis.recurrence import words_shared


def shared_with(text: str, others: Sequence[str]) -> list[tuple[int, int]]:
    """For each of the others: how many of its words stand in `text` too, and of how many."""
    return [words_shared(other, text) for other in others]
