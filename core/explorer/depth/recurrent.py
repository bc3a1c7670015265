"""A plain recurrent net and one with a gate, through time: the gradient of the last state in each earlier one."""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.model.layers import initialise
from core.model.recurrent import GRUCell

UNITS, MOST_STEPS = 32, 100


@dataclass(frozen=True, eq=False)
class ThroughTime:
    """Norms of the gradient of g · h_T in h_0 … h_T, for a random g of length 1: arrays (T + 1,), of the plain net and
    of the gated one; keeps: the mean of the update gate z, the share of the old state that is kept."""

    plain: np.ndarray
    gated: np.ndarray
    keeps: float


def through_time(ids: tuple[int, ...], steps: int, radius: float, bias: float, size: float, seed: int) -> ThroughTime:
    """Both nets read the tokens, from the first again where they are fewer than the steps.

    The plain net is h ← tanh(W h + x) (Elman 1990), with W of this spectral radius and x a random row for each piece,
    of numbers with this deviation. The gated one is the project's GRU cell with the same W and x in its candidate, and
    `bias` added to its update gate z.
    """
    generator = torch.Generator().manual_seed(seed)
    w = _recurrent_matrix(radius, generator).double()  # float64 holds what float32 would round to 0
    pieces = sorted(set(ids))
    rows = torch.randn(len(pieces), UNITS, generator=generator).double() * size
    read = rows[[pieces.index(ids[step % len(ids)]) for step in range(steps)]]  # (T, U)
    last = torch.randn(UNITS, generator=generator).double()
    cell = _gated(w, bias, seed)
    start = torch.zeros(1, UNITS, dtype=torch.float64)
    with torch.enable_grad():
        plain = [start.clone().requires_grad_()]
        gated = [start.clone().requires_grad_()]
        for x in read:
            plain.append(torch.tanh(plain[-1] @ w.T + x))
            gated.append(cell(torch.cat([x.new_zeros(2 * UNITS), x])[None], gated[-1]))
        last = last / last.norm()
        return ThroughTime(_gradients(plain, last), _gradients(gated, last), _kept(cell, gated))


def _recurrent_matrix(radius: float, generator: torch.Generator) -> Tensor:
    """(U, U) normal numbers, brought to a spectral radius."""
    w = torch.randn(UNITS, UNITS, generator=generator)
    return w * (radius / torch.linalg.eigvals(w).abs().max())


def _gated(w: Tensor, bias: float, seed: int) -> GRUCell:
    """A cell whose candidate has W, whose gates are random, and whose update gate has this bias."""
    cell = GRUCell(UNITS, UNITS).requires_grad_(False)
    initialise(cell, seed)
    cell.double()
    cell.u.weight[2 * UNITS :] = w
    cell.u.bias[UNITS : 2 * UNITS] = bias
    return cell


def _gradients(states: list[Tensor], last: Tensor) -> np.ndarray:
    found = torch.autograd.grad((states[-1] * last).sum(), states)
    return np.array([each.double().norm().item() for each in found])


def _kept(cell: GRUCell, states: list[Tensor]) -> float:
    """The mean of z over all steps and units; the gates see no x here."""
    before = torch.cat(states[:-1]).detach()
    _, z, _ = cell.u(before).chunk(3, dim=-1)
    return float(torch.sigmoid(z).mean())
