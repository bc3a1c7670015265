"""The operations that a KV cache saves and the bytes that it takes, for one step and along a text."""

import numpy as np

from core.analysis import kv_costs
from core.analysis.costs import BYTES
from core.model.config import TransformerConfig
from core.topics.kv_cache.records import CacheMemory, CostsAlong, StepCosts

POINTS = 64


def step_costs(config: TransformerConfig, length: int, source: int = 0, start: int = 1) -> StepCosts:
    """Return the costs of the pass that reads token `length`, term by term, with a cache and without.

    source: number of tokens in the encoder's text; 0 without one.
    start: number of tokens that the first pass reads at once.
    """
    with_cache = kv_costs.operations(config, kv_costs.with_cache(length, source, start))
    without = kv_costs.operations(config, kv_costs.without_cache(length, source))
    return StepCosts(tuple(with_cache), np.array(list(with_cache.values())), np.array(list(without.values())))


def costs_along(config: TransformerConfig, limit: int, source: int = 0) -> CostsAlong:
    """Return the multiply-adds for the newest token at lengths up to `limit`, with the cache and without."""
    lengths = lengths_up_to(limit)
    with_cache = [kv_costs.total(config, kv_costs.with_cache(length, source)) for length in lengths]
    without = [kv_costs.total(config, kv_costs.without_cache(length, source)) for length in lengths]
    return CostsAlong(lengths, np.array(with_cache), np.array(without))


def memory_along(
    config: TransformerConfig, length: int, limit: int, source: int = 0, batch: int = 1, dtype: str = "float32"
) -> CacheMemory:
    """Return the bytes that the caches of `batch` texts take at lengths up to `limit`, and at `length`."""
    lengths = lengths_up_to(limit)
    kept = np.array([kv_costs.cache_bytes(config, tokens, source, batch, dtype) for tokens in lengths])
    now = kv_costs.cache_bytes(config, length, source, batch, dtype)
    token = kv_costs.cache_bytes(config, 1, 0, batch, dtype)
    return CacheMemory(lengths, kept, now, token, kv_costs.weight_bytes(config, dtype), BYTES[dtype])


def lengths_up_to(limit: int) -> tuple[int, ...]:
    """Return lengths from 1 to `limit`, at most 64 of them, evenly spaced."""
    return tuple(sorted({int(length) for length in np.linspace(1, limit, min(limit, POINTS)).round()}))
