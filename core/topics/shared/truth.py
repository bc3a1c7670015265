"""The right answer to a lesson's question, computed from a run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.tracing.run import TokenRow

MOST_LABELS = 24  # of a question: more cannot be chosen from on a phone


@dataclass(frozen=True, eq=False)
class Truth:
    """The right answer to a question about one run, with the numbers that explain it.

    answer: by the kind of the question, see `core.lessons.lesson.KINDS`.
    facts: numbers and words for the explanation, by the names that it uses in braces.
    labels: what can be chosen, ordered or drawn: the labels of the tokens or keys (K), words, or heads.
    rows: the labels of the queries (Q), for a question whose answer is a cell.
    alternatives: rows of weights (K,) by the name of the head that has them, to compare a drawn row with.
    """

    answer: Any
    facts: Mapping[str, Any] = field(default_factory=dict)
    labels: Sequence[str] = ()
    rows: Sequence[str] = ()
    alternatives: Mapping[str, np.ndarray] = field(default_factory=dict)


def short_labels(row: TokenRow) -> tuple[str, ...]:
    """Return the labels of a text's tokens, such as "3:cat".

    Raises ValueError if there are more than `MOST_LABELS`.
    """
    if len(row) > MOST_LABELS:
        raise ValueError(f"This question needs a text of at most {MOST_LABELS} tokens; yours has {len(row)}.")
    return row.labels
