"""How large the numbers of the journey are: one scale for all pictures whose numbers can be compared."""

from collections import defaultdict
from collections.abc import Iterable
from math import ceil, floor, log10
from typing import NamedTuple

import numpy as np

from core.explorer.journey.pictures import Picture
from core.explorer.journey.records import Journey

WITHIN = 0.99  # of the numbers of vectors: a few that are far larger would leave all others faint


class Scale(NamedTuple):
    """From −limit to limit, of weights from 0. beyond: whether there are larger numbers, which get the last colour."""

    limit: float
    beyond: bool


def scales(pictures: Iterable[Picture], journey: Journey) -> dict[str, Scale]:
    """The scale of each name that the pictures have."""
    sizes: dict[str, list[np.ndarray]] = defaultdict(list)
    for each in pictures:
        if each.name in journey.stages:
            values = journey.stages[each.name].values
            sizes[each.scale].append(np.abs(values[np.isfinite(values)]))
    return {name: _scale_of(name, np.concatenate(found)) for name, found in sizes.items()}


def _scale_of(name: str, sizes: np.ndarray) -> Scale:
    if name == "weight" or not sizes.any():
        return Scale(1.0, False)
    largest = float(sizes.max())
    inside = float(np.quantile(sizes, WITHIN)) if name != "score" else largest
    limit = _rounded_up(inside or largest)
    return Scale(limit, largest > limit)


def _rounded_up(x: float) -> float:
    """x > 0 to the next number of two digits, so that a legend can say it exactly."""
    power = floor(log10(x)) - 1
    return float(f"{ceil(x / 10.0**power)}e{power}")
