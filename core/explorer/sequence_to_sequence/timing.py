"""How long each model takes over a text of a given length on this machine, and how many of its steps wait for one."""

import time
from collections.abc import Iterator, Sequence
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
    states: quartiles of so many runs. waiting: how many of its steps have to wait for the one before. spent: seconds
    that the measuring took in all."""

    title: str
    length: int
    waiting: int
    low: float
    median: float
    high: float
    runs: int
    spent: float


def steps_that_wait(model: Recurrent | Transformer, length: int) -> int:
    """A GRU makes a state after the other, in the encoder and in the decoder; both directions of an encoder can go side
    by side. A transformer goes layer after layer, whatever the length."""
    return 2 * length if isinstance(model, Recurrent) else 2 * model.config.layers


def passes_in_reach(
    titles: Sequence[str], seconds: float, found: Sequence[PassTime], lengths: Sequence[int] = LENGTHS
) -> Iterator[tuple[str, int, float]]:
    """What there is to measure in so many seconds: model, length and its part of them, the shortest length first.

    found: what has been measured in this order, which is not measured again; it grows between one pass and the next. A
    length of which two runs of each model would not fit in what is left is left out.
    """
    many = len(titles)
    for number in range(len(found), many * len(lengths)):
        left, length = seconds - sum(each.spent for each in found), lengths[number // many]
        shorter = found[-many:]
        if number and number % many == 0:
            runs = 2 * sum(each.median for each in shorter) / 1000
            if runs * length / shorter[-1].length > left:
                return
        yield titles[number % many], length, left / (many * len(lengths) - number)


def measure_pass(title: str, model: Recurrent | Transformer, length: int, seconds: float) -> PassTime:
    """One model at one length, within about `seconds`; the first run is thrown away."""
    started, samples = time.perf_counter(), list[float]()
    device = next(model.parameters()).device
    ids = torch.arange(FIRST_ID, FIRST_ID + length, device=device)[None]
    for number in range(ROUNDS + 1):
        took = _timed(model, ids)
        if number:
            samples.append(1000 * took)
        if number and time.perf_counter() - started > seconds:
            break
    low, median, high = map(float, np.percentile(samples, [25, 50, 75]))
    waiting, spent = steps_that_wait(model, length), time.perf_counter() - started
    return PassTime(title, length, waiting, low, median, high, len(samples), spent)


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
