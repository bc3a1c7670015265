"""How the learning rate runs: functions of the step, counted from 1, and of the share of the budget that is used."""

import math
from collections.abc import Callable
from typing import TypeAlias

Schedule: TypeAlias = Callable[[int, float], float]


def paper(d_model: int, warmup: int, factor: float = 1.0) -> Schedule:
    """factor · D^−0.5 · min(step^−0.5, step · warmup^−1.5) (Vaswani et al. 2017, equation 3)."""
    return lambda step, progress: factor * d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def cosine(peak: float, warmup: int, floor: float = 0.02) -> Schedule:
    """Straight up to `peak` in `warmup` steps, and half a cosine down to `floor` · peak as the budget runs out."""

    def rate(step: int, progress: float) -> float:
        fall = floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * min(max(progress, 0.0), 1.0)))
        return peak * min(1.0, step / warmup) * fall

    return rate


def trapezoid(peak: float, warmup: int, cooling: float = 0.2) -> Schedule:
    """Straight up to `peak` in `warmup` steps, level, and down to 0 as 1 − √x over the last share `cooling`.

    (Hägele et al. 2024, section 3.) The level part does not know where it ends, so a longer run shares it.
    """

    def rate(step: int, progress: float) -> float:
        cooled = max(0.0, progress - (1 - cooling)) / cooling
        return peak * min(1.0, step / warmup) * (1 - math.sqrt(min(cooled, 1.0)))

    return rate


def in_turn(*parts: tuple[Schedule, int]) -> Schedule:
    """Schedules one after another, each for its number of steps and counting its own: warm restarts.

    (Loshchilov & Hutter 2017.) Made for budgets of steps; the last schedule also rules what comes after it.
    """

    def rate(step: int, progress: float) -> float:
        *earlier, (last, total) = parts
        for schedule, steps in earlier:
            if step <= steps:
                return schedule(step, (step - 1) / steps)
            step -= steps
        return last(step, (step - 1) / total)

    return rate
