"""Choosing tokens: those to show if there are too many, and those to hide."""

from collections.abc import Collection, Sequence

import numpy as np

from core.analysis.corpus_scores import is_punctuation

HIDEABLE = ("first token", "last token", "punctuation", "repeated tokens")


def largest(values: np.ndarray, count: int) -> np.ndarray:
    """Return the positions of the `count` largest of values (n,), in the order of the text."""
    return np.sort(np.argsort(-np.asarray(values, dtype=np.float64), kind="stable")[:count])


def to_hide(groups: Collection[str], labels: Sequence[str], ids: Sequence[int]) -> tuple[int, ...]:
    """Return the tokens that are in any of the given groups, ascending.

    groups: "first token", "last token", "punctuation" (labels without a letter, digit or symbol), "repeated tokens"
    (every token that occurred before).
    labels: as shown, "." or "·ing".
    ids: one for each label.
    Raises ValueError for another group.
    """
    if wrong := set(groups) - set(HIDEABLE):
        raise ValueError(f"{min(wrong)!r} is not one of {', '.join(HIDEABLE)}")
    hidden: set[int] = set()
    if "first token" in groups:
        hidden.add(0)
    if "last token" in groups:
        hidden.add(len(labels) - 1)
    if "punctuation" in groups:
        hidden |= {number for number, label in enumerate(labels) if is_punctuation(label)}
    if "repeated tokens" in groups:
        hidden |= {number for number, token in enumerate(ids) if token in ids[:number]}
    return tuple(sorted(hidden))
