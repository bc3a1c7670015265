"""Measurements of a table of position vectors: waves, dot products against distance, and the shift by k."""

from dataclasses import dataclass

import numpy as np

ROUNDING = 1e-7  # singular values below this share of the largest are the rounding of float32


@dataclass(frozen=True)
class ByDistance:
    """The number of pairs at each distance 0 … L−1, and the mean and standard deviation of their numbers, (L,) each."""

    pairs: np.ndarray
    mean: np.ndarray
    spread: np.ndarray


def by_distance(square: np.ndarray) -> ByDistance:
    """Group a symmetric (L, L) matrix by |i − j|, each pair once."""
    length = len(square)
    rows, columns = np.tril_indices(length)
    distance = rows - columns
    values = square[rows, columns].astype(np.float64)
    pairs = np.bincount(distance, minlength=length)
    mean = np.bincount(distance, values, length) / pairs
    off = np.bincount(distance, (values - mean[distance]) ** 2, length) / pairs
    return ByDistance(pairs, mean, np.sqrt(off))


def theory_by_distance(kind: str, length: int, width: int, base: float, slope: float) -> np.ndarray | None:
    """Return the dot products at distance 0 … L−1 that an encoding's formula gives, (L,), or None if it gives none.

    Sinusoidal and rotary: Σ_i cos(distance / base^(2i/D)), from sin a sin b + cos a cos b = cos(a − b); there is no
    formula for an odd width, because its last wave has no partner. Learned, untrained: the mean over random tables.
    ALiBi: the penalty itself. The kind "none": zeros.
    """
    distance = np.arange(length)
    if kind in ("sinusoidal", "rotary") and width % 2 == 0:
        return np.cos(distance[:, None] / base ** (np.arange(0, width, 2) / width)).sum(1)
    if kind == "learned":
        return np.where(distance == 0, 1.0, 0.0)
    if kind == "alibi":
        return -slope * distance
    return np.zeros(length) if kind == "none" else None


def score_by_distance(
    kind: str, q: np.ndarray, k: np.ndarray, length: int, base: float, slope: float
) -> np.ndarray | None:
    """Return the scores q · k that theory gives with the query 0, 1, … positions behind the key, (length,), unscaled.

    q, k (E,): as projected.

    Rotary: each pair of numbers gives (q₀k₀ + q₁k₁) cos θ + (q₀k₁ − q₁k₀) sin θ, where θ = distance / base^(2i/E).
    ALiBi: q · k − slope · distance. None if positions are added to tokens or the kind has no formula.
    """
    q, k, distance = q.astype(np.float64), k.astype(np.float64), np.arange(length)
    if kind == "rotary":
        angles = distance[:, None] / base ** (np.arange(0, len(q), 2) / len(q))  # (length, E/2)
        along, across = q[::2] * k[::2] + q[1::2] * k[1::2], q[::2] * k[1::2] - q[1::2] * k[::2]
        return np.cos(angles) @ along + np.sin(angles) @ across
    if kind == "alibi":
        return q @ k - slope * distance
    return np.full(length, q @ k) if kind == "none" else None


@dataclass(frozen=True)
class Shift:
    """The matrices that should turn the row of any p into the row of p + k, and their errors.

    fitted (D, D): the matrix fitted by least squares over every p.
    constructed (D, D): the matrix from the formula, None if there is none.
    errors_fitted, errors_constructed (L − k,): the largest |difference| in the row of p + k, at each p.
    errors_unseen: the errors of a matrix fitted to p = 0, 2, 4, … alone, at the p between them.
    """

    fitted: np.ndarray
    constructed: np.ndarray | None
    errors_fitted: np.ndarray
    errors_constructed: np.ndarray | None
    errors_unseen: np.ndarray

    @property
    def matrix(self) -> np.ndarray:
        """The matrix M(k) from the formula if there is one, otherwise the fitted one."""
        return self.fitted if self.constructed is None else self.constructed

    @property
    def rows(self) -> int:
        return len(self.errors_fitted)

    @property
    def unseen(self) -> float | None:
        return float(self.errors_unseen.max()) if len(self.errors_unseen) else None


