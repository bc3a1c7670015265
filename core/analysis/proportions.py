"""Confidence intervals of measured proportions."""

import math

DEVIATIONS = 1.959964  # standard deviations within which 95 % of a normal distribution lie


def wilson_interval(right: int, total: int) -> tuple[float, float]:
    """Return the 95 % interval of a proportion seen as `right` of `total` cases (Wilson 1927).

    Raises ValueError unless 0 ≤ right ≤ total and total > 0.
    """
    if not 0 <= right <= total or not total:
        raise ValueError(f"{right} of {total} is no share.")
    share, spread = right / total, DEVIATIONS**2 / total
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def difference_by_chance(first: float, second: float, total: int) -> float:
    """Return how far two proportions may differ by the choice of the cases alone.

    This is half the 95 % interval of a difference.
    first, second: proportions of `total` cases each, treated as drawn independently; if the cases are the same, the
    difference by chance is smaller.
    Raises ValueError for values that are not proportions.
    """
    if not (0 <= first <= 1 and 0 <= second <= 1 and total > 0):
        raise ValueError(f"{first} and {second} of {total} are no shares.")
    return DEVIATIONS * math.sqrt((first * (1 - first) + second * (1 - second)) / total)
