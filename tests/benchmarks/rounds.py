"""Works timed in rounds, each round in another order, so that a busy machine slows all alike."""

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter, process_time

import torch

from tests.benchmarks.report import quartiles

Work = Callable[[], object]


def seconds(work: Work, device: str) -> float:
    """How long the work takes, waiting for a GPU to finish it; on one thread in processor seconds, which others on the
    machine change less."""
    clock = process_time if device == "cpu" and torch.get_num_threads() == 1 else perf_counter
    if device == "cuda":
        torch.cuda.synchronize()
    start = clock()
    work()
    if device == "cuda":
        torch.cuda.synchronize()
    return clock() - start


def timed(works: Mapping[str, Work], device: str, rounds: int) -> dict[str, list[float]]:
    """Seconds of each in each round, after one that does not count."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work()
    for number in range(rounds):
        for name in list(works)[:: 1 if number % 2 == 0 else -1]:
            times[name].append(seconds(works[name], device))
    return times


def ratios(over: Sequence[float], under: Sequence[float]) -> tuple[float, float, float]:
    """The quartiles of the rounds' own ratios."""
    return quartiles([one / two for one, two in zip(over, under, strict=True)])