def shift(table: np.ndarray, k: int, base: float | None = None) -> Shift:
    """Find one matrix M(k) with table[p + k] = M(k) · table[p] for every p (Vaswani et al. 2017, section 3.5).

    table: (L, D).
    base: the base of its waves if sine and cosine are interleaved, so that M(k) follows from the formula; otherwise
        None.
    Raises ValueError unless 0 < k < L.
    """
    if not 0 < k < len(table):
        raise ValueError(f"a shift by {k} needs more than {k} positions, and there are {len(table)}")
    rows = table.astype(np.float64)
    before, after = rows[:-k], rows[k:]
    fitted = _fit(before, after)
    constructed = None if base is None or table.shape[1] % 2 else turning(k, table.shape[1], base)
    half = _fit(before[::2], after[::2])
    unseen = _errors(half, before[1::2], after[1::2])
    built = None if constructed is None else _errors(constructed, before, after)
    return Shift(fitted, constructed, _errors(fitted, before, after), built, unseen)


def turning(k: int, width: int, base: float) -> np.ndarray:
    """Return the matrix that moves interleaved sines and cosines on by k positions, (D, D).

    It has blocks [[cos, sin], [−sin, cos]] of the angles k / base^(2i/D).
    """
    angles = k / base ** (np.arange(0, width, 2) / width)
    even = np.arange(0, width, 2)
    matrix = np.zeros((width, width))
    matrix[even, even] = matrix[even + 1, even + 1] = np.cos(angles)
    matrix[even, even + 1], matrix[even + 1, even] = np.sin(angles), -np.sin(angles)
    return matrix


def wavelength(wave: np.ndarray) -> float | None:
    """Return the mean distance between upward crossings of the middle of a wave (L,), its period.

    With fewer than two it is twice the distance between an upward and a downward crossing. None if the wave does not
    come back to its start within the L positions.
    """
    middle = (wave.max() + wave.min()) / 2
    low, high = wave[:-1] - middle, wave[1:] - middle
    up = (low < 0) & (high >= 0)
    (rows,) = np.nonzero(up)
    halves = len(rows) < 2
    if halves:
        (rows,) = np.nonzero(up | ((low > 0) & (high <= 0)))
    if len(rows) < 2:
        return None
    crossings = rows - low[rows] / (high[rows] - low[rows])
    period = float((crossings[-1] - crossings[0]) / (len(crossings) - 1)) * (2 if halves else 1)
    return period if period <= len(wave) - 1 else None


def wavelength_in_theory(kind: str, dimension: int, width: int, base: float) -> float | None:
    """Return the positions in one period of a dimension.

    2π · base^(2i/D) for waves, 2^(i+1) for bits; None without a period, and for bits from dimension 62 on.
    """
    if kind in ("sinusoidal", "rotary"):
        return float(2 * np.pi * base ** (dimension // 2 * 2 / width))
    return 2.0 ** (dimension + 1) if kind == "binary" and dimension < 62 else None


def closest(table: np.ndarray) -> tuple[int, int, float] | None:
    """Return the two rows that are nearest to each other, and their distance; None for a single row."""
    if len(table) < 2:
        return None
    rows = table.astype(np.float64)
    squares = (rows**2).sum(1)
    apart = squares[:, None] + squares - 2 * rows @ rows.T
    apart[np.tril_indices(len(rows))] = np.inf
    first, second = divmod(int(apart.argmin()), len(rows))
    return first, second, float(np.linalg.norm(rows[first] - rows[second]))


def angle(position: int, dimension: int, width: int, base: float) -> float:
    """Return the angle p / base^(2i/D) of the pair that a dimension belongs to, in radians."""
    return float(position / base ** (dimension // 2 * 2 / width))


def _fit(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(before, after, rcond=ROUNDING)[0].T


def _errors(matrix: np.ndarray, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return np.abs(before @ matrix.T - after).max(1)
