"""What one head hands to a page: frozen records of numpy arrays on the CPU, float32, without the batch axis.

Axes: Q queries, K keys, D d_model, E d_k, Ev d_v.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from core.explorer.shared.places import Place
from core.explorer.shared.telling import telling_cell
from core.tracing.run import TokenRow


@dataclass(frozen=True)
class ScoreParts:
    """What a score is summed from, for any query and key.

    "dot", "scaled_dot": raw[i, j] = left[i] · right[j], left and right being the queries and keys.
    "general": the same, with left[i] = q_i W. "additive": raw[i, j] = v · tanh(left[i] + right[j]), with
    left[i] = W q_i and right[j] = U k_j. scores = raw × scale (+ bias).
    left (Q, E), right (K, E); w, u (E, E), v (E,) and bias (Q, K) are None where there is no such thing. positions:
    what the bias comes from, "alibi" or "relative".
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
    """How rotary positions turn a head: periods (W/2,), the positions that turn each pair by an angle of 1; pairs:
    "adjacent" numbers or those of "halves"; plain: whether nothing but base^(2i/d_k) is behind the periods."""

    periods: np.ndarray
    pairs: str
    base: float
    plain: bool

    def pair(self, col: int) -> tuple[int, int, int] | None:
        """Of a column the number of its pair and the pair's two columns; None where it is not turned."""
        half = len(self.periods)
        if col >= 2 * half:
            return None
        if self.pairs == "adjacent":
            return col // 2, col - col % 2, col - col % 2 + 1
        return col % half, col % half, col % half + half


@dataclass(frozen=True)
class HeadNorm:
    """RMSNorm of one head: q (Q, E) and k (K, E) behind it, its gains (E,), and what is added inside the root."""

    q: np.ndarray
    k: np.ndarray
    gain_q: np.ndarray
    gain_k: np.ndarray
    eps: float


class LookUp(NamedTuple):
    """One query against all keys: its scores (K,) before the mask, the values (K, Ev), the keys that it may attend to
    (K,), and the labels of the query and of the keys."""

    scores: np.ndarray
    values: np.ndarray
    allowed: np.ndarray
    query: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class HeadRecord:
    """One head of one layer, every step of it.

    x (Q, D) and memory (K, D) are what it reads; weights w_q, w_k (D, E), w_v (D, Ev), w_o (Ev, D) with biases;
    q, k, v the projections; normed: q and k after a norm of their own; q_rotated, k_rotated: after rotary positions,
    turned as `turning` says; None where there is no such thing; raw, scores, masked, pattern (Q, K); mask (Q, K)
    booleans; z (Q, Ev); out (Q, D).
    """

    place: Place
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
    pattern: np.ndarray
    z: np.ndarray
    out: np.ndarray

    @property
    def scored(self) -> str:
        """What was last done to queries and keys before they met, as their matrices are called: "", " normed" or
        " rotated"."""
        return " rotated" if self.turning else " normed" if self.normed else ""

    @cached_property
    def telling(self) -> tuple[int, int]:
        """The query and the key of the link that says most to a reader."""
        return telling_cell(self.pattern, self.queries, self.keys, not self.place.cross)

    def look_up(self, row: int) -> LookUp:
        """What the softmax and the mix of one query are made from."""
        return LookUp(self.scores[row], self.v, self.mask[row], self.queries.labels[row], self.keys.labels)

    def row_table(self, row: int) -> tuple[np.ndarray, Sequence[str], Sequence[str]]:
        """(K, 2) one query's scores, and the weights that the softmax makes of them, with the labels of both axes."""
        columns = np.column_stack([self.scores[row], self.pattern[row]])
        return columns, self.keys.labels, ("score", "weight at T = 1")
