"""Sentences about a visitor's own text: the model's training texts, and why an answer may be poor."""

from collections.abc import Sequence

from core.readings.words import listed, percent, quoted

NAMED_WORDS = 3


def read_training_texts(kinds: Sequence[str]) -> str:
    """Say on which kinds of text a model was trained."""
    return f"This model has read {listed(kinds)}."


def read_capitals(small: str) -> str:
    """Say that capital letters are read as small ones."""
    return f"Capitals are read as small letters: {quoted(small)}."


def read_broken_words(words: Sequence[tuple[str, int]]) -> str | None:
    """Say which words fall into many pieces; None if there are none.

    words: each with its number of pieces.
    """
    if not words:
        return None
    named = listed((f"{quoted(word)} ({pieces} pieces)" for word, pieces in words), NAMED_WORDS)
    them = "it" if len(words) == 1 else "them"
    return f"The model puts together from small pieces what it hardly knows: {named}. It may get {them} wrong."


def read_unsure(poor: float, elsewhere: float) -> str:
    """Say that the model is unsure of its translation.

    poor, elsewhere: the shares of poor translations among held-out sentences of which it was as unsure, and among all
        others.
    """
    return (
        f"The model is unsure of this translation. Of held-out sentences that it was as unsure of, {percent(poor)} "
        f"came out poor; of all others, {percent(elsewhere)}."
    )


def read_ending(ended: bool, limit: int, repeated: str) -> str | None:
    """Say why a translation is not a whole sentence; None if it is one.

    repeated: the words that it repeats without end.
    """
    if repeated:
        return f"The translation runs in a circle: it repeats {quoted(repeated)}. The model has lost its way."
    return None if ended else f"The translation is cut off after {limit} tokens, the most that the model writes here."
