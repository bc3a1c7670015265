"""Powers of one matrix, and the power method on it, as the pages show them."""

from dataclasses import dataclass

import numpy as np

from core.topics.depth.analysis.powers import (
    Eigen,
    Iterates,
    MatrixSpectrum,
    eigen,
    matrix_of,
    plane_of,
    power_method,
    power_norms,
)
from core.topics.depth.curves import Curve
from core.topics.shared.labels import Labelled

__all__ = [
    "MEASURED",
    "MOST_POWER",
    "MOST_STEPS",
    "RADIUS_FACTORS",
    "THEORY",
    "MatrixSpectrum",
    "Method",
    "Powers",
    "powers",
    "run_power_method",
]
MOST_POWER, MOST_STEPS = 60, 40
RADIUS_FACTORS = (0.9, 1.0, 1.1)
MEASURED, THEORY = "measured", "theory"
ROUNDING = 1e-15  # smaller angles are rounding errors


@dataclass(frozen=True, eq=False)
class Powers:
    """The powers of a matrix.

    matrix, power (n, n): the matrix and its k-th power.
    norms: the curves for each dominant eigenvalue, measured and by theory.
    stretch, expected: ‖Aᵏ‖ and |λ₁|ᵏ.
    shares (n,): the singular values of Aᵏ divided by the first.
    """

    matrix: np.ndarray
    power: np.ndarray
    norms: tuple[Curve, ...]
    stretch: float
    expected: float
    shares: np.ndarray

    @property
    def flat(self) -> float:
        """The second singular value divided by the first; 0 if all columns are multiples of one vector."""
        return float(self.shares[1])


@dataclass(frozen=True, eq=False)
class Method:
    """The power method on a matrix, with the eigenvectors that torch.linalg finds.

    plane (K + 1, 2): the iterates in the plane of the first two eigenvectors.
    """

    iterates: Iterates
    eigen: Eigen
    plane: np.ndarray

    def factor(self, step: int) -> float:
        """Return the factor by which this step changed the angle to the eigenvector.

        NaN at step 0, and if only rounding is left.
        """
        angles = self.iterates.angles
        return float(angles[step] / angles[step - 1]) if step and angles[step] > ROUNDING else float("nan")

    def curves(self) -> tuple[Curve, ...]:
        """Return the curves of the power method's angles in degrees, step by step.

        They are the angle to the eigenvector as measured, the same in theory (the first angle times the rate of
        convergence, to the power of the step), and the angle to the vector of the step before.
        """
        name = "the pair's plane" if self.eigen.turns else "the eigenvector"
        drawn = [_angles(name, MEASURED, self.iterates.angles)]
        if 0 < self.eigen.rate < 1:
            fall = self.iterates.angles[0] * self.eigen.rate ** np.arange(len(self.plane))
            drawn.append(_angles(name, THEORY, fall))
        return (*drawn, _angles("the step before", MEASURED, self.iterates.turns))

    @property
    def table(self) -> Labelled:
        """A table with a row for each step."""
        steps = range(len(self.plane))
        angles, turns = np.degrees(self.iterates.angles), np.degrees(self.iterates.turns)
        factors = np.array([self.factor(step) for step in steps])
        names = ["angle, degrees", "times the one before", "angle to the step before, degrees", "Rayleigh quotient"]
        columns = np.stack([angles, factors, turns, self.iterates.quotients], 1)
        return Labelled(columns, [str(step) for step in steps], names)


def powers(spectrum: MatrixSpectrum, power: int) -> Powers:
    """Return the powers of the matrix up to `MOST_POWER`, with their norms.

    The norms are also computed for the same matrix with each eigenvalue of RADIUS_FACTORS as the dominant one.

    power: the power that is shown in full.
    """
    matrix = matrix_of(spectrum)
    top = spectrum.dominant
    curves = []
    for dominant, name in ((top, "A"), *((size, f"|λ₁| = {size:g}") for size in RADIUS_FACTORS)):
        norms = power_norms(matrix * (dominant / top), MOST_POWER)
        curves += [_line(name, MEASURED, norms), _line(name, THEORY, dominant ** np.arange(MOST_POWER + 1.0))]
    raised = np.linalg.matrix_power(matrix, power)
    sizes = np.linalg.svd(raised, compute_uv=False)
    return Powers(matrix, raised, tuple(curves), float(sizes[0]), top**power, sizes / sizes[0])


def run_power_method(spectrum: MatrixSpectrum) -> Method:
    """Run the power method for MOST_STEPS steps on the matrix with this spectrum, from a random start."""
    matrix = matrix_of(spectrum)
    iterates, eigenpairs = power_method(matrix, MOST_STEPS, spectrum.seed + 1), eigen(matrix)
    return Method(iterates, eigenpairs, iterates.vectors @ plane_of(eigenpairs))


def _angles(group: str, way: str, radians: np.ndarray) -> Curve:
    """Return a curve of angles in degrees."""
    return _line(group, way, np.degrees(np.where(radians > ROUNDING, radians, 0)))


def _line(group: str, way: str, values: np.ndarray) -> Curve:
    """Return a curve without a spread; values no larger than rounding errors are left out."""
    shown = np.where(values > ROUNDING, values, np.nan)
    none = np.zeros(len(values), int)
    return Curve(group, way, np.arange(len(values)), shown, shown, shown, none, none, 1)
