"""Schedules of the learning rate: functions of the step, counted from 1, and of the used share of the budget."""

import math
from collections.abc import Callable
from typing import TypeAlias

Schedule: TypeAlias = Callable[[int, float], float]


def paper(d_model: int, warmup: int) -> Schedule:
    """Return the schedule of Vaswani et al. 2017, equation 3: D^−0.5 · min(step^−0.5, step · warmup^−1.5)."""
    return lambda step, progress: d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def cosine(peak: float, warmup: int, floor: float = 0.02) -> Schedule:
    """Return a schedule with a linear warm-up to `peak`, multiplied by half a cosine from 1 to `floor` over the budget.

    warmup: the number of steps of the warm-up.
    """

    def rate(step: int, progress: float) -> float:
        fall = floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * min(max(progress, 0.0), 1.0)))
        return peak * min(1.0, step / warmup) * fall

    return rate


def trapezoid(peak: float, warmup: int, cooling: float = 0.2) -> Schedule:
    """Return a schedule with a linear warm-up to `peak`, a constant part, and a fall to 0 as 1 − √x.

    (Hägele et al. 2024, section 3.) The constant part does not depend on the end of the run, so a longer run shares it.

    warmup: the number of steps of the warm-up.
    cooling: the share of the budget, at its end, over which the rate falls; x is the used part of that share.
    """

    def rate(step: int, progress: float) -> float:
        cooled = max(0.0, progress - (1 - cooling)) / cooling
        return peak * min(1.0, step / warmup) * (1 - math.sqrt(min(cooled, 1.0)))

    return rate


def in_turn(*parts: tuple[Schedule, int]) -> Schedule:
    """Return schedules one after another, each for its number of steps, which it counts from 1: warm restarts.

    (Loshchilov & Hutter 2017.) It is made for budgets of steps; the last schedule also covers all steps after it.
    """

    def rate(step: int, progress: float) -> float:
        *earlier, (last, total) = parts
        for schedule, steps in earlier:
            if step <= steps:
                return schedule(step, (step - 1) / steps)
            step -= steps
        return last(step, (step - 1) / total)

    return rate
