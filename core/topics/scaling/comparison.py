"""One head's own queries and keys under every score function, and how far their dot products spread."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from core.analysis.heads import effective_keys, row_mean
from core.model.attention import apply_mask, masked_softmax
from core.model.config import SCORES
from core.model.layers import initialise
from core.model.scores import Additive, Dot, General, make_score
from core.topics.scaling.analysis import softmax_rows
from core.topics.self_attention.cells import cell
from core.topics.self_attention.records import HeadRecord, ScoreParts
from core.topics.shared.labels import Labelled
from core.topics.shared.places import SINK_LOGITS, to_numpy


@dataclass(frozen=True)
class Scored:
    """The result of one score function on a head's queries and keys, with the run's own mask and ALiBi bias.

    own: whether it is the model's own function, so that everything comes from the run; otherwise its weights, if it has
    any, are fresh from a seed.
    parameters: the number of the function's weights for one head.
    raw, scores, masked, pattern (Q, K): the steps from the raw scores to the weights.
    spread: the mean effective number of keys of a query; 0 if no query may attend to anything.
    """

    kind: str
    own: bool
    parameters: int
    parts: ScoreParts
    raw: np.ndarray
    scores: np.ndarray
    masked: np.ndarray
    pattern: np.ndarray
    spread: float

    @property
    def name(self) -> str:
        """The name of the function in words, "scaled dot"."""
        return self.kind.replace("_", " ")

    def numbers(self, shown: str) -> np.ndarray:
        """Return the weights (Q, K) if `shown` is "weights", otherwise the masked scores."""
        return self.pattern if shown == "weights" else self.masked

    def drawn(self, shown: str) -> np.ndarray:
        """Return the result of `numbers`, with −∞ wherever the mask hides a pair."""
        return np.where(np.isneginf(self.masked), -np.inf, self.numbers(shown))


@dataclass(frozen=True)
class SoftmaxMeans:
    """Means over the queries of one head: largest weight, entropy in bits, and norm of the softmax's Jacobian."""

    largest: float
    entropy: float
    gradient: float


@dataclass(frozen=True)
class OwnScores:
    """The spread of a head's own dot products, over all pairs of a query and a key, masked ones too.

    width: d_k.
    pairs: the number of pairs.
    variance: the variance of q·k.
    expected: the variance of q·k if the d_k numbers of a vector had the means and variances that they have, but varied
        independently.
    q_variance, k_variance: the variance of one number of a query or a key, averaged over the d_k.
    raw, scaled: the softmax of q·k and of q·k ÷ √d_k over the keys that each query may attend to, without any bias;
        None if no query may attend to anything.
    """

    width: int
    pairs: int
    variance: float
    expected: float
    q_variance: float
    k_variance: float
    raw: SoftmaxMeans | None
    scaled: SoftmaxMeans | None

    @property
    def sizes(self) -> tuple[float, float]:
        """The variances of one number of a query and of a key."""
        return self.q_variance, self.k_variance

    @property
    def table(self) -> Labelled:
        """The variances in one row, with the number of dot products."""
        columns = ("dot products", "their variance", "if independent", "of a query's numbers", "of a key's numbers")
        numbers = (self.pairs, self.variance, self.expected, *self.sizes)
        return Labelled(np.array([numbers]), ("this head",), columns)

    def largest_table(self, series: Sequence[str]) -> Labelled | None:
        """Return the mean of each query's largest weight without and with scaling, which `series` names; None if no
        query may attend to anything."""
        found = self.means("largest")
        names = [f"mean largest weight, {name}" for name in series]
        return None if found is None else Labelled(np.array([found]), ("this head",), ("d_k", *names))

    def means(self, field: str) -> tuple[int, float, float] | None:
        """Return d_k and one of `SoftmaxMeans` without and with scaling; None if no query may attend to anything."""
        if self.raw is None or self.scaled is None:
            return None
        return self.width, getattr(self.raw, field), getattr(self.scaled, field)


def compare(record: HeadRecord, seed: int) -> tuple[Scored, ...]:
    """Apply every score function to the queries and keys of one head, in the order of SCORES.

    seed: the seed of the fresh weights of functions other than the model's own.

    Raises ValueError for a head with a sink logit.
    """
    if record.sink is not None:
        raise ValueError(SINK_LOGITS)
    return tuple(_own(record) if kind == record.parts.kind else _other(record, kind, seed) for kind in SCORES)


