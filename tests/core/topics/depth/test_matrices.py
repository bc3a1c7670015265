"""What the views of matrices and of recurrent nets are given: against their theory, torch's own cell, and by hand."""

import numpy as np
import pytest
import torch
from torch import nn

from core.topics.depth.curves import curves_table
from core.topics.depth.matrices import MOST_POWER, MatrixSpectrum, powers, run_power_method
from core.topics.depth.recurrent import UNITS, _gated, _recurrent_matrix, through_time

IDS = (7, 4, 7, 9)


def test_every_power_s_norm_stays_within_a_factor_of_theory() -> None:
    found = powers(MatrixSpectrum(4, 0.7, 0.6, 0), 12)
    assert [curve.group for curve in found.norms[::2]] == [
        "A",
        *(f"|λ₁| = {x}" for x in ("0.9", "1", "1.1")),
    ]
    for measured, theory in zip(found.norms[::2], found.norms[1::2], strict=True):
        ratios = measured.middle / theory.middle
        assert ratios[0] == pytest.approx(1) and ratios[-1] == pytest.approx(ratios[-2], rel=1e-6) and ratios[-1] < 2
    assert [curve.middle[10] for curve in found.norms[1::2]] == pytest.approx([0.7**10, 0.9**10, 1, 1.1**10])
    assert found.stretch == pytest.approx(np.linalg.norm(found.power, 2)) and found.expected == pytest.approx(0.7**12)
    first, second, *_ = np.linalg.svd(found.power)[1]
    assert found.flat == pytest.approx(second / first)
    values, rows, columns = curves_table(found.norms, "k =")
    assert values.shape == (8, MOST_POWER + 1) and len(rows) == 8 and columns[-1] == f"k = {MOST_POWER}"


def test_the_method_s_table_and_theory() -> None:
    found = run_power_method(MatrixSpectrum(5, 0.9, 0.5, 2))
    values, rows, _ = found.table
    assert np.isnan(values[0, 1]) and values[12, 1] == pytest.approx(0.5, rel=1e-2) and rows[12] == "12"
    angle, theory, _ = found.curves()
    assert theory.middle[10] == pytest.approx(angle.middle[0] * 0.5**10)
    assert np.hypot(*found.plane[20]) == pytest.approx(1, abs=1e-4) and abs(found.plane[20, 0]) > 0.999


def test_without_inputs_the_plain_net_is_a_power_of_its_matrix() -> None:
    found = through_time(IDS, 6, 1.3, 0.0, 0.0, seed=5)
    generator = torch.Generator().manual_seed(5)
    w = torch.randn(UNITS, UNITS, generator=generator)
    w = (w * (1.3 / torch.linalg.eigvals(w).abs().max())).double()
    torch.randn(3, UNITS, generator=generator)
    g = torch.randn(UNITS, generator=generator).double()
    g = g / g.norm()
    expected = [(torch.linalg.matrix_power(w.T, 6 - t) @ g).norm().item() for t in range(7)]
    np.testing.assert_allclose(found.plain, expected, rtol=1e-4)


def test_the_plain_net_s_gradient_is_the_product_of_its_jacobians() -> None:
    found = through_time(IDS, 5, 1.1, 0.0, 0.8, seed=2)
    generator = torch.Generator().manual_seed(2)
    w = torch.randn(UNITS, UNITS, generator=generator)
    w = w * (1.1 / torch.linalg.eigvals(w).abs().max())
    rows = torch.randn(3, UNITS, generator=generator) * 0.8  # of the pieces 4, 7 and 9
    g = torch.randn(UNITS, generator=generator)
    states = [torch.zeros(UNITS)]
    for piece in (1, 0, 1, 2, 1):
        states.append(torch.tanh(w @ states[-1] + rows[piece]))
    gradient, norms = g / g.norm(), [1.0]
    for state in states[:0:-1]:
        gradient = w.T @ ((1 - state**2) * gradient)
        norms.append(gradient.norm().item())
    np.testing.assert_allclose(found.plain, norms[::-1], rtol=1e-4)


def test_the_gated_net_is_torch_s_own_cell() -> None:
    """The same weights in nn.GRUCell, and its own backward pass."""
    found = through_time(IDS, 4, 0.9, 2.0, 0.5, seed=1)
    generator = torch.Generator().manual_seed(1)
    ours, theirs = _gated(_recurrent_matrix(0.9, generator), 2.0, 1), nn.GRUCell(UNITS, UNITS)
    with torch.no_grad():
        theirs.weight_hh.copy_(ours.u.weight)
        theirs.bias_hh.copy_(ours.u.bias)
        theirs.bias_ih.zero_()
        theirs.weight_ih.zero_()
        theirs.weight_ih[2 * UNITS :] = torch.eye(UNITS)
    rows = torch.randn(3, UNITS, generator=generator) * 0.5
    g = torch.randn(UNITS, generator=generator)
    states = [torch.zeros(1, UNITS, requires_grad=True)]
    for piece in (1, 0, 1, 2):
        states.append(theirs(rows[[piece]], states[-1]))
        states[-1].retain_grad()
    (states[-1][0] @ (g / g.norm())).backward()
    left = [each.grad.norm().item() for each in states if each.grad is not None]
    np.testing.assert_allclose(found.gated, left, rtol=1e-4)


def test_a_higher_bias_keeps_more_of_the_state_and_of_the_gradient() -> None:
    less, more = (through_time(IDS, 30, 0.9, bias, 0.3, seed=0) for bias in (0.0, 5.0))
    assert less.keeps == pytest.approx(0.5, abs=0.05) and more.keeps > 0.99
    assert more.gated[0] > 0.5 > 1e3 * less.gated[0] and less.plain[0] == more.plain[0]
