"""The optimizer and one step of training, the same for the models that are shipped and those that a visitor trains."""

import math
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from inspect import unwrap

import torch
from torch import Tensor, nn
from torch.optim import AdamW, Optimizer

BETAS, EPS = (0.9, 0.98), 1e-9  # as for the first transformer (Vaswani et al. 2017, section 5.3)


class NotFinite(ArithmeticError):
    """The error for a loss or a gradient that is infinite or not a number."""


class LightAdamW(AdamW):
    """AdamW without PyTorch's compiler, which the first optimizer of a process imports: 70 MiB of a server's memory.

    PyTorch wraps some of its methods, only to keep them out of code that is compiled. Here the methods inside these
    wrappers are called, so the numbers are the same to the last bit.
    """

    add_param_group = unwrap(AdamW.add_param_group)
    zero_grad = unwrap(AdamW.zero_grad)
    step = torch.no_grad()(unwrap(AdamW.step))


def make_optimizer(
    objective: nn.Module, weight_decay: float = 0.0, betas: tuple[float, float] = BETAS, eps: float = EPS
) -> Optimizer:
    """Return AdamW (Loshchilov & Hutter 2019), with weight decay on matrices but not on gains and biases.

    Without weight decay it is Adam.
    """
    matrices = [p for p in objective.parameters() if p.dim() > 1]
    others = [p for p in objective.parameters() if p.dim() <= 1]
    groups = [{"params": matrices, "weight_decay": weight_decay}, {"params": others, "weight_decay": 0.0}]
    return LightAdamW([group for group in groups if group["params"]], betas=betas, eps=eps, fused=True)


def train_step(
    objective: nn.Module,
    optimizer: Optimizer,
    rows: Mapping[str, Tensor],
    lr: float,
    *,
    weight: float = 1.0,
    clip: float = 1.0,
    autocast: AbstractContextManager[None] | None = None,
    must_be_finite: bool = False,
) -> Tensor:
    """Take one step of the optimizer against the gradient of the loss; return the loss before it, a scalar.

    objective: gives the summed loss of the rows.
    lr: the learning rate of this step.
    weight: multiplies the loss, such as one divided by the number of predictions.
    clip: the largest norm of the gradient; 0 for no bound.
    autocast: the number format of the forward pass.
    must_be_finite: whether the loss and the norm of the gradient are checked, which on a GPU waits for them.

    Raises NotFinite, before any weight is changed, if they must be finite and are not.
    """
    for group in optimizer.param_groups:
        group["lr"] = lr
    optimizer.zero_grad(set_to_none=True)
    with autocast or nullcontext():
        loss: Tensor = objective(**rows) * weight
    loss.backward()
    if clip or must_be_finite:
        norm = nn.utils.clip_grad_norm_(objective.parameters(), clip or math.inf)
        if must_be_finite and not (loss.isfinite() and norm.isfinite()):
            raise NotFinite
    optimizer.step()
    return loss.detach()
