"""How long each model takes over a text of a given length on this machine, and how many of its steps wait for one."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.model.recurrent import Recurrent
from core.model.transformer import Transformer

LENGTHS = (4, 8, 16, 32, 64, 128)
ROUNDS = 9
FIRST_ID = 300  # an ordinary piece


@dataclass(frozen=True)
class PassTime:
    """Milliseconds of one pass over `length` tokens read and `length` given tokens of a translation, up to the last
    states: quartiles of so many runs. waiting: how many of its steps have to wait for the one before."""

    title: str
    length: int
    waiting: int
    low: float
    median: float
    high: float
    runs: int


def steps_that_wait(model: Recurrent | Transformer, length: int) -> int:
    """A GRU makes a state after the other, in the encoder and in the decoder; both directions of an encoder can go side
    by side. A transformer goes layer after layer, whatever the length."""
    return 2 * length if isinstance(model, Recurrent) else 2 * model.config.layers


def measure_passes(
    models: Sequence[tuple[str, Recurrent | Transformer]],
    seconds: float,
    report: Callable[[PassTime], None],
    lengths: Sequence[int] = LENGTHS,
) -> tuple[PassTime, ...]:
    """Time each model at each length, shortest first, within about `seconds`; the first run of each is thrown away.

    report: called after each; an error in it ends the measuring. A length whose runs would not fit in what is left,
    two of each model, is left out.
    """
    found: list[PassTime] = []
    end = time.perf_counter() + seconds
    for place, length in enumerate(lengths):
        part = (end - time.perf_counter()) / (len(models) * (len(lengths) - place))
        shorter = sum(each.median for each in found[-len(models) :]) / 1000
        if found and 2 * shorter * length / found[-1].length > end - time.perf_counter():
            break
        for title, model in models:
            low, median, high, runs = _quartiles(model, length, part)
            found.append(PassTime(title, length, steps_that_wait(model, length), low, median, high, runs))
            report(found[-1])
    return tuple(found)


def _quartiles(model: Recurrent | Transformer, length: int, seconds: float) -> tuple[float, float, float, int]:
    end, samples = time.perf_counter() + seconds, []
    device = next(model.parameters()).device
    ids = torch.arange(FIRST_ID, FIRST_ID + length, device=device)[None]
    for number in range(ROUNDS + 1):
        took = _timed(model, ids)
        if number:
            samples.append(1000 * took)
        if number and time.perf_counter() > end:
            break
    low, median, high = np.percentile(samples, [25, 50, 75])
    return float(low), float(median), float(high), len(samples)


@torch.inference_mode()
def _timed(model: Recurrent | Transformer, ids: Tensor) -> float:
    started = time.perf_counter()
    if isinstance(model, Recurrent):
        mask = torch.ones_like(ids, dtype=torch.bool)
        out, _ = model.decode(ids, *model.encode(ids, mask), mask)
    else:
        out = model.run_stack("decoder", ids, None, model.run_stack("encoder", ids, None))
    out[0, -1, 0].item()  # waits for a graphics card
    return time.perf_counter() - started
