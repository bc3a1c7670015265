"""Projecting points of many dimensions onto a plane: principal components, and t-SNE, which keeps neighbours.

Shapes: N points of D numbers.
"""

import numpy as np
import torch

from core.analysis.word_vectors import unit_rows

ROUNDS, RATE = 400, 10.0
PERPLEXITY = 8.0  # about how many neighbours of each point count; at most (N − 1) / 3
EXAGGERATED_ROUNDS, EXAGGERATION_FACTOR = 100, 4.0
MIN_PROBABILITY, HALVINGS = 1e-12, 60


def principal_axes(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first two principal axes (2, D), and the share of the variance that each shows (2,).

    The singular value decomposition of the points minus their mean, in float64. The largest number of each axis is
    positive, so that equal points give equal pictures. Points on a line have a second axis of zeros.
    """
    centred = torch.from_numpy(np.asarray(points, dtype=np.float64))
    centred = centred - centred.mean(0)
    _, sizes, rows = torch.linalg.svd(centred, full_matrices=False)  # (R,), (R, D)
    signs = torch.sign(rows.gather(1, rows.abs().argmax(1, keepdim=True)))  # (R, 1)
    axes, shares = np.zeros((2, rows.shape[1])), np.zeros(2)
    count = min(2, len(sizes))
    axes[:count] = (rows * signs)[:count].numpy()
    if (total := float((sizes**2).sum())) > 0:
        shares[:count] = (sizes[:count] ** 2 / total).numpy()
    return axes, shares


def principal_components(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return positions on the first two principal axes (N, 2), and the share of the variance of each axis (2,)."""
    axes, shares = principal_axes(points)
    return places_on(points, axes), shares


def places_on(points: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Project the points, minus their mean, on two axes (2, D): (N, 2), in float64."""
    rows = np.asarray(points, dtype=np.float64)
    return (rows - rows.mean(0)) @ axes.T


def turned_towards(axes: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Return axes of the same plane (2, D), rotated or mirrored within it to be as near as possible to `before`.

    The orthogonal Procrustes problem (Schönemann 1966): the R that makes ‖R · axes − before‖ smallest.
    """
    u, _, v = np.linalg.svd(before @ axes.T)  # (2, 2) each
    return u @ v @ axes


def neighbour_map(points: np.ndarray) -> np.ndarray:
    """Place points on a plane by exact t-SNE (van der Maaten & Hinton 2008), which keeps neighbours together: (N, 2).

    It starts from the principal components, so that equal input gives equal positions. Fewer than 4 points are not
    moved from there.

    points (N, D): the vectors.
    """
    places = principal_components(points)[0]
    count = len(points)
    if count < 4:
        return places
    wanted = affinities(points, min(PERPLEXITY, (count - 1) / 3))
    places = places * (1e-2 / max(float(places.std()), 1e-12))
    moved, gains = np.zeros_like(places), np.ones_like(places)
    for step in range(ROUNDS):
        early = step < EXAGGERATED_ROUNDS
        slope = _slope(wanted * (EXAGGERATION_FACTOR if early else 1.0), places)
        gains = np.maximum(np.where(np.sign(slope) == np.sign(moved), gains * 0.8, gains + 0.2), 0.01)
        moved = (0.5 if early else 0.8) * moved - RATE * gains * slope
        places = places + moved
        places = places - places.mean(0)
    return places


def affinities(points: np.ndarray, perplexity: float) -> np.ndarray:
    """Return p_ij (N, N), which sum to 1: Gaussian neighbourhoods of equal perplexity, symmetrised (equation 1)."""
    apart = squared_distances(points)
    rows = np.stack([_neighbourhood(np.delete(row, i), np.log(perplexity)) for i, row in enumerate(apart)])
    full = np.zeros_like(apart)
    full[~np.eye(len(apart), dtype=bool)] = rows.ravel()
    return (full + full.T) / (2 * len(apart))


def squared_distances(points: np.ndarray) -> np.ndarray:
    """Return ‖x_i − x_j‖², (N, N)."""
    rows = np.asarray(points, dtype=np.float64)
    squares = (rows**2).sum(1)
    return np.maximum(squares[:, None] + squares - 2 * rows @ rows.T, 0.0)


def kept_neighbours(points: np.ndarray, places: np.ndarray, count: int) -> float:
    """Return the mean share of a point's `count` nearest neighbours that are among its nearest on the map too."""
    near, drawn = (_nearest_of_each(positions, count) for positions in (points, places))
    return float(np.mean([len(set(a) & set(b)) / count for a, b in zip(near, drawn, strict=True)]))


def alike(points: np.ndarray) -> np.ndarray:
    """Return the cosine of every pair, (N, N)."""
    rows = unit_rows(np.asarray(points, dtype=np.float64))
    return np.clip(rows @ rows.T, -1.0, 1.0)


def _nearest_of_each(points: np.ndarray, count: int) -> np.ndarray:
    apart = squared_distances(points)
    np.fill_diagonal(apart, np.inf)
    return np.argsort(apart, axis=1, kind="stable")[:, :count]


def _neighbourhood(apart: np.ndarray, entropy: float) -> np.ndarray:
    """Return exp(−β d²) divided by its sum, with the β that gives this entropy in nats, found by bisection."""
    apart = apart - apart.min()
    low, high, beta = 0.0, np.inf, 1.0
    for _ in range(HALVINGS):
        weights = np.exp(-beta * apart)
        shares = weights / weights.sum()
        current = float(np.log(weights.sum()) + beta * (shares * apart).sum())
        low, high = (beta, high) if current > entropy else (low, beta)
        beta = 2 * beta if high == np.inf else (low + high) / 2
    return shares


def _slope(wanted: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the gradient of the divergence of p from q, (N, 2), equation 5."""
    close = 1 / (1 + squared_distances(places))
    np.fill_diagonal(close, 0.0)
    pull = (wanted - np.maximum(close / close.sum(), MIN_PROBABILITY)) * close
    return 4 * (pull.sum(1)[:, None] * places - pull @ places)
