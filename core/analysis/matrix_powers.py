"""Powers of a matrix with chosen eigenvalues, and the power method (von Mises & Pollaczek-Geiringer 1929; Golub & Van
Loan, Matrix Computations, section 7.3.1). All in float64.

Shapes: n rows and columns, K steps.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch

TURN = math.radians(40)  # of a dominant pair of complex eigenvalues
COUPLING = 0.6  # how far the eigenvectors are from right angles
SAME = 1e-9  # relative: eigenvalues that differ by less have the same size


@dataclass(frozen=True)
class Spectrum:
    """A matrix by its eigenvalues: the dominant one, the second over it, and from which seed the rest is drawn, none of
    them larger than the second. turning: the first two are a complex pair of the dominant one's size."""

    size: int
    dominant: float
    ratio: float
    seed: int
    turning: bool = False


@dataclass(frozen=True, eq=False)
class Eigen:
    """What torch.linalg.eig finds: values (n,), complex, the largest first, and of one size the positive first; vectors
    (n, n), in columns."""

    values: np.ndarray
    vectors: np.ndarray

    @property
    def turns(self) -> bool:
        """Whether the first two are a complex pair."""
        return bool(abs(self.values[0].imag) > SAME * abs(self.values[0]))

    @property
    def leaders(self) -> int:
        """How many eigenvalues have the largest size."""
        sizes = np.abs(self.values)
        return int((sizes >= sizes[0] * (1 - SAME)).sum())

    @property
    def dominant(self) -> int:
        """How many of them are the same number as the first."""
        near = np.abs(self.values - self.values[0]) <= SAME * np.abs(self.values[0])
        return int(near.sum())

    @property
    def rate(self) -> float:
        """By what the power method's error shrinks a step: the size of the next eigenvalue over that of the first; 1
        where another one of the same size keeps it from converging."""
        if self.leaders > self.dominant:
            return 1.0
        rest = np.abs(self.values[self.dominant :])
        return float(rest.max(initial=0.0) / np.abs(self.values[0]))


@dataclass(frozen=True, eq=False)
class Iterates:
    """The power method, step by step from 0: vectors (K + 1, n) of length 1; angles (K + 1,) to the space of the
    dominant eigenvalue; turns (K + 1,), the angle to the step before, NaN at first; both from 0 to π/2. quotients
    (K + 1,): Rayleigh's xᵀ A x."""

    vectors: np.ndarray
    angles: np.ndarray
    turns: np.ndarray
    quotients: np.ndarray


def matrix_of(spectrum: Spectrum) -> np.ndarray:
    """(n, n) S B S⁻¹: B holds the eigenvalues on its diagonal, a pair as a turned 2 × 2 block; S is Q (I + U), an
    orthogonal matrix times a triangular one, so that the eigenvectors are not at right angles."""
    rng, n, top = np.random.default_rng(spectrum.seed), spectrum.size, spectrum.dominant
    q, _ = np.linalg.qr(rng.standard_normal((n, n)))
    upper = np.triu(rng.uniform(-1, 1, (n, n)), 1) * COUPLING / math.sqrt(n)
    basis = q @ (np.eye(n) + upper)
    second = spectrum.ratio * top
    inner = np.diag(np.concatenate([[top, second], rng.uniform(-0.8, 0.8, n - 2) * second]))
    if spectrum.turning:
        cos, sin = math.cos(TURN), math.sin(TURN)
        inner[:2, :2] = top * np.array([[cos, -sin], [sin, cos]])
    return basis @ inner @ np.linalg.inv(basis)


def eigen(matrix: np.ndarray) -> Eigen:
    """Its eigenvalues and eigenvectors, by torch.linalg.eig."""
    values, vectors = (each.numpy() for each in torch.linalg.eig(torch.from_numpy(matrix)))
    sizes = np.round(np.abs(values) / np.abs(values).max(), 9)
    order = np.lexsort((-values.real, -sizes))
    return Eigen(values[order], vectors[:, order])


def power_norms(matrix: np.ndarray, steps: int) -> np.ndarray:
    """(K + 1,) the spectral norm of A⁰, A¹, … A^K: how far the power can stretch a vector."""
    powers = [np.eye(len(matrix))]
    for _ in range(steps):
        powers.append(powers[-1] @ matrix)
    return np.linalg.norm(powers, 2, axis=(1, 2))


def power_method(matrix: np.ndarray, steps: int, seed: int) -> Iterates:
    """x ← A x ÷ ‖A x‖ from a random start. A matrix whose dominant eigenvalue is 0 is none to try it on."""
    x = np.random.default_rng(seed).standard_normal(len(matrix))
    vectors = [x / np.linalg.norm(x)]
    for _ in range(steps):
        x = matrix @ vectors[-1]
        vectors.append(x / np.linalg.norm(x))
    found = np.array(vectors)
    basis = dominant_space(eigen(matrix))
    turns = np.array([np.nan, *(_angle(x, before[:, None]) for before, x in pairwise(found))])
    angles = np.array([_angle(x, basis) for x in found])
    return Iterates(found, angles, turns, np.einsum("ki,ij,kj->k", found, matrix, found))


def dominant_space(found: Eigen) -> np.ndarray:
    """(n, m) an orthonormal basis of the eigenvectors of the dominant eigenvalue; of a complex one, the plane that its
    pair turns in."""
    chosen = found.vectors[:, : found.dominant]
    u, sizes, _ = np.linalg.svd(np.concatenate([chosen.real, chosen.imag], axis=1), full_matrices=False)
    return u[:, sizes > SAME]


def plane_of(found: Eigen) -> np.ndarray:
    """(n, 2) an orthonormal basis of the plane of the first two eigenvectors, the first of them along its first axis;
    of a complex pair, the plane that it turns in."""
    first, second = found.vectors[:, 0], found.vectors[:, 1]
    pair = [first.real, first.imag] if found.turns else [first.real, second.real]
    q, r = np.linalg.qr(np.stack(pair, 1))
    return q * np.where(np.diag(r) < 0, -1.0, 1.0)


def _angle(x: np.ndarray, basis: np.ndarray) -> float:
    """Between a vector (n,) and the space of an orthonormal basis (n, m), from 0 to π/2; exact near 0."""
    inside = basis @ (basis.T @ x)
    return math.atan2(float(np.linalg.norm(x - inside)), float(np.linalg.norm(inside)))
