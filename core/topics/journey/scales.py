"""The ranges of the journey's numbers: one scale for all pictures whose numbers can be compared."""

from collections import defaultdict
from collections.abc import Iterable
from math import ceil, floor, log10
from typing import NamedTuple

import numpy as np

from core.topics.journey.pictures import Picture
from core.topics.journey.records import Journey

INSIDE_SHARE = (
    0.99  # the share of a vector's numbers inside its scale: a few far larger ones would make all others faint
)


class Scale(NamedTuple):
    """A colour scale from −limit to limit, or from 0 for weights.

    beyond: whether there are larger numbers, which get the last colour.
    """

    limit: float
    beyond: bool


def scales(pictures: Iterable[Picture], journey: Journey) -> dict[str, Scale]:
    """Return the scale of each kind of numbers that the pictures show."""
    sizes: dict[str, list[np.ndarray]] = defaultdict(list)
    for picture in pictures:
        if picture.name in journey.stages:
            values = journey.stages[picture.name].values
            sizes[picture.scale].append(np.abs(values[np.isfinite(values)]))
    return {name: _scale_of(name, np.concatenate(parts)) for name, parts in sizes.items()}


def _scale_of(name: str, sizes: np.ndarray) -> Scale:
    if name == "weight" or not sizes.any():
        return Scale(1.0, False)
    largest = float(sizes.max())
    inside = float(np.quantile(sizes, INSIDE_SHARE)) if name != "score" else largest
    limit = _rounded_up(inside or largest)
    return Scale(limit, largest > limit)


def _rounded_up(x: float) -> float:
    """Return x > 0 rounded up to two digits, so that a legend can give it exactly."""
    power = floor(log10(x)) - 1
    return float(f"{ceil(x / 10.0**power)}e{power}")
