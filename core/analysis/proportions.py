"""How far a share that was counted can be trusted."""

import math

DEVIATIONS = 1.959964  # of a normal distribution, 95 % lie within so many


def wilson_interval(right: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share of which `right` of `total` cases were seen: two shares (Wilson 1927).

    ValueError unless 0 ≤ right ≤ total and there is a case.
    """
    if not 0 <= right <= total or not total:
        raise ValueError(f"{right} of {total} is no share.")
    share, spread = right / total, DEVIATIONS**2 / total
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(share * (1 - share) * spread + spread**2 / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def difference_by_chance(first: float, second: float, total: int) -> float:
    """How far two such shares may lie apart by the choice of the cases alone: half the 95 % interval of a difference.

    first, second: shares of `total` cases each, as if drawn apart; of the same cases it is rather less. ValueError for
    what is no share.
    """
    if not (0 <= first <= 1 and 0 <= second <= 1 and total > 0):
        raise ValueError(f"{first} and {second} of {total} are no shares.")
    return DEVIATIONS * math.sqrt((first * (1 - first) + second * (1 - second)) / total)
