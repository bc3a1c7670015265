"""A plain recurrent network and a gated one through time: the gradient of the last state in each earlier state."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from core.model.layers import initialise
from core.model.recurrent import GRUCell
from core.topics.depth.curves import Curve, norm_curve
from core.topics.depth.matrices import MEASURED, THEORY

UNITS, MOST_STEPS = 32, 100
PLAIN_NET, GATED_NET = "plain net, tanh", "with a gate (GRU)"


@dataclass(frozen=True, eq=False)
class ThroughTime:
    """The norms of gradients through time, in a plain recurrent network and in a gated one.

    plain, gated (T + 1,): norms of the gradient of g · h_T with respect to each state h_0 … h_T, for a random g of
        length 1.
    keeps: the mean of the gated network's update gate z, the share of the old state that it keeps.
    """

    plain: np.ndarray
    gated: np.ndarray
    keeps: float


def through_time(ids: tuple[int, ...], steps: int, radius: float, bias: float, size: float, seed: int) -> ThroughTime:
    """Run a plain recurrent network and a gated one over the tokens, and return the gradients of their last states.

    The plain network is h ← tanh(W h + x) (Elman 1990). The gated one is the project's GRU cell with the same W and x
    in its candidate.

    ids: the tokens; they repeat if there are fewer than `steps`.
    steps: number of tokens that each network reads, T.
    radius: the spectral radius of W.
    bias: added to the update gate z of the gated network.
    size: the standard deviation of the numbers in x, a random row for each piece.
    """
    generator = torch.Generator().manual_seed(seed)
    w = _recurrent_matrix(radius, generator).double()  # float64 holds numbers that float32 would round to 0
    pieces = sorted(set(ids))
    rows = torch.randn(len(pieces), UNITS, generator=generator).double() * size
    inputs = rows[[pieces.index(ids[step % len(ids)]) for step in range(steps)]]  # (T, U)
    last = torch.randn(UNITS, generator=generator).double()
    cell = _gated(w, bias, seed)
    start = torch.zeros(1, UNITS, dtype=torch.float64)
    with torch.enable_grad():
        plain = [start.clone().requires_grad_()]
        gated = [start.clone().requires_grad_()]
        for x in inputs:
            plain.append(torch.tanh(plain[-1] @ w.T + x))
            gated.append(cell(torch.cat([x.new_zeros(2 * UNITS), x])[None], gated[-1]))
        last = last / last.norm()
        return ThroughTime(_gradients(plain, last), _gradients(gated, last), _kept(cell, gated))


def time_curves(measurements: Sequence[ThroughTime]) -> list[Curve]:
    """Return the geometric mean over the seeds of the norms in both networks, as curves.

    measurements: one for each seed.
    """
    return [
        norm_curve(PLAIN_NET, MEASURED, np.stack([each.plain for each in measurements])),
        norm_curve(GATED_NET, MEASURED, np.stack([each.gated for each in measurements])),
    ]


def radius_curve(name: str, radius: float, steps: int) -> Curve:
    """Return the powers of a spectral radius, one for each number of steps that are left, under this name."""
    return norm_curve(name, THEORY, radius ** np.arange(steps, -1.0, -1.0)[None])


def _recurrent_matrix(radius: float, generator: torch.Generator) -> Tensor:
    """Return a matrix (U, U) of normal numbers, scaled to a spectral radius."""
    w = torch.randn(UNITS, UNITS, generator=generator)
    return w * (radius / torch.linalg.eigvals(w).abs().max())


def _gated(w: Tensor, bias: float, seed: int) -> GRUCell:
    """Return a cell whose candidate has W, whose gates are random, and whose update gate has this bias."""
    cell = GRUCell(UNITS, UNITS).requires_grad_(False)
    initialise(cell, seed)
    cell.double()
    cell.u.weight[2 * UNITS :] = w
    cell.u.bias[UNITS : 2 * UNITS] = bias
    return cell


def _gradients(states: list[Tensor], last: Tensor) -> np.ndarray:
    gradients = torch.autograd.grad((states[-1] * last).sum(), states)
    return np.array([gradient.double().norm().item() for gradient in gradients])


def _kept(cell: GRUCell, states: list[Tensor]) -> float:
    """Return the mean of z over all steps and units; the gates do not depend on x here."""
    before = torch.cat(states[:-1]).detach()
    _, z, _ = cell.u(before).chunk(3, dim=-1)
    return float(torch.sigmoid(z).mean())
