"""Frozen records of one head for the pages: numpy arrays on the CPU, float32, without the batch axis.

Axes: Q queries, K keys, D d_model, E d_k, Ev d_v.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.topics.shared.labels import Labelled
from core.topics.shared.places import HeadAddress
from core.topics.shared.telling import telling_cell
from core.tracing.run import TokenRow


@dataclass(frozen=True)
class ScoreParts:
    """The parts from which the score of any query and key is computed.

    Kinds "dot" and "scaled_dot": raw[i, j] = left[i] · right[j], with left and right the queries and keys.
    Kind "general": the same, with left[i] = q_i W.
    Kind "additive": raw[i, j] = v · tanh(left[i] + right[j]), with left[i] = W q_i and right[j] = U k_j.
    In all of them, scores = raw × scale (+ bias).

    left (Q, E), right (K, E): see above.
    w, u (E, E), v (E,), bias (Q, K): None if the score has no such part.
    positions: the source of the bias, "alibi" or "relative".
    """

    kind: str
    left: np.ndarray
    right: np.ndarray
    w: np.ndarray | None
    u: np.ndarray | None
    v: np.ndarray | None
    scale: float
    bias: np.ndarray | None
    positions: str = ""


@dataclass(frozen=True)
class Turning:
    """The rotation of a head's queries and keys by rotary positions, pair by pair.

    periods (W/2,): the number of positions after which each pair has turned by an angle of 1.
    pairs: whether pairs are "adjacent" numbers or numbers of two "halves".
    plain: whether the periods are base^(2i/d_k) and nothing else.
    """

    periods: np.ndarray
    pairs: str
    base: float
    plain: bool

    def pair(self, col: int) -> tuple[int, int, int] | None:
        """Return the number of a column's pair and the pair's two columns; None if the column is not turned."""
        half = len(self.periods)
        if col >= 2 * half:
            return None
        if self.pairs == "adjacent":
            return col // 2, col - col % 2, col - col % 2 + 1
        return col % half, col % half, col % half + half


@dataclass(frozen=True)
class HeadNorm:
    """The RMSNorm of one head's queries and keys.

    q (Q, E), k (K, E): after the norm.
    gain_q, gain_k (E,): the gains.
    eps: the number added inside the root.
    """

    q: np.ndarray
    k: np.ndarray
    gain_q: np.ndarray
    gain_k: np.ndarray
    eps: float


class LookUp(NamedTuple):
    """One query against all keys.

    scores (K,): its scores before the mask.
    values (K, Ev): the values of the keys.
    allowed (K,): whether the query may attend to each key.
    query, keys: their labels.
    """

    scores: np.ndarray
    values: np.ndarray
    allowed: np.ndarray
    query: str
    keys: tuple[str, ...]

    def weights(self, temperature: float) -> np.ndarray:
        """Return the softmax (K,) of the scores divided by a temperature; zeros if no key may be attended to."""
        if not self.allowed.any():
            return np.zeros(len(self.scores))
        scaled = np.where(self.allowed, self.scores.astype(np.float64) / temperature, -np.inf)
        powers = np.exp(scaled - scaled.max())
        return np.asarray(powers / powers.sum())


@dataclass(frozen=True)
class HeadRecord:
    """One head of one layer, with every step of it.

    x (Q, D), memory (K, D): its inputs.
    w_q, w_k (D, E), w_v (D, Ev), w_o (Ev, D): the weights; b_q, b_k, b_v are the biases.
    q, k, v: the projections.
    q_rotated, k_rotated: after rotary positions, turned as `turning` says; None without them.
    normed: q and k after a norm of their own; None without one.
    raw, scores, masked, pattern (Q, K): the scores at each step, and the weights.
    sink: the head's logit that stands in the softmax beside every row of scores; None without one.
    mask (Q, K): booleans.
    z (Q, Ev): the mix of values.
    out (Q, D): the vector that the head adds.
    """

    place: HeadAddress
    queries: TokenRow
    keys: TokenRow
    x: np.ndarray
    memory: np.ndarray
    w_q: np.ndarray
    w_k: np.ndarray
    w_v: np.ndarray
    w_o: np.ndarray
    b_q: np.ndarray
    b_k: np.ndarray
    b_v: np.ndarray
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    q_rotated: np.ndarray | None
    k_rotated: np.ndarray | None
    turning: Turning | None
    normed: HeadNorm | None
    parts: ScoreParts
    raw: np.ndarray
    scores: np.ndarray
    mask: np.ndarray
    masked: np.ndarray
    sink: float | None
    pattern: np.ndarray
    z: np.ndarray
    out: np.ndarray

    @property
    def scored(self) -> str:
        """The suffix of the matrices' names for the last change to queries and keys: "", " normed" or " rotated"."""
        return " rotated" if self.turning else " normed" if self.normed else ""

    @cached_property
    def telling(self) -> tuple[int, int]:
        """The query and the key of the most informative link."""
        return telling_cell(self.pattern, self.queries, self.keys, not self.place.cross)

    def look_up(self, row: int) -> LookUp:
        """Return the inputs of the softmax and of the mix for one query."""
        return LookUp(self.scores[row], self.v, self.mask[row], self.queries.labels[row], self.keys.labels)

    def row_table(self, row: int) -> Labelled:
        """Return the scores of one query and the weights after the softmax, (K, 2), with the labels of both axes."""
        columns = np.column_stack([self.scores[row], self.pattern[row]])
        return Labelled(columns, self.keys.labels, ("score", "weight at T = 1"))
