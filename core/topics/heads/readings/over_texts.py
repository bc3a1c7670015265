"""Sentences on what heads do over many texts."""

from collections.abc import Sequence

from core.analysis.head_names import KINDS, NamedHead, token_of_kind
from core.readings.words import number, percent, plural
from core.text.labels import head_label

# The name of each score on screen.
SCORE_NAMES = {
    "previous_token": "Previous token",
    "next_token": "Next token",
    "own_token": "Own token",
    "duplicate_token": "Duplicate token",
    "induction": "Induction",
    "first_token": "First token",
    "mark": "Punctuation marks",
    "even": "Evenness",
    "entropy": "Entropy, in bits",
    "in_order": "Word order",
    "turned": "Reversed word order",
}
# What a share of a head's weight goes to; the other scores are no such shares.
TARGETS = {
    "previous_token": "the token just before",
    "next_token": "the token just after",
    "own_token": "the token itself",
    "duplicate_token": "earlier copies of a repeated token",
    "induction": "what followed a repeated token last time",
    "first_token": "the first token",
    "mark": "punctuation marks",
}


def score_field(name: str) -> str:
    """Return the score with this name on screen."""
    return next(field for field, shown in SCORE_NAMES.items() if shown == name)


def read_names(named: Sequence[NamedHead], heads: int, texts: int) -> str:
    """Say how many heads have a label over many texts, and which is the clearest."""
    if not named:
        return f"Over {texts:,} texts none of {plural(heads, 'head')} mostly does one plain thing."
    first = named[0]
    where = head_label(first.layer, first.head)
    does = f"each {token_of_kind(first.kind)} {KINDS[first.kind]}"
    return f"Over {texts:,} texts the clearest of all is {where}: there {does}."


def read_own_name(kind: str, layer: int, head: int, texts: int) -> str:
    """Say what a head does over many texts.

    kind: that of its label; "" if it has none.
    layer, head: the head, from 0.
    """
    what = KINDS.get(kind, "does no one plain thing")
    return f"Over {texts:,} texts, in {head_label(layer, head)} a {token_of_kind(kind)} mostly {what}."


def read_beside(score: str, layer: int, head: int, here: float | None, over: float | None, texts: int) -> str:
    """Compare a score of a head on the visitor's text with its mean over many texts.

    here, over: the two; None if there is no such number.
    texts: the number of texts that have this score.
    """
    where = head_label(layer, head)
    if over is None:
        return f"No text of the record gives {where} a number for {SCORE_NAMES[score].lower()}."
    if score in TARGETS:
        now = "no token has such a target" if here is None else f"{where} gives {percent(here)} of its weight to it"
        return f"To {TARGETS[score]}: on your text {now}; over {texts:,} texts it is {percent(over)}."
    now = "has no number" if here is None else f"is {number(here, 2)}"
    return f"{SCORE_NAMES[score]} of {where} {now} on your text; over {texts:,} texts it is {number(over, 2)}."


def read_context(query: str, key: str, live: float) -> str:
    """Caption a context with its link and the weight that the model computes now."""
    return f"{percent(live)} from {query} to {key}"


def read_opened(query: str, key: str, live: float, stored: float) -> str:
    """Say that the weight of an opened context was computed again, beside the stored one."""
    same = "as in the record" if abs(live - stored) <= 2e-3 else f"where the record has {percent(stored)}"
    return f"Computed now: {query} gives {key} {percent(live)} of its weight, {same}."


def read_threshold() -> str:
    """Say what mean a head needs to get a label over many texts, and why."""
    return (
        "Darker points are heads with a label. "
        "A label needs a mean above one half, and at least a quarter of the way from the best of heads with random "
        "weights to the most possible, so that chance alone earns none. The score of a text is the mean over its rows. "
        "A link counts only from a query that may attend to at least four keys, because with fewer every weight is "
        "large. Each tenth of the texts, by the head's strongest link in them, gives one text."
    )


def read_no_record(titles: str, command: str) -> str:
    """Say that there is no record of a model's heads, for which models there is one, and how to make it.

    command: the command that makes it; "" for random weights, whose heads would get no names.
    """
    known = f"What heads do over many texts was measured for these trained models: {titles}."
    return f"{known} For this model, run: {command}" if command else f"{known} Random weights have learned nothing yet."
