"""How long one more token takes on this machine, with the cache and without."""

import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from core.analysis.kv_costs import total, without_cache
from core.explorer.generation.setup import TextGenerator, text_generator
from core.explorer.kv_cache.records import Timing
from core.explorer.kv_cache.steps import next_logits
from core.model.kv import KVCache
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run, prepare

ROUNDS = 15


def timing_lengths(limit: int, points: int = 6) -> tuple[int, ...]:
    """Lengths from 1 to `limit`, evenly spaced, at most `points` + 1 of them."""
    return tuple(sorted({1, *(max(1, round(limit * part / points)) for part in range(1, points + 1))}))


def measure(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    lengths: Sequence[int],
    seconds: float,
    report: Callable[[Timing], None],
) -> tuple[Timing, ...]:
    """Time the reading of one more token at each of these lengths, shortest first, within about `seconds`.

    The tokens are the run's own, again and again where the text is shorter. Each length gets an equal part of the time
    that is left and at most 15 rounds, in which both ways take turns; its first round is thrown away. Two lengths are
    always measured: how long a third will take is not known before. Where it would not fit in what is left, the
    measuring ends. report: called after each length, its time is not counted; an error in it ends the measuring too.
    """
    ready = text_generator(model, tokenizer, run)
    found: list[Timing] = []
    left, lengths = seconds, sorted(lengths)
    for place, length in enumerate(lengths):
        if len(found) > 1 and _expected(run, found[-2], found[-1], length) > left:
            break
        started = time.perf_counter()
        samples = list(_rounds(ready, _text(tokenizer, run, length), left / (len(lengths) - place)))
        left = max(0.0, left - (time.perf_counter() - started))
        mine, other = (_quartiles(column) for column in zip(*samples, strict=True))
        found.append(Timing(length, len(samples), mine, other))
        report(found[-1])
    return tuple(found)


def _rounds(ready: TextGenerator, ids: Tensor, seconds: float) -> Iterator[tuple[float, float]]:
    """Seconds with and without the cache, round by round."""
    memory = None
    if (source := ready.source_ids(1)) is not None:
        with torch.inference_mode():
            memory = ready.model.run_stack("encoder", source, None)
    length, cache = ids.shape[1], ready.model.cache(capacity=ids.shape[1])
    end = time.perf_counter() + seconds
    if length > 1:
        next_logits(ready, ids[:, :-1], memory, cache)
    for number in range(ROUNDS + 1):
        both = _timed(ready, ids[:, -1:], memory, cache), _timed(ready, ids, memory, None)
        cache.truncate(length - 1)
        if number:
            yield both
        if number and time.perf_counter() > end:
            return


def _quartiles(seconds: Sequence[float]) -> tuple[float, float, float]:
    """In milliseconds."""
    low, middle, high = np.percentile(1000 * np.array(seconds), [25, 50, 75])
    return float(low), float(middle), float(high)


def _timed(ready: TextGenerator, ids: Tensor, memory: Tensor | None, cache: KVCache | None) -> float:
    device = ids.device.type
    _finish(device)
    started = time.perf_counter()
    next_logits(ready, ids, memory, cache)
    _finish(device)
    return time.perf_counter() - started


def _finish(device: str) -> None:
    """A graphics card works on after the call returns: wait for it."""
    if device == "cuda":
        torch.cuda.synchronize()
    elif device == "mps":
        torch.mps.synchronize()


def _text(tokenizer: AnyTokenizer, run: Run, length: int) -> Tensor:
    """(1, L) what the decoder reads of the run's own texts, repeated up to `length`."""
    ids = prepare(run, tokenizer).rows["decoder"].ids
    return torch.tensor([(ids * -(-length // len(ids)))[:length]], device=run.placement.device)


def _expected(run: Run, before: Timing, last: Timing, length: int) -> float:
    """Seconds that the least number of passes at this length will take, as time grew with the operations between two
    shorter ones: one pass to fill the cache and two rounds."""
    first, now, then = (total(run.config, without_cache(tokens)) for tokens in (before.length, last.length, length))
    growth = max(0.0, last.without[1] - before.without[1]) / (now - first)
    return (3 * (last.without[1] + growth * (then - now)) + 2 * last.with_cache[1]) / 1000
