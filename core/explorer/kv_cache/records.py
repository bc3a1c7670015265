"""What a KV cache hands to a page: frozen records, without tensors.

Axes: N layers, L tokens read, S source tokens, E d_k, Ev d_v. Pieces are shown as on every screen.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class CacheStep:
    """One head while the last `new` of L tokens are read, and what a pass without a cache computes beside.

    pieces (L) ask; key_pieces (K) are asked: the same in self-attention, the source's in cross-attention. kept: how
    many of the K keys and values had been computed before. q (L, E), scores, pattern (L, K) and z (L, Ev): the last
    `new` rows are those computed with the cache, the rows above those that only a pass without it computes again.
    k (K, E) and v (K, Ev): as the cache holds them, keys turned where positions are rotary. scores hold −∞ where
    masked. differences: by name, the largest |difference| of the new rows, or of the kept ones, from a pass without a
    cache.
    """

    pieces: tuple[str, ...]
    key_pieces: tuple[str, ...]
    new: int
    kept: int
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    scores: np.ndarray
    pattern: np.ndarray
    z: np.ndarray
    differences: dict[str, float]


@dataclass(frozen=True, eq=False)
class Unchanged:
    """How much the keys and values of the first `rows` tokens move when one more token is read.

    masked, unmasked (N, 2): in each layer the largest |difference| of the keys and of the values, under the causal
    mask and with the same weights without it. size: the largest |number| among them.
    """

    rows: int
    masked: np.ndarray
    unmasked: np.ndarray
    size: float


@dataclass(frozen=True, eq=False)
class CacheCheck:
    """Logits with the cache against logits without, after each token that was read alone.

    lengths: tokens read; difference: the largest |difference| of the V logits; with_cache, without: the likeliest next
    piece of each; size: the largest |logit|.
    """

    lengths: tuple[int, ...]
    difference: tuple[float, ...]
    with_cache: tuple[str, ...]
    without: tuple[str, ...]
    size: float

    @property
    def agreed(self) -> int:
        """How often both choose the same token."""
        return sum(mine == other for mine, other in zip(self.with_cache, self.without, strict=True))


@dataclass(frozen=True)
class Timing:
    """Milliseconds that one more token took at this length: the quartiles of `runs` passes each way."""

    length: int
    runs: int
    with_cache: tuple[float, float, float]
    without: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class StepCosts:
    """Multiply-adds of the pass that reads the newest token. terms (P,): their names; with_cache, without (P,)."""

    terms: tuple[str, ...]
    with_cache: np.ndarray
    without: np.ndarray


@dataclass(frozen=True, eq=False)
class CostsAlong:
    """Multiply-adds (T,) of one more token at each of T lengths."""

    lengths: tuple[int, ...]
    with_cache: np.ndarray
    without: np.ndarray


@dataclass(frozen=True, eq=False)
class CacheMemory:
    """Bytes of the keys and values kept.

    kept (T,): at each of T lengths; now: at the present one; token: what each token more adds; weights: of the model;
    number: of one number.
    """

    lengths: tuple[int, ...]
    kept: np.ndarray
    now: int
    token: int
    weights: int
    number: int