def rescored(record: HeadRecord, scored: Scored) -> HeadRecord:
    """Return the record of the same head with this score function, changed from the scores on."""
    if scored.own:
        return record
    z = scored.pattern @ record.v
    return replace(
        record,
        parts=scored.parts,
        raw=scored.raw,
        scores=scored.scores,
        masked=scored.masked,
        pattern=scored.pattern,
        z=z,
        out=z @ record.w_o,
    )


def explain(record: HeadRecord, scored: Scored, row: int, col: int) -> str:
    """Return the arithmetic of one cell under this score function in lines, from the raw score to the weight.

    Raises ValueError for a cell outside the matrix.
    """
    head = rescored(record, scored)
    text = "\n\n".join(cell(head, name, row, col).text for name in ("raw S", "S", "masked S", "A"))
    return text if scored.own else text.replace("the model's value", "computed in float32")


def own_scores(record: HeadRecord) -> OwnScores:
    """Return the spread of one head's dot products, and the means of their softmax."""
    q, k = (vectors.astype(np.float64) for vectors in used(record))
    products = q @ k.T
    q_var, k_var = q.var(0), k.var(0)  # (E,)
    expected = (q_var * k_var + q_var * k.mean(0) ** 2 + k_var * q.mean(0) ** 2).sum()
    rows = record.mask.any(1)
    hidden = np.where(record.mask, products, -np.inf)[rows]
    raw, scaled = (_softmax_means(hidden * factor) if rows.any() else None for factor in (1.0, q.shape[1] ** -0.5))
    return OwnScores(
        q.shape[1],
        products.size,
        float(products.var()),
        float(expected),
        float(q_var.mean()),
        float(k_var.mean()),
        raw,
        scaled,
    )


def used(record: HeadRecord) -> tuple[np.ndarray, np.ndarray]:
    """Return the queries (Q, E) and keys (K, E) that the scores are made from: rotated if positions are rotary.

    With query-key norms but no rotation, they are the normalised ones.
    """
    if record.q_rotated is not None and record.k_rotated is not None:
        return record.q_rotated, record.k_rotated
    return (record.q, record.k) if record.normed is None else (record.normed.q, record.normed.k)


def _softmax_means(scores: np.ndarray) -> SoftmaxMeans:
    rows = softmax_rows(scores)
    return SoftmaxMeans(
        float(rows.weights[..., 0].mean()),
        float(rows.entropy.mean()),
        float(rows.gradient.mean()),
    )


def _own(record: HeadRecord) -> Scored:
    parts, steps = record.parts, (record.raw, record.scores, record.masked, record.pattern)
    parameters = sum(weights.size for weights in (parts.w, parts.u, parts.v) if weights is not None)
    return Scored(parts.kind, True, parameters, parts, *steps, _spread(record.pattern))


def _other(record: HeadRecord, kind: str, seed: int) -> Scored:
    q, k = (torch.from_numpy(vectors)[None, None] for vectors in used(record))  # (1, 1, L, E)
    score = make_score(kind, 1, q.shape[-1])
    initialise(score, seed)
    bias, mask = record.parts.bias, torch.from_numpy(record.mask)
    with torch.inference_mode():
        raw = score.raw(q, k)  # (1, 1, Q, K)
        scores = raw * score.scale + (0 if bias is None else torch.from_numpy(bias))
        hidden = apply_mask(scores, mask)
        steps = (raw, scores, hidden, masked_softmax(hidden, mask))
        parts = replace(_parts(score, kind, q, k, bias), positions=record.parts.positions)
    parameters = sum(weights.numel() for weights in score.parameters())
    shown = [to_numpy(step[0, 0]) for step in steps]
    return Scored(kind, False, parameters, parts, shown[0], shown[1], shown[2], shown[3], _spread(shown[3]))


def _parts(score: Dot | General | Additive, kind: str, q: Tensor, k: Tensor, bias: np.ndarray | None) -> ScoreParts:
    left, right, w, u, v = q[0, 0], k[0, 0], None, None, None
    if isinstance(score, General):
        w = score.weight[0]
        left = left @ w
    elif isinstance(score, Additive):
        w, u, v = score.w[0], score.u[0], score.v[0, :, 0]
        left, right = left @ w.T, right @ u.T
    weights = [None if tensor is None else to_numpy(tensor) for tensor in (w, u, v)]
    return ScoreParts(kind, to_numpy(left), to_numpy(right), weights[0], weights[1], weights[2], score.scale, bias)


def _spread(pattern: np.ndarray) -> float:
    return float(np.ma.filled(row_mean(pattern, effective_keys(pattern)), 0.0))
