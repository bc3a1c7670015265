"""The time of work on this machine: rounds in which several ways take turns, and their quartiles."""

import time
from collections.abc import Callable, Sequence

import numpy as np
import torch


def timed_rounds(
    ways: Sequence[Callable[[], object]],
    device: str,
    seconds: float,
    max_rounds: int,
    min_rounds: int = 1,
    discarded: int = 1,
) -> np.ndarray:
    """Return the seconds (rounds, ways) that each way took in each round, in which they take turns.

    seconds: after about this time no round is begun.
    max_rounds, min_rounds: the number of rounds that are returned.
    discarded: the number of rounds before them, which only warm up.
    """
    rounds: list[list[float]] = []
    end = time.perf_counter() + seconds
    while len(rounds) < discarded + min_rounds or (len(rounds) < discarded + max_rounds and time.perf_counter() < end):
        rounds.append([_seconds(way, device) for way in ways])
    return np.array(rounds[discarded:])


def quartiles(seconds: Sequence[float] | np.ndarray) -> tuple[float, float, float]:
    """Return the lower quartile, median and upper quartile in milliseconds."""
    low, middle, high = np.percentile(1000 * np.asarray(seconds), [25, 50, 75]).tolist()
    return low, middle, high


def _seconds(way: Callable[[], object], device: str) -> float:
    _finish(device)
    started = time.perf_counter()
    way()
    _finish(device)
    return time.perf_counter() - started


def _finish(device: str) -> None:
    """Wait for the graphics card, which works on after a call returns."""
    if device == "cuda":
        torch.cuda.synchronize()
    elif device == "mps":
        torch.mps.synchronize()
