"""The right answer to a lesson's question, computed from a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.text.labels import token_name
from core.text.special import SPECIAL_LABELS
from core.topics.shared.places import HeadAddress
from core.tracing.run import TokenRow

MOST_LABELS = 24  # of a question: more cannot be chosen from on a phone


@dataclass(frozen=True, eq=False)
class Truth:
    """The right answer to a question about one run, with the numbers that explain it.

    answer: by the kind of the question, see `core.lessons.lesson.KINDS`.
    facts: numbers and words, by the names that a lesson uses in braces, for the explanation and for the selection in
        the picture.
    labels: the items to choose from, to order or to draw: the labels of the tokens or keys (K), words, or heads.
    rows: the labels of the queries (Q), for a question whose answer is a cell.
    alternatives: rows of weights (K,) by the name of the head that has them, to compare a drawn row with.
    sizes: the number of each label by which the right one is the largest (K), if there is one; it tells how far a wrong
        one is from it.
    """

    answer: Any
    facts: Mapping[str, Any] = field(default_factory=dict)
    labels: Sequence[str] = ()
    rows: Sequence[str] = ()
    alternatives: Mapping[str, np.ndarray] = field(default_factory=dict)
    sizes: Sequence[float] = ()


def short_labels(row: TokenRow) -> tuple[str, ...]:
    """Return the labels of a text's tokens, such as "3:cat".

    Raises ValueError if there are more than `MOST_LABELS`.
    """
    if len(row) > MOST_LABELS:
        raise ValueError(f"This question needs a text of at most {MOST_LABELS} tokens; yours has {len(row)}.")
    return row.labels


def last_word(row: TokenRow) -> int:
    """Return the number of a text's last token that is no punctuation mark; of its last token if all are."""
    words = [
        number
        for number, piece in enumerate(row.pieces)
        if piece not in SPECIAL_LABELS and any(map(str.isalnum, piece))
    ]
    return words[-1] if words else len(row) - 1


def named_key(row: TokenRow, key: int, query: int) -> str:
    """Name a token that a query of the same text looks at, as pictures do: “cat”, the second “the”, or itself."""
    return "itself" if key == query else token_name(row.labels, key)


def named_token(row: TokenRow, number: int) -> str:
    """Name a token of a text: “cat”, the second “the”, or a piece with its word, “·as” (of “Texas”)."""
    name, word = token_name(row.labels, number), row.words[number]
    return f"{name} (of “{row.word_labels[word]}”)" if row.words.count(word) > 1 else name


def place_facts(place: HeadAddress) -> dict[str, int]:
    """Return the numbers of a head's layer and of the head, counted from 1 as on screen."""
    return {"layer_number": place.layer + 1, "head_number": place.head + 1}
