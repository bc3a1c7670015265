"""Sentences about what a head writes."""

from core.readings.words import number, percent, quoted

MIN_COPYING_SCORE, MAX_OPPOSING_SCORE = 0.5, -0.5  # copying scores


def read_written(layer: int, head: int, token: str, word: str, cross: bool) -> str:
    """Say which word a head raises most when it looks at a token.

    layer, head: from 0. token: its name, in quotes. cross: whether it is a head of cross-attention.
    """
    where = " in cross-attention" if cross else ""
    name = f"head {head + 1} of layer {layer + 1}{where}"
    return f"When {name} looks at {token}, it speaks most for {quoted(word)}."


def read_weight(token: str, weight: float, raised: str, raised_by: float) -> str:
    """Say how much a word gains, and how much of its weight the head gives to the token here."""
    return (
        f"With all of its weight on {token} the head would raise the logit of {quoted(raised)} by {number(raised_by)} "
        f"above the average word; here it gives {percent(weight)} of it."
    )


def read_copying(score: float) -> str:
    """Say what the copying score of a head is, and what it means."""
    said = f"Over the whole vocabulary its copying score is {number(score, 2)}"
    if score > MIN_COPYING_SCORE:
        return f"{said}: it mostly raises the very tokens that it looks at."
    if score < MAX_OPPOSING_SCORE:
        return f"{said}: it mostly lowers the very tokens that it looks at."
    return f"{said}, between −1 and 1: it neither just copies nor just lowers what it looks at."
