"""A layer's patterns made easier to read: some keys hidden, pieces merged into words, small weights left out."""

from collections.abc import Collection, Sequence

import numpy as np

from core.analysis.aggregate import merge_words
from core.analysis.treatments import Side, Treated, Treatment, treat
from core.topics.heads import analysis
from core.topics.heads.records import Patterns
from core.tracing.run import TokenRow

HIDEABLE = analysis.HIDEABLE  # the groups of keys that can be hidden


def treated(
    record: Patterns,
    heads: int | Sequence[int],
    hidden: Collection[str] = (),
    merged: bool = False,
    min_weight: float = 0.0,
) -> Treated:
    """Return the treated pattern (Q, K) of one head, or (n, Q, K) of several, and the treatment.

    hidden: groups of HIDEABLE whose keys are taken out; each row is then divided by the sum of the rest.
    merged: whether pieces are merged into words.
    min_weight: smaller weights are not shown.

    ValueError for an unknown group.
    """
    keys = analysis.to_hide(hidden, record.keys.pieces, record.keys.ids)
    pattern = record.pattern[heads if isinstance(heads, int) else list(heads)]
    rows = Side(record.rows, record.queries.words, record.queries.word_labels)
    return treat(pattern, rows, _side(record.keys), Treatment(keys, merged, min_weight))


def hatched(record: Patterns, treated_pattern: Treated) -> np.ndarray:
    """Return the treated pattern (Q, K) of one head, with −∞ in cells that the mask hides.

    If pieces are merged into words, a cell is hidden if the mask hides all cells of the two words.
    """
    allowed = record.allowed
    if treated_pattern.treatment.merge:
        allowed = merge_words(allowed, record.queries.words, record.keys.words) > 0
    return np.where(allowed, treated_pattern.pattern, -np.inf)


def row_of(record: Patterns, query: int | None, merged: bool) -> int | None:
    """Return the row that contains a query's token; None if the text has no such token."""
    if query is None or query >= len(record.queries):
        return None
    return _side(record.queries).row_of(query, merged)


def query_of(record: Patterns, row: int, merged: bool) -> int:
    """Return the first token of a row."""
    return _side(record.queries).first_piece(row, merged)


def _side(row: TokenRow) -> Side:
    return Side(row.labels, row.words, row.word_labels)
