"""Measure the time of one more token on this machine, with the cache and without."""

import time
from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from core.analysis.kv_costs import total, without_cache
from core.model.config import TransformerConfig
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.generate.setup import TextGenerator, text_generator
from core.topics.kv_cache.records import Timing
from core.topics.kv_cache.steps import next_logits
from core.topics.shared.timing import quartiles, timed_rounds
from core.tracing.run import Run, prepare

ROUNDS = 15


def timing_lengths(limit: int) -> tuple[int, ...]:
    """Return lengths from 1 to `limit`, evenly spaced, at most seven of them."""
    return tuple(sorted({1, *(max(1, round(limit * part / 6)) for part in range(1, 7))}))


def lengths_in_reach(
    config: TransformerConfig, lengths: Sequence[int], seconds: float, timings: Sequence[Timing]
) -> Iterator[tuple[int, float]]:
    """Yield the lengths that fit in `seconds`, shortest first, each with its share of the seconds.

    Each gets an equal part of the time that is left. Two lengths are always yielded, because without two measurements
    the time of a third cannot be estimated. It ends before the first length that would not fit.

    timings: those of the lengths measured so far in this order, which are not measured again; it grows between one
    length and the next.
    """
    lengths = sorted(lengths)
    for index, length in enumerate(lengths[len(timings) :], len(timings)):
        left = max(0.0, seconds - sum(timing.spent for timing in timings))
        if len(timings) > 1 and _expected(config, timings[-2], timings[-1], length) > left:
            return
        yield length, left / (len(lengths) - index)


def measure_length(model: Transformer, tokenizer: AnyTokenizer, run: Run, length: int, seconds: float) -> Timing:
    """Time how long one more token takes at one length, with the cache and without, within about `seconds`.

    The tokens are the run's own, repeated if the text is shorter. There are at most 15 rounds, each of which times both
    ways; the first is discarded.
    """
    started = time.perf_counter()
    ready = text_generator(model, tokenizer, run)
    samples = _rounds(ready, _text(tokenizer, run, length), seconds)
    with_cache, without = (quartiles(column) for column in samples.T)
    return Timing(length, len(samples), with_cache, without, time.perf_counter() - started)


def _rounds(ready: TextGenerator, ids: Tensor, seconds: float) -> np.ndarray:
    """Return the seconds (rounds, 2) with the cache and without it."""
    end, memory = time.perf_counter() + seconds, None
    if (source := ready.source_ids(1)) is not None:
        with torch.inference_mode():
            memory = ready.model.run_stack("encoder", source, None)
    length, cache = ids.shape[1], ready.model.cache(capacity=ids.shape[1])
    if length > 1:
        next_logits(ready, ids[:, :-1], memory, cache)

    def with_cache() -> None:
        next_logits(ready, ids[:, -1:], memory, cache)
        cache.truncate(length - 1)

    def without() -> None:
        next_logits(ready, ids, memory, None)

    return timed_rounds((with_cache, without), ids.device.type, end - time.perf_counter(), ROUNDS)


def _text(tokenizer: AnyTokenizer, run: Run, length: int) -> Tensor:
    """Return the ids (1, L) of the decoder's own text, repeated up to `length`."""
    ids = prepare(run, tokenizer).rows["decoder"].ids
    return torch.tensor([(ids * -(-length // len(ids)))[:length]], device=run.placement.device)


def _expected(config: TransformerConfig, before: Timing, last: Timing, length: int) -> float:
    """Return the seconds that the fewest passes at this length will take: one to fill the cache and two rounds.

    The time is assumed to grow with the number of operations as it did between two shorter lengths.
    """
    operations_before, operations_last, operations_next = (
        total(config, without_cache(tokens)) for tokens in (before.length, last.length, length)
    )
    growth = max(0.0, last.without[1] - before.without[1]) / (operations_last - operations_before)
    return (3 * (last.without[1] + growth * (operations_next - operations_last)) + 2 * last.with_cache[1]) / 1000
