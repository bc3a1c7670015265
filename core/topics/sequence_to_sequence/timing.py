"""The time of each model for a text of a given length on this machine, and the number of its sequential steps."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.model.recurrent import Recurrent
from core.model.transformer import Transformer
from core.topics.shared.timing import quartiles, timed_rounds

LENGTHS = (4, 8, 16, 32, 64, 128)
ROUNDS = 9
FIRST_ID = 300  # an ordinary piece


@dataclass(frozen=True)
class PassTime:
    """The time of one pass over `length` source tokens and `length` given target tokens, up to the last states.

    waiting: the number of steps that have to wait for the one before.
    low, median, high: quartiles of the runs in milliseconds.
    runs: the number of runs.
    spent: the seconds that the whole measurement took.
    """

    title: str
    length: int
    waiting: int
    low: float
    median: float
    high: float
    runs: int
    spent: float


def steps_that_wait(model: Recurrent | Transformer, length: int) -> int:
    """Return the number of sequential steps of a model for a text of this length.

    A GRU makes one state after the other, in the encoder and in the decoder; both directions of an encoder can run side
    by side. A transformer runs layer after layer, whatever the length.
    """
    return 2 * length if isinstance(model, Recurrent) else 2 * model.config.layers


def passes_in_reach(
    titles: Sequence[str], seconds: float, measured: Sequence[PassTime], lengths: Sequence[int] = LENGTHS
) -> Iterator[tuple[str, int, float]]:
    """Yield the passes that fit in `seconds`: model, length and its share of the seconds, the shortest length first.

    measured: the passes measured so far in this order, which are not measured again; it grows between one pass and the
    next.

    It ends before the first length at which two runs of each model would not fit in the seconds left.
    """
    many = len(titles)
    for number in range(len(measured), many * len(lengths)):
        left, length = seconds - sum(pass_time.spent for pass_time in measured), lengths[number // many]
        shorter = measured[-many:]
        if number and number % many == 0:
            runs = 2 * sum(pass_time.median for pass_time in shorter) / 1000
            if runs * length / shorter[-1].length > left:
                return
        yield titles[number % many], length, left / (many * len(lengths) - number)


def measure_pass(title: str, model: Recurrent | Transformer, length: int, seconds: float) -> PassTime:
    """Measure one model at one length, within about `seconds`; the first run is thrown away."""
    started = time.perf_counter()
    device = next(model.parameters()).device
    ids = torch.arange(FIRST_ID, FIRST_ID + length, device=device)[None]
    rounds = timed_rounds([lambda: _run(model, ids)], device.type, seconds, ROUNDS)
    waiting, spent = steps_that_wait(model, length), time.perf_counter() - started
    return PassTime(title, length, waiting, *quartiles(rounds), len(rounds), spent)


@torch.inference_mode()
def _run(model: Recurrent | Transformer, ids: Tensor) -> None:
    if isinstance(model, Recurrent):
        model.decode(ids, model.encode(ids, torch.ones_like(ids, dtype=torch.bool)))
    else:
        model.run_stack("decoder", ids, None, model.run_stack("encoder", ids, None))
