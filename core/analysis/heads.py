"""Descriptors of attention heads: one number for each head.

A pattern is (..., Q, K): rows are queries, columns are keys, each row sums to 1, or to less in a model with sink
logits. A share of the weight is what the tokens get, so a sink's part counts for none of them; a row that sums to more
than 1 by rounding is divided by its sum. Entropy, effective number of keys and distance are of the weight that goes to
tokens: each row is divided by its sum first, so that rounding cannot push an entropy past log2 K. A row that may
attend to nothing is all zeros; it is left out of every mean. A mean over no rows at all is masked (numpy.ma), never
NaN: a table shows it as "–". A pattern that holds NaN or infinity raises ValueError.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

SMALLEST_FLOAT = np.finfo(np.float64).tiny
ROWS_COMPARED = 64
# The name and the unit of each column of a HeadTable, as every page writes them.
HEAD_NUMBERS = {
    "entropy": ("Entropy", "bits"),
    "effective_keys": ("Effective number of keys", "keys"),
    "distance": ("Mean distance", "tokens"),
    "first_token": ("First token", "share"),
    "previous_token": ("Previous token", "share"),
    "duplicate_token": ("Duplicate token", "share"),
    "induction": ("Induction", "share"),
}
DIVIDED = ("entropy", "effective_keys", "distance")  # each row is divided by its sum first
HEADS_COMPARED = 63  # their pairs fit on one chart: 4,000 marks


def entropy(pattern: np.ndarray) -> np.ndarray:
    """Return the Shannon entropy of each row in bits: (..., Q), from 0 (one key) to log2 K (all alike); 0 for zeros."""
    return _entropy(_rows(pattern))


def effective_keys(pattern: np.ndarray) -> np.ndarray:
    """Return how many equally weighted keys would be as spread out as each row: 2 ** entropy, (..., Q); 0 for zeros."""
    rows = _rows(pattern)
    return _effective(rows, _entropy(rows))


def row_mean(pattern: np.ndarray, values: np.ndarray) -> np.ma.MaskedArray:
    """Average one value per row, values (..., Q), over the rows that attend to something: (...)."""
    return _mean(values, _attends(pattern))


def mean_distance(pattern: np.ndarray) -> np.ma.MaskedArray:
    """Return the expected |i − j| in tokens, averaged over rows: (...); both texts count positions from their start."""
    return _distance(_rows(pattern))


def first_token_share(pattern: np.ndarray) -> np.ma.MaskedArray:
    """Return the mean weight on the first key: (...)."""
    return _first(_weights(pattern))


def previous_token_score(pattern: np.ndarray) -> np.ma.MaskedArray:
    """Return the mean weight on j = i − 1 over the rows i ≥ 1: (...).

    Masked for a text of one token.
    """
    return _previous(_weights(pattern))


def next_token_score(pattern: np.ndarray) -> np.ma.MaskedArray:
    """Return the mean weight on j = i + 1 over the rows that have a next token: (...).

    Masked for a text of one token.
    """
    rows = _weights(pattern)
    return _target_score(rows, np.eye(_text_length(rows), k=1, dtype=bool))


def duplicate_token_score(pattern: np.ndarray, ids: Sequence[int] | np.ndarray) -> np.ma.MaskedArray:
    """Return the mean weight on earlier positions that hold the row's own id, over rows that have one: (...).

    Only earlier positions count, in causal and in full patterns alike (Wang et al. 2022, "duplicate token heads").
    ids: one per position.
    Raises ValueError if the pattern is not square or the ids do not fit it.
    """
    return _duplicate(_weights(pattern), ids)


def induction_score(pattern: np.ndarray, ids: Sequence[int] | np.ndarray) -> np.ma.MaskedArray:
    """Return the mean weight on positions after an earlier occurrence of the row's token, over rows that have one.

    The result is (...): the prefix-matching score of Olsson et al. 2022. The row's own position never counts ("a a":
    the second "a" follows the first), so a head that looks at itself earns nothing. Errors as in
    `duplicate_token_score`.
    """
    return _induction(_weights(pattern), ids)


def similarity(patterns: np.ndarray, max_rows: int = ROWS_COMPARED) -> np.ndarray:
    """Return how alike the heads' patterns are: (N, H, Q, K) to a symmetric (N·H, N·H), heads in reading order.

    1 − the mean over rows of the Jensen-Shannon divergence in bits: 1 for equal heads, 0 for heads that never look
    at the same key. Rows that are zeros in both heads are not compared; a row that is zeros in one head only
    diverges fully. In a text longer than `max_rows`, that many evenly spaced rows are compared, because the cost grows
    with (N·H)² · rows · K.
    """
    layers, heads, queries, keys = patterns.shape
    chosen = rows_compared(queries, max_rows)
    rows = _rows(patterns.reshape(layers * heads, queries, keys)[:, chosen])  # (N·H, rows, K)
    bits, attends = _entropy(rows), _attends(rows)  # (N·H, rows)
    alike = np.ones((len(rows), len(rows)), dtype=np.float32)
    for head in range(len(rows) - 1):
        others = slice(head + 1, None)
        divergence = _entropy((rows[head] + rows[others]) / 2) - (bits[head] + bits[others]) / 2
        divergence = np.where(attends[head] ^ attends[others], 1.0, divergence.clip(0, 1))
        mean = _mean(divergence, attends[head] | attends[others]).filled(0.0)
        alike[head, others] = alike[others, head] = 1 - mean
    return alike


def rows_compared(queries: int, max_rows: int = ROWS_COMPARED) -> np.ndarray:
    """Return the rows that `similarity` compares: all of them, or `max_rows` evenly spaced ones; ascending."""
    return np.unique(np.linspace(0, queries - 1, min(queries, max_rows)).round().astype(int))


@dataclass(frozen=True, eq=False)
class HeadTable:
    """One number per head and descriptor: masked arrays (N, H), for patterns of `queries` rows and `keys` columns."""

    entropy: np.ma.MaskedArray
    effective_keys: np.ma.MaskedArray
    distance: np.ma.MaskedArray
    first_token: np.ma.MaskedArray
    previous_token: np.ma.MaskedArray
    duplicate_token: np.ma.MaskedArray
    induction: np.ma.MaskedArray
    queries: int
    keys: int

    def column(self, field: str) -> np.ma.MaskedArray:
        """Return the (N, H) numbers of one descriptor, by its `field`.

        Raises ValueError for another field.
        """
        if field not in LIMITS:
            raise ValueError(f"{field!r} is not a head descriptor; the descriptors are {', '.join(LIMITS)}")
        return getattr(self, field)

    def limits(self, field: str) -> tuple[float, float]:
        """Return the least and the greatest possible value of one descriptor for patterns of this size."""
        return LIMITS[field](self.queries, self.keys)

    @staticmethod
    def joined(tables: Sequence["HeadTable"]) -> "HeadTable":
        """Join the layers of several tables, which describe patterns of one size, in order."""
        columns = {field: np.ma.concatenate([table.column(field) for table in tables]) for field in LIMITS}
        return HeadTable(**columns, queries=tables[0].queries, keys=tables[0].keys)


def _share(queries: int, keys: int) -> tuple[float, float]:
    return 0.0, 1.0


# The least and the most that each column of a HeadTable can hold, for patterns of Q rows and K columns.
LIMITS: Mapping[str, Callable[[int, int], tuple[float, float]]] = {
    "entropy": lambda queries, keys: (0.0, float(np.log2(keys))),
    "effective_keys": lambda queries, keys: (1.0, float(keys)),
    "distance": lambda queries, keys: (0.0, float(max(queries, keys) - 1)),
    "first_token": _share,
    "previous_token": _share,
    "duplicate_token": _share,
    "induction": _share,
}


def head_table(patterns: np.ndarray, ids: Sequence[int] | np.ndarray | None = None) -> HeadTable:
    """Return all descriptors of all heads: patterns (N, H, Q, K).

    ids: the ids of the text, if the queries and the keys are the same text; None for cross-attention, in which
    distance and the previous-token, duplicate-token and induction scores mean nothing and are masked.

    Entropy and effective number of keys are means over rows. Raises ValueError if the shape is not that of patterns.
    """
    if patterns.ndim != 4 or 0 in patterns.shape:
        raise ValueError(f"patterns must have layers, heads, queries and keys; their shape is {patterns.shape}")
    layers = [_describe_layer(layer, ids) for layer in patterns]
    columns = {field: np.ma.stack([layer[field] for layer in layers]) for field in layers[0]}
    return HeadTable(**columns, queries=patterns.shape[-2], keys=patterns.shape[-1])


def _describe_layer(pattern: np.ndarray, ids: Sequence[int] | np.ndarray | None) -> dict[str, np.ma.MaskedArray]:
    absent = np.ma.masked_all(pattern.shape[:-2])
    rows, weights = _rows(pattern), _weights(pattern)
    bits = _entropy(rows)
    return {
        "entropy": row_mean(rows, bits),
        "effective_keys": row_mean(rows, _effective(rows, bits)),
        "distance": absent if ids is None else _distance(rows),
        "first_token": _first(weights),
        "previous_token": absent if ids is None else _previous(weights),
        "duplicate_token": absent if ids is None else _duplicate(weights, ids),
        "induction": absent if ids is None else _induction(weights, ids),
    }


def _rows(pattern: np.ndarray) -> np.ndarray:
    weights, total = _with_total(pattern)
    return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)


def _weights(pattern: np.ndarray) -> np.ndarray:
    weights, total = _with_total(pattern)
    return weights / np.maximum(total, 1.0)


def _with_total(pattern: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    weights = np.asarray(pattern, dtype=np.float64)
    total = weights.sum(-1, keepdims=True)
    if not np.isfinite(total).all():
        raise ValueError("an attention pattern holds a number that is infinite or none at all")
    return weights, total


def _attends(pattern: np.ndarray) -> np.ndarray:
    return np.asarray(np.asarray(pattern).any(-1))


def _entropy(rows: np.ndarray) -> np.ndarray:
    return np.maximum(-(rows * np.log2(np.maximum(rows, SMALLEST_FLOAT))).sum(-1), 0.0)


def _mean(values: np.ndarray, counted: np.ndarray) -> np.ma.MaskedArray:
    number = counted.sum(-1)
    return np.ma.masked_array(np.where(counted, values, 0).sum(-1) / np.maximum(number, 1), mask=number == 0)


def _weight_on(rows: np.ndarray, worth: np.ndarray) -> np.ndarray:
    return np.einsum("...qk,qk->...q", rows, worth.astype(np.float64))


def _effective(rows: np.ndarray, bits: np.ndarray) -> np.ndarray:
    return np.where(_attends(rows), 2**bits, 0.0)


def _distance(rows: np.ndarray) -> np.ma.MaskedArray:
    queries, keys = rows.shape[-2:]
    distance = np.abs(np.arange(queries)[:, None] - np.arange(keys))  # (Q, K)
    return row_mean(rows, _weight_on(rows, distance))


def _first(rows: np.ndarray) -> np.ma.MaskedArray:
    return row_mean(rows, rows[..., 0])


def _previous(rows: np.ndarray) -> np.ma.MaskedArray:
    return _target_score(rows, np.eye(_text_length(rows), k=-1, dtype=bool))


def _duplicate(rows: np.ndarray, ids: Sequence[int] | np.ndarray) -> np.ma.MaskedArray:
    return _target_score(rows, _earlier_same(rows, ids))


def _induction(rows: np.ndarray, ids: Sequence[int] | np.ndarray) -> np.ma.MaskedArray:
    after = np.zeros((_text_length(rows),) * 2, dtype=bool)
    after[:, 1:] = _earlier_same(rows, ids)[:, :-1]
    np.fill_diagonal(after, False)
    return _target_score(rows, after)


def _target_score(rows: np.ndarray, targets: np.ndarray) -> np.ma.MaskedArray:
    return _mean(_weight_on(rows, targets), _attends(rows) & _attends(targets))


def _text_length(pattern: np.ndarray) -> int:
    queries, keys = np.shape(pattern)[-2:]
    if queries != keys:
        raise ValueError(f"this score needs one text that attends to itself, not {queries} queries and {keys} keys")
    return queries


def _earlier_same(pattern: np.ndarray, ids: Sequence[int] | np.ndarray) -> np.ndarray:
    numbers, length = np.asarray(ids), _text_length(pattern)
    if numbers.shape != (length,):
        raise ValueError(f"{numbers.size} token ids do not fit a pattern of {length} tokens")
    return np.tril(numbers[:, None] == numbers, k=-1)
