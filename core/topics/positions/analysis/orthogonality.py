"""How close to orthogonal random directions are, measured and in theory."""

from dataclasses import dataclass
from math import lgamma, log, pi

import numpy as np

SIZES = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
BINS = 61
BATCH = 1000


@dataclass(frozen=True)
class Cosines:
    """Cosines between pairs of random unit vectors of 2, 4, … n numbers.

    sizes (S,): the numbers of numbers.
    draws: the number of pairs.
    mean, variance, and mean_error, variance_error, their standard errors (S,).
    low, high (S,): 5 % of the cosines are below low and 5 % above high.
    theory_high (S,): where the upper 5 % begin in theory.
    of_size (draws,): the cosines at the chosen size.
    """

    sizes: np.ndarray
    draws: int
    mean: np.ndarray
    mean_error: np.ndarray
    variance: np.ndarray
    variance_error: np.ndarray
    low: np.ndarray
    high: np.ndarray
    theory_high: np.ndarray
    of_size: np.ndarray


@dataclass(frozen=True)
class Histogram:
    """Shares per unit of cosine (`BINS`,) in equal bins over [−reach, reach], with the density of theory at each."""

    centres: np.ndarray
    density: np.ndarray
    theory: np.ndarray


def random_cosines(size: int, draws: int, seed: int) -> Cosines:
    """Draw `draws` pairs of Gaussian vectors of 1,024 numbers, and return the cosines at every size.

    The first n numbers of each vector are the vector of size n. A Gaussian vector has no preferred direction, so its
    direction is uniform. In theory the cosine has mean 0 and variance 1/n.
    size: the size at which all cosines are returned.
    Raises ValueError for fewer than 2 draws or a size not in SIZES.
    """
    if size not in SIZES or draws < 2:
        raise ValueError(f"{draws} draws of size {size}: take at least 2 draws and one of the sizes {SIZES}")
    generator = np.random.default_rng(seed)
    parts = [_cosines(generator, min(BATCH, draws - first)) for first in range(0, draws, BATCH)]
    cosines = np.concatenate(parts, axis=1)  # (S, draws)
    squares = cosines**2
    low, high = np.quantile(cosines, (0.05, 0.95), axis=1)
    return Cosines(
        np.array(SIZES),
        draws,
        cosines.mean(1),
        cosines.std(1) / np.sqrt(draws),
        squares.mean(1),
        squares.std(1) / np.sqrt(draws),
        low,
        high,
        np.array([quantile(0.95, n) for n in SIZES]),
        cosines[SIZES.index(size)],
    )


def _cosines(generator: np.random.Generator, draws: int) -> np.ndarray:
    """Return the cosines of the first 2, 4, … 1,024 numbers of one batch of pairs, (S, draws)."""
    x, y = generator.standard_normal((2, draws, SIZES[-1]), dtype=np.float32)
    starts = (0, *SIZES[:-1])
    dot, long, other = (np.add.reduceat(a * b, starts, axis=1).cumsum(1) for a, b in ((x, y), (x, x), (y, y)))
    return (dot / np.sqrt(long * other)).T.astype(np.float64)


def density(cosine: np.ndarray, n: int) -> np.ndarray:
    """Return the density of the cosine between two random directions in n ≥ 2 dimensions.

    (1 − c²)^((n−3)/2) · Γ(n/2) / (√π · Γ((n−1)/2)): the share of a sphere at that angle.
    Raises ValueError for n < 2.
    """
    if n < 2:
        raise ValueError(f"directions need 2 dimensions or more, not {n}")
    constant = lgamma(n / 2) - lgamma((n - 1) / 2) - log(pi) / 2
    inside = np.clip(1 - np.asarray(cosine, np.float64) ** 2, 1e-12, None)
    return np.exp(constant + (n - 3) / 2 * np.log(inside))


def quantile(share: float, n: int) -> float:
    """Return the cosine below which this share lies in n ≥ 2 dimensions: the angle has a density of sin^(n−2)."""
    angles = np.linspace(0, np.pi, 20_001)
    below = np.cumsum(np.sin((angles[1:] + angles[:-1]) / 2) ** (n - 2))
    return float(np.cos(np.interp((1 - share) * below[-1], np.append(0, below), angles)))


def histogram(cosines: np.ndarray, n: int) -> Histogram:
    """Count the cosines in bins, over a range that holds them and five theoretical deviations 1/√n.

    The theory of a bin is the mean of the density over it.
    """
    reach = min(1.0, max(5 / np.sqrt(n), float(np.abs(cosines).max())))
    counts, edges = np.histogram(np.clip(cosines, -reach, reach), BINS, (-reach, reach))
    width = edges[1] - edges[0]
    centres = (edges[:-1] + edges[1:]) / 2
    fine = centres[:, None] + width * (np.arange(21) - 10) / 21
    theory = density(fine, n).mean(1) if n > 1 else np.zeros(BINS)
    return Histogram(centres, counts / (cosines.size * width), theory)
