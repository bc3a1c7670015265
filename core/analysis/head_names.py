"""Finding heads whose pattern has a plain name, measured against heads with random weights.

Patterns are (..., Q, K), as in `core.analysis.heads`: rows sum to 1 or are zeros, and rows of zeros are never counted.
A mean over no rows is masked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.heads import entropy, head_table, row_mean

MIN_SHARE = 0.5  # a share above one half outweighs all other shares of a head together
SCORE_TOLERANCE = 1e-6  # scores that differ by less are the same in float32
MIN_VARIANCE = 1e-12  # a variance below it counts as 0
# Each kind of head, with the words that name it on screen.
KINDS = {
    "previous_token": "looks one word back",
    "induction": "finds what came after it last time",
    "duplicate_token": "finds the same word earlier",
    "next_token": "looks one word ahead",
    "own_token": "looks at itself",
    "first_token": "stays on the first token",
    "mark": "looks at punctuation marks",
    "even": "spreads evenly",
    "in_order": "follows the word order",
    "turned": "runs against the word order",
}

REPEATED = ("induction", "duplicate_token")  # kinds whose scores concern tokens that stand earlier in the text too

Scores = Mapping[str, np.ma.MaskedArray]  # (N, H) by the kind of score


def token_of_kind(kind: str) -> str:
    """Name the tokens that a kind of head is about: "token" or "repeated token"."""
    return "repeated token" if kind in REPEATED else "token"


@dataclass(frozen=True)
class NamedHead:
    """A head whose pattern has a name.

    layer, head: counted from 0.
    kind: the name.
    score: the score of this kind.
    reached: the best score of this kind with random weights.
    """

    layer: int
    head: int
    kind: str
    score: float
    reached: float

    @property
    def strength(self) -> float:
        """How far the score is between the score of random weights, 0, and the most possible, 1."""
        return (self.score - self.reached) / (1 - self.reached)


def own_share(pattern: np.ndarray) -> np.ma.MaskedArray:
    """Return the mean weight of a query on its own token, mean_i A_ii: (...), of square patterns."""
    return row_mean(pattern, np.diagonal(np.asarray(pattern, np.float64), axis1=-2, axis2=-1))


def evenness(pattern: np.ndarray, allowed: np.ndarray, bits: np.ma.MaskedArray | None = None) -> np.ma.MaskedArray:
    """Return the entropy of the rows divided by its maximum, Σ_i H(A_i) / Σ_i log2 n_i: (...), from 0 to 1.

    1 if all weights are equal; masked if no row has two keys to choose from.
    allowed: (Q, K) booleans; row i may attend to n_i keys.
    bits: the mean entropy of the rows (...), if it is known.
    """
    mean = row_mean(pattern, entropy(pattern)) if bits is None else bits
    choices = np.broadcast_to(np.log2(np.maximum(allowed.sum(-1), 1)), pattern.shape[:-1])
    most = np.ma.masked_less_equal(row_mean(pattern, choices), 0)
    return np.ma.minimum(mean / most, 1.0)


def order_correlation(pattern: np.ndarray) -> np.ma.MaskedArray:
    """Return how far the keys follow the order of the queries: (...), from −1 (against it) to 1 (in step with it).

    The correlation of i and j, if i is a query drawn evenly and j a key drawn by the weights of its row: cov(i, j) /
    (sd(i) sd(j)). 0 if all rows are alike; masked if i or j is always the same.
    """
    weights = np.asarray(pattern, np.float64)
    rows = weights.sum(-1, keepdims=True)
    shares = np.divide(weights, rows, out=np.zeros_like(weights), where=rows > 0)
    shares /= np.maximum((rows > 0).sum(-2, keepdims=True), 1)
    i, j = np.arange(pattern.shape[-2])[:, None], np.arange(pattern.shape[-1])

    def mean(values: np.ndarray) -> np.ndarray:
        return np.asarray((shares * values).sum((-2, -1)))

    covariance, of_i, of_j = mean(i * j) - mean(i) * mean(j), mean(i**2) - mean(i) ** 2, mean(j**2) - mean(j) ** 2
    none = (of_i <= MIN_VARIANCE) | (of_j <= MIN_VARIANCE)
    correlation = covariance / np.sqrt(np.where(none, 1.0, of_i * of_j))
    return np.ma.masked_array(correlation.clip(-1, 1), mask=none)


def name_scores(patterns: np.ndarray, allowed: np.ndarray, ids: Sequence[int] | None) -> Scores:
    """Return every score that can give a head its name, 1 at most: patterns (N, H, Q, K), allowed (Q, K).

    ids: the ids of the text, if it attends to itself; None for cross-attention, in which the two orders are compared
        instead.
    """
    table = head_table(patterns, ids)
    both: Scores = {"first_token": table.first_token, "even": evenness(patterns, allowed, table.entropy)}
    if ids is None:
        order = order_correlation(patterns)
        return {"in_order": order, "turned": -order, **both}
    fields = ("previous_token", "induction", "duplicate_token")
    return {**{field: table.column(field) for field in fields}, "own_token": own_share(patterns), **both}


def best_scores(scores: Sequence[Scores]) -> dict[str, float]:
    """Return the largest score of each kind that any head has; 0 if no head has any."""
    return {
        kind: max(0.0, *(float(np.ma.filled(by_kind[kind], 0.0).max()) for by_kind in scores)) for kind in scores[0]
    }


def named_heads(scores: Scores, reached: Mapping[str, float]) -> tuple[NamedHead, ...]:
    """Return the heads that have a name, the strongest first; each has one name, the kind of its greatest strength.

    scores: (N, H) by kind.
    reached: for each kind the best score of random weights of the same sizes.

    A name needs a score above one half and above that of random weights.
    """
    named: dict[tuple[int, int], NamedHead] = {}
    for kind, values in scores.items():
        filled = np.ma.filled(values.astype(np.float64), -1.0)
        for layer, head in np.argwhere(filled > max(MIN_SHARE, reached[kind]) + SCORE_TOLERANCE).tolist():
            candidate = NamedHead(layer, head, kind, float(filled[layer, head]), reached[kind])
            known = named.get((layer, head))
            if known is None or candidate.strength > known.strength:
                named[layer, head] = candidate
    return tuple(sorted(named.values(), key=lambda candidate: -candidate.strength))
