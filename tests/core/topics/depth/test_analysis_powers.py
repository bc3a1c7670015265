"""Powers of a matrix and the power method, against torch.linalg and cases worked by hand."""

import math

import numpy as np
import pytest
import torch

from core.topics.depth.analysis.powers import (
    COMPLEX_ANGLE,
    MatrixSpectrum,
    dominant_space,
    eigen,
    matrix_of,
    power_method,
    power_norms,
)

PLAIN = MatrixSpectrum(5, 0.8, 0.5, seed=3)


@pytest.mark.parametrize("spectrum", [PLAIN, MatrixSpectrum(2, 1.5, -0.4, 0), MatrixSpectrum(12, 1.0, 0.9, 1)])
def test_the_matrix_has_the_eigenvalues_that_were_asked_for(spectrum: MatrixSpectrum) -> None:
    sizes = torch.linalg.eigvals(torch.from_numpy(matrix_of(spectrum))).abs().sort(descending=True).values
    assert sizes[0] == pytest.approx(spectrum.dominant) and sizes[1] == pytest.approx(
        abs(spectrum.ratio * spectrum.dominant)
    )
    assert (sizes[2:] < sizes[1]).all()


def test_a_complex_pair_turns() -> None:
    found = eigen(matrix_of(MatrixSpectrum(4, 0.9, 0.6, 0, turning=True)))
    assert found.turns and (found.leaders, found.dominant, found.rate) == (2, 1, 1.0)
    assert abs(found.values[0]) == pytest.approx(0.9) and abs(np.angle(found.values[0])) == pytest.approx(COMPLEX_ANGLE)


def test_the_spectral_norms_of_powers_are_torch_s() -> None:
    matrix = matrix_of(PLAIN)
    expected = [
        torch.linalg.matrix_norm(torch.linalg.matrix_power(torch.from_numpy(matrix), k), 2).item() for k in range(9)
    ]
    np.testing.assert_allclose(power_norms(matrix, 8), expected, rtol=1e-9)


def test_two_steps_worked_by_hand() -> None:
    """A = diag(2, 1) from x = (a, b): after k steps the direction is (2^k a, b), so tan of the angle halves."""
    matrix = np.diag([2.0, 1.0])
    found = power_method(matrix, 3, seed=0)
    tangents = np.tan(found.angles)
    np.testing.assert_allclose(tangents[1:] / tangents[:-1], 0.5)
    a, b = found.vectors[1]
    assert found.quotients[1] == pytest.approx(2 * a**2 + b**2) and a**2 + b**2 == pytest.approx(1)
    assert math.isnan(found.turns[0]) and found.turns[1] == pytest.approx(found.angles[0] - found.angles[1])


@pytest.mark.parametrize("seed", range(3))
def test_it_converges_on_the_eigenvector_that_torch_finds_at_the_rate_of_the_second(seed: int) -> None:
    matrix = matrix_of(MatrixSpectrum(6, 1.2, 0.7, seed))
    found = power_method(matrix, 40, seed)
    values, vectors = torch.linalg.eig(torch.from_numpy(matrix))
    top = int(values.abs().argmax())
    leading = (vectors[:, top] / vectors[:, top].norm()).real.numpy()
    assert abs(found.vectors[-1] @ leading) == pytest.approx(1, abs=1e-10)
    assert found.quotients[-1] == pytest.approx(values[top].real.item(), abs=1e-5)
    assert found.angles[40] / found.angles[39] == pytest.approx(0.7, rel=1e-3) and eigen(matrix).rate == pytest.approx(
        0.7
    )


def test_eigenvalues_of_one_size_keep_it_from_a_limit() -> None:
    opposite = matrix_of(MatrixSpectrum(4, 0.9, -1.0, 0))
    found, both = power_method(opposite, 60, 0), eigen(opposite)
    assert (both.leaders, both.dominant, both.rate) == (2, 1, 1.0) and both.values[0].real > 0
    assert found.turns[-1] == pytest.approx(found.turns[-2]) and found.turns[-1] > 0.1
    np.testing.assert_allclose(found.vectors[-1], found.vectors[-3], atol=1e-6)
    turned = power_method(matrix_of(MatrixSpectrum(4, 0.9, 0.6, 0, turning=True)), 60, 0)
    assert turned.turns[-1] > 0.1 and turned.angles[-1] < 1e-9  # it lies in the plane of the pair, and turns in it


def test_of_a_double_eigenvalue_any_vector_of_the_plane_is_a_limit() -> None:
    matrix = matrix_of(MatrixSpectrum(4, 0.9, 1.0, 0))
    assert eigen(matrix).dominant == 2 and dominant_space(eigen(matrix)).shape == (4, 2)
    ends = [power_method(matrix, 60, seed).vectors[-1] for seed in (1, 2)]
    for end in ends:
        np.testing.assert_allclose(matrix @ end, 0.9 * end, atol=1e-9)
    assert abs(ends[0] @ ends[1]) < 0.99
