"""Powers of a matrix with chosen eigenvalues, and the power method, all in float64.

von Mises & Pollaczek-Geiringer 1929; Golub & Van Loan, Matrix Computations, section 7.3.1.
Shapes: n rows and columns, K steps.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch

COMPLEX_ANGLE = math.radians(40)  # the angle of a dominant pair of complex eigenvalues
COUPLING = 0.6  # how far the eigenvectors are from right angles
SIZE_TOLERANCE = 1e-9  # relative: eigenvalues that differ by less have the same size


@dataclass(frozen=True)
class MatrixSpectrum:
    """The eigenvalues from which a matrix is made.

    dominant: the dominant eigenvalue.
    ratio: the second eigenvalue divided by the dominant one.
    seed: the seed from which the rest is drawn; no other eigenvalue is larger than the second.
    turning: whether the first two are a complex pair of the dominant one's size.
    """

    size: int
    dominant: float
    ratio: float
    seed: int
    turning: bool = False


@dataclass(frozen=True, eq=False)
class Eigen:
    """The eigenvalues and eigenvectors found by torch.linalg.eig.

    values (n,): the eigenvalues, complex, the largest first, and among equal sizes the positive ones first.
    vectors (n, n): the eigenvectors, in columns.
    """

    values: np.ndarray
    vectors: np.ndarray

    @property
    def turns(self) -> bool:
        """Whether the first two eigenvalues are a complex pair, so that the matrix rotates a plane."""
        return bool(abs(self.values[0].imag) > SIZE_TOLERANCE * abs(self.values[0]))

    @property
    def leaders(self) -> int:
        """The number of eigenvalues with the largest absolute value."""
        sizes = np.abs(self.values)
        return int((sizes >= sizes[0] * (1 - SIZE_TOLERANCE)).sum())

    @property
    def dominant(self) -> int:
        """The number of eigenvalues that are equal to the first."""
        near = np.abs(self.values - self.values[0]) <= SIZE_TOLERANCE * np.abs(self.values[0])
        return int(near.sum())

    @property
    def rate(self) -> float:
        """The factor by which the power method's error shrinks in a step.

        It is the size of the next eigenvalue over that of the first, and 1 if another eigenvalue of the same size
        prevents convergence.
        """
        if self.leaders > self.dominant:
            return 1.0
        rest = np.abs(self.values[self.dominant :])
        return float(rest.max(initial=0.0) / np.abs(self.values[0]))


@dataclass(frozen=True, eq=False)
class Iterates:
    """The iterates of the power method, step by step from 0.

    vectors (K + 1, n): the iterates, scaled to length 1.
    angles (K + 1,): the angle from each of them to the space of the dominant eigenvalue, from 0 to π/2.
    turns (K + 1,): the angle to the step before, from 0 to π/2; NaN at first.
    quotients (K + 1,): Rayleigh's quotient xᵀ A x.
    """

    vectors: np.ndarray
    angles: np.ndarray
    turns: np.ndarray
    quotients: np.ndarray


def matrix_of(spectrum: MatrixSpectrum) -> np.ndarray:
    """Return the matrix S B S⁻¹ with these eigenvalues, (n, n).

    B holds the eigenvalues on its diagonal, a pair as a turned 2 × 2 block; S is Q (I + U), an orthogonal matrix times
    a triangular one, so that the eigenvectors are not at right angles.
    """
    rng, n, top = np.random.default_rng(spectrum.seed), spectrum.size, spectrum.dominant
    q, _ = np.linalg.qr(rng.standard_normal((n, n)))
    upper = np.triu(rng.uniform(-1, 1, (n, n)), 1) * COUPLING / math.sqrt(n)
    basis = q @ (np.eye(n) + upper)
    second = spectrum.ratio * top
    inner = np.diag(np.concatenate([[top, second], rng.uniform(-0.8, 0.8, n - 2) * second]))
    if spectrum.turning:
        cos, sin = math.cos(COMPLEX_ANGLE), math.sin(COMPLEX_ANGLE)
        inner[:2, :2] = top * np.array([[cos, -sin], [sin, cos]])
    return basis @ inner @ np.linalg.inv(basis)


def eigen(matrix: np.ndarray) -> Eigen:
    """Return the eigenvalues and eigenvectors of a matrix, by torch.linalg.eig."""
    values, vectors = (tensor.numpy() for tensor in torch.linalg.eig(torch.from_numpy(matrix)))
    sizes = np.round(np.abs(values) / np.abs(values).max(), 9)
    order = np.lexsort((-values.real, -sizes))
    return Eigen(values[order], vectors[:, order])


def power_norms(matrix: np.ndarray, steps: int) -> np.ndarray:
    """Return the spectral norms of A⁰, A¹, … A^K, (K + 1,): how far each power can stretch a vector."""
    powers = [np.eye(len(matrix))]
    for _ in range(steps):
        powers.append(powers[-1] @ matrix)
    return np.linalg.norm(powers, 2, axis=(1, 2))


def power_method(matrix: np.ndarray, steps: int, seed: int) -> Iterates:
    """Iterate x ← A x ÷ ‖A x‖ from a random start.

    The dominant eigenvalue must not be 0.
    """
    x = np.random.default_rng(seed).standard_normal(len(matrix))
    vectors = [x / np.linalg.norm(x)]
    for _ in range(steps):
        x = matrix @ vectors[-1]
        vectors.append(x / np.linalg.norm(x))
    iterates = np.array(vectors)
    basis = dominant_space(eigen(matrix))
    turns = np.array([np.nan, *(_angle(x, before[:, None]) for before, x in pairwise(iterates))])
    angles = np.array([_angle(x, basis) for x in iterates])
    return Iterates(iterates, angles, turns, np.einsum("ki,ij,kj->k", iterates, matrix, iterates))


def dominant_space(eigenpairs: Eigen) -> np.ndarray:
    """Return an orthonormal basis of the eigenvectors of the dominant eigenvalue, (n, m).

    For a complex eigenvalue it is a basis of the plane in which its pair turns.
    """
    chosen = eigenpairs.vectors[:, : eigenpairs.dominant]
    u, sizes, _ = np.linalg.svd(np.concatenate([chosen.real, chosen.imag], axis=1), full_matrices=False)
    return u[:, sizes > SIZE_TOLERANCE]


def plane_of(eigenpairs: Eigen) -> np.ndarray:
    """Return an orthonormal basis (n, 2) of the plane spanned by the first two eigenvectors.

    The first eigenvector lies along the first axis. For a complex pair it is the plane in which the pair rotates.
    """
    first, second = eigenpairs.vectors[:, 0], eigenpairs.vectors[:, 1]
    pair = [first.real, first.imag] if eigenpairs.turns else [first.real, second.real]
    q, r = np.linalg.qr(np.stack(pair, 1))
    return q * np.where(np.diag(r) < 0, -1.0, 1.0)


def _angle(x: np.ndarray, basis: np.ndarray) -> float:
    """Return the angle between a vector (n,) and the span of an orthonormal basis (n, m), 0 to π/2; exact near 0."""
    inside = basis @ (basis.T @ x)
    return math.atan2(float(np.linalg.norm(x - inside)), float(np.linalg.norm(inside)))
