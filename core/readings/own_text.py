"""Sentences about a visitor's own text: what the model has read, and why an answer may be poor."""

from collections.abc import Sequence

from core.readings.words import percent, quoted

NAMED = 3


def read_training_texts(kinds: Sequence[str]) -> str:
    """What kinds of text a model was trained on."""
    listed = kinds[0] if len(kinds) == 1 else f"{', '.join(kinds[:-1])} and {kinds[-1]}"
    return f"This model has read {listed}."


def read_capitals(small: str) -> str:
    """That a text of capitals is read in small letters."""
    return f"Capitals are read as small letters: {quoted(small)}."


def read_broken_words(words: Sequence[tuple[str, int]]) -> str | None:
    """Which words fall into many pieces; None where none does. words: each with its number of pieces."""
    if not words:
        return None
    named = ", ".join(f"{quoted(word)} ({pieces} pieces)" for word, pieces in words[:NAMED])
    more = f" and {len(words) - NAMED} more" if len(words) > NAMED else ""
    them = "it" if len(words) == 1 else "them"
    return f"The model puts together from small pieces what it hardly knows: {named}{more}. It may get {them} wrong."


def read_unsure(poor: float, elsewhere: float) -> str:
    """That the model is unsure of its translation. poor, elsewhere: the shares of held-out translations that were poor
    where it was as unsure, and of all others."""
    return (
        f"The model is unsure of this translation. Of held-out sentences that it was as unsure of, {percent(poor)} "
        f"came out poor; of all others, {percent(elsewhere)}."
    )


def read_ending(ended: bool, limit: int, repeated: str) -> str | None:
    """Why a translation is no whole sentence; None where it is one. repeated: the words that it writes again and
    again."""
    if repeated:
        return f"The translation runs in a circle: it repeats {quoted(repeated)}. The model has lost its way."
    return None if ended else f"The translation is cut off after {limit} tokens, the most that the model writes here."
