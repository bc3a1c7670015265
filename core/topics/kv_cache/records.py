"""Frozen records of a KV cache for the pages, without tensors.

Axes: N layers, L tokens read, S source tokens, E d_k, Ev d_v. Pieces are shown as on every screen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.memory import MIB
from core.topics.shared.labels import Labelled, numbered_pieces, with_labels

KINDS = ("with the cache", "without a cache")
MOVES = ("under the causal mask", "without it")
STORED = "the cache"
Line = tuple[str, np.ndarray]  # the name of a line, and its values (T,)


@dataclass(frozen=True, eq=False)
class CacheStep:
    """One head while the last `new` of L tokens are read, beside a pass without a cache.

    pieces (L): the tokens of the queries.
    key_pieces (K): the tokens of the keys: the same in self-attention, the source's in cross-attention.
    kept: number of the K keys and values that had been computed before.
    q (L, E), scores, pattern (L, K), z (L, Ev): the last `new` rows are computed with the cache; only a pass without a
        cache computes the rows above them again. Masked scores are −∞.
    k (K, E), v (K, Ev): as the cache holds them, with the keys turned if positions are rotary.
    differences: by name, the largest |difference| of the new rows (for k and v, of the kept ones) from a pass without a
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

    @property
    def old(self) -> int:
        """The number of rows of q, scores, pattern and z that are not computed with the cache."""
        return len(self.pieces) - self.new

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the tokens, (L,)."""
        return numbered_pieces(self.pieces)

    @property
    def key_labels(self) -> tuple[str, ...]:
        """The labels of the keys, (K,)."""
        return numbered_pieces(self.key_pieces)

    @property
    def masked_pattern(self) -> np.ndarray:
        """The pattern (L, K), with −∞ where masked."""
        return np.where(np.isneginf(self.scores), -np.inf, self.pattern)

    @property
    def table(self) -> Labelled:
        """The keys and values side by side, (K, E + Ev)."""
        columns = [f"{name}{n}" for name, part in (("k", self.k), ("v", self.v)) for n in range(part.shape[1])]
        return Labelled(np.concatenate([self.k, self.v], axis=1), self.key_labels, columns)

    @property
    def difference_table(self) -> Labelled:
        """The largest differences from a pass without a cache in one row."""
        return Labelled(np.array([list(self.differences.values())]), ("largest difference",), list(self.differences))


@dataclass(frozen=True, eq=False)
class Unchanged:
    """The change of the keys and values of the first `rows` tokens when one more token is read.

    masked, unmasked (N, 2): for each layer, the largest |difference| of the keys and of the values, under the causal
        mask and with the same weights without it.
    size: the largest |number| among the keys and values.
    """

    rows: int
    masked: np.ndarray
    unmasked: np.ndarray
    size: float

    @property
    def layers(self) -> list[str]:
        """The numbers of the layers, from 1, (N,)."""
        return [f"{layer}" for layer in range(1, len(self.masked) + 1)]

    @property
    def largest(self) -> tuple[np.ndarray, np.ndarray]:
        """The largest difference (N,) of keys and values together, under the causal mask and without it."""
        return self.masked.max(1), self.unmasked.max(1)

    @property
    def table(self) -> Labelled:
        """The differences in each layer, (N, 4)."""
        columns = [f"{what}, {how}" for how in ("masked", "no mask") for what in ("keys", "values")]
        numbers = np.concatenate([self.masked, self.unmasked], axis=1)
        return Labelled(numbers, [f"layer {layer}" for layer in self.layers], columns)

    @property
    def size_table(self) -> Labelled:
        """The largest |number| among the keys and values, as a table of one cell."""
        return with_labels(np.array([self.size]), "largest key or value")


@dataclass(frozen=True, eq=False)
class CacheCheck:
    """A comparison of the logits with a cache and without it, at each step that reads a single token.

    lengths: numbers of tokens read.
    difference: the largest |difference| of the V logits.
    with_cache, without: the likeliest next piece of each.
    size: the largest |logit|.
    """

    lengths: tuple[int, ...]
    difference: tuple[float, ...]
    with_cache: tuple[str, ...]
    without: tuple[str, ...]
    size: float

    @property
    def agreed(self) -> int:
        """The number of steps in which both choose the same token."""
        return sum(cached == plain for cached, plain in zip(self.with_cache, self.without, strict=True))

    @property
    def largest(self) -> float:
        """The largest difference of all steps."""
        return max(self.difference)

    @property
    def table(self) -> Labelled:
        """The largest difference at each step, and whether both choose the same token, (T, 2), with labels."""
        steps = list(zip(self.lengths, self.difference, self.with_cache, self.without, strict=True))
        numbers = np.array([[difference, float(cached == plain)] for _, difference, cached, plain in steps])
        rows = [f"{length}: {cached} | {plain}" for length, _, cached, plain in steps]
        return Labelled(numbers, rows, ("largest difference", "same token (1: yes)"))

    @property
    def size_table(self) -> Labelled:
        """The largest |logit|, as a table of one cell."""
        return with_labels(np.array([self.size]), "largest logit")


@dataclass(frozen=True)
class Timing:
    """Milliseconds for one more token at this length: the quartiles of `runs` passes each way.

    spent: the seconds that the whole measurement took.
    """

    length: int
    runs: int
    with_cache: tuple[float, float, float]
    without: tuple[float, float, float]
    spent: float = 0.0


@dataclass(frozen=True)
class TimesAlong:
    """Timings at T lengths."""

    timings: Sequence[Timing]

    @property
    def lengths(self) -> list[int]:
        return [timing.length for timing in self.timings]

    @property
    def quartiles(self) -> np.ndarray:
        """The lower quartile, median and upper quartile with the cache and without it, (2, 3, T)."""
        return np.array([[timing.with_cache, timing.without] for timing in self.timings]).transpose(1, 2, 0)

    @property
    def lines(self) -> list[Line]:
        """The medians, as lines."""
        return [(kind, median) for kind, (_, median, _) in zip(KINDS, self.quartiles, strict=True)]

    @property
    def spread(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """The lower and upper quartile of each line."""
        return [(low, high) for low, _, high in self.quartiles]

    @property
    def table(self) -> Labelled:
        """The quartiles and the number of runs at each length, (T, 7)."""
        names = [f"{how}, {kind}" for kind in KINDS for how in ("lower quartile", "median", "upper quartile")]
        numbers = np.array([[*timing.with_cache, *timing.without, timing.runs] for timing in self.timings])
        return Labelled(numbers, [str(length) for length in self.lengths], [*names, "runs"])


@dataclass(frozen=True, eq=False)
class StepCosts:
    """Multiply-adds of the pass that reads the newest token.

    terms (P,): their names.
    with_cache, without (P,): the multiply-adds of each term.
    """

    terms: tuple[str, ...]
    with_cache: np.ndarray
    without: np.ndarray

    @property
    def table(self) -> Labelled:
        """The costs with the cache, without it, and their ratio, for each term and for all together, (P + 1, 3).

        The ratio is NaN for a term that the cache saves entirely.
        """
        with_cache, without = (np.append(costs, costs.sum()) for costs in (self.with_cache, self.without))
        times = np.divide(without, with_cache, out=np.full(len(with_cache), np.nan), where=with_cache > 0)
        rows = (*self.terms, "together")
        return Labelled(np.stack([with_cache, without, times], axis=1), rows, (*KINDS, "times as many"))


@dataclass(frozen=True, eq=False)
class CostsAlong:
    """Multiply-adds (T,) of one more token at each of T lengths."""

    lengths: tuple[int, ...]
    with_cache: np.ndarray
    without: np.ndarray

    @property
    def lines(self) -> list[Line]:
        return list(zip(KINDS, (self.with_cache, self.without), strict=True))


@dataclass(frozen=True, eq=False)
class CacheMemory:
    """Bytes of the cached keys and values.

    kept (T,): the bytes at each of T lengths.
    now: the bytes at the present length.
    token: the bytes that each new token adds.
    weights: the bytes of the model's weights.
    number: the bytes of a single number.
    """

    lengths: tuple[int, ...]
    kept: np.ndarray
    now: int
    token: int
    weights: int
    number: int

    @property
    def lines(self) -> list[Line]:
        """The MiB of the cache. The weights are left out: beside them the line would look flat."""
        return [(STORED, self.kept / MIB)]

    @property
    def table(self) -> Labelled:
        """The bytes of the cache and of the weights at each length, (T, 2)."""
        numbers = np.stack([self.kept, np.full(len(self.kept), self.weights)], axis=1)
        return Labelled(numbers, [f"{length}" for length in self.lengths], ("cache, bytes", "weights, bytes"))
