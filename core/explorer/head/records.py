"""What one head hands to a page: frozen records of numpy arrays on the CPU, float32, without the batch axis.

Axes: Q queries, K keys, D d_model, E d_k, Ev d_v.
"""

from dataclasses import dataclass

import numpy as np

from core.explorer.shared.places import Place
from core.tracing.run import TokenRow


@dataclass(frozen=True)
class ScoreParts:
    """What a score is summed from, for any query and key.

    "dot", "scaled_dot": raw[i, j] = left[i] · right[j], left and right being the queries and keys.
    "general": the same, with left[i] = q_i W. "additive": raw[i, j] = v · tanh(left[i] + right[j]), with
    left[i] = W q_i and right[j] = U k_j. scores = raw × scale (+ bias).
    left (Q, E), right (K, E); w, u (E, E), v (E,) and bias (Q, K) are None where there is no such thing.
    """

    kind: str
    left: np.ndarray
    right: np.ndarray
    w: np.ndarray | None
    u: np.ndarray | None
    v: np.ndarray | None
    scale: float
    bias: np.ndarray | None


@dataclass(frozen=True)
class HeadRecord:
    """One head of one layer, every step of it.

    x (Q, D) and memory (K, D) are what it reads; weights w_q, w_k (D, E), w_v (D, Ev), w_o (Ev, D) with biases;
    q, k, v the projections; q_rotated, k_rotated the same after rotary positions
    with base `rotary_base`, or None; raw, scores, masked,
    pattern (Q, K); mask (Q, K) booleans; z (Q, Ev); out (Q, D).
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
    rotary_base: float | None
    parts: ScoreParts
    raw: np.ndarray
    scores: np.ndarray
    mask: np.ndarray
    masked: np.ndarray
    pattern: np.ndarray
    z: np.ndarray
    out: np.ndarray
