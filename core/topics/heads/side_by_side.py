"""Two heads beside each other: choose the heads, and the query that best shows how they differ."""

from collections.abc import Sequence

import numpy as np

from core.text.content_words import whole_words
from core.topics.heads.names import HeadNames
from core.topics.heads.records import Behaviours, Patterns
from core.topics.shared.telling import WORD_LINK_WORTH, worth

Which = tuple[int, int]  # layer and head, from 0
REPEATING = ("induction", "duplicate_token")  # names that only a text with repetitions can give
KINDS = ("previous_token", *REPEATING, "in_order", "turned", "own_token", "first_token", "even")


def repeating_head(names: HeadNames) -> Which | None:
    """Return the head that best finds earlier occurrences in the text; None if no head has such a name.

    It is an induction head or, if there is none, a duplicate-token head.
    """
    return next((head for kind in REPEATING for head in _of_kind(names, kind)), None)


def companion(names: HeadNames, chosen: Which) -> Which | None:
    """Return the clearest head of another kind than the chosen one, to show beside it; None if there is none."""
    mine = names.of(*chosen)
    kinds = [kind for kind in KINDS if mine is None or kind != mine.kind]
    return next((head for kind in kinds for head in _of_kind(names, kind) if head != chosen), None)


def least_alike(record: Behaviours, chosen: Which) -> Which | None:
    """Return another head, whose pattern is least like that of the chosen one; None if only one head is compared."""
    if len(record.compared) < 2:
        return None
    own = record.compared.index(chosen)
    others = np.where(np.arange(len(record.compared)) == own, np.inf, record.alike[own])
    return record.compared[int(others.argmin())]


def contrast(first: Patterns, first_head: int, second: Patterns, second_head: int) -> int | None:
    """Return the query at which two heads look most clearly at different keys, all three of them whole words.

    A head may look at the query itself. None if both heads look at the same keys, or if no query and its two keys are
    whole words. Content words are preferred to other words.

    first, second: the layers of the two heads.
    first_head, second_head: their numbers there.
    """
    a, b = first.pattern[first_head], second.pattern[second_head]  # (Q, K)
    of_links, rows = worth(first.queries, first.keys, not first.cross), np.arange(len(a))
    if not first.cross:
        whole = whole_words(first.queries.words, first.queries.word_labels)
        np.fill_diagonal(of_links, np.where(whole, WORD_LINK_WORTH, 0))
    first_keys, second_keys = a.argmax(-1), b.argmax(-1)
    links = np.stack([of_links[rows, first_keys], of_links[rows, second_keys]])
    named = (first_keys != second_keys) & (a.max(-1) > 0) & (b.max(-1) > 0) & (links.min(0) >= WORD_LINK_WORTH)
    if not named.any():
        return None
    return int(np.where(named, links.sum(0) + 8 * a.max(-1) * b.max(-1), -1.0).argmax())


def _of_kind(names: HeadNames, kind: str) -> Sequence[Which]:
    """Return the heads named as this kind, such as "previous_token", those that fit it best first."""
    return [(head.layer, head.head) for head in names.named if head.kind == kind]
