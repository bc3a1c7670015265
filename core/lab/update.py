"""Take the update of one weight apart: its gradient as a sum over positions, and AdamW's arithmetic.

AdamW (Loshchilov & Hutter 2019, algorithm 2), with the learning rate as the only factor of the decay, as in torch:
m ← β₁ m + (1 − β₁) g;  v ← β₂ v + (1 − β₂) g²;  m̂ = m / (1 − β₁ᵗ);  v̂ = v / (1 − β₂ᵗ);
w ← w − lr · λ · w − lr · m̂ / (√v̂ + ε).
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.lab.run import LabRun, one_thread
from core.lab.task import Rows
from core.model.transformer import Transformer
from core.text.special import PAD

NORM_EPS = 1e-6  # as in torch.nn.utils.clip_grad_norm_


@dataclass(frozen=True)
class AdamW:
    """One step of AdamW on one number, by its parts.

    step: t, counted from 1.
    gradient: g, after clipping.
    m, v: the moments after the step; m_before, v_before: those before it.
    m_hat, v_hat: the moments with their corrections.
    decayed: what the weight decay takes away, lr · λ · old.
    moved: what the gradient takes away, lr · m̂ / (√v̂ + ε).
    """

    step: int
    lr: float
    beta1: float
    beta2: float
    eps: float
    decay: float
    old: float
    gradient: float
    m_before: float
    v_before: float

    @property
    def m(self) -> float:
        return self.beta1 * self.m_before + (1 - self.beta1) * self.gradient

    @property
    def v(self) -> float:
        return self.beta2 * self.v_before + (1 - self.beta2) * self.gradient**2

    @property
    def m_hat(self) -> float:
        return self.m / (1 - self.beta1**self.step)

    @property
    def v_hat(self) -> float:
        return self.v / (1 - self.beta2**self.step)

    @property
    def decayed(self) -> float:
        return self.lr * self.decay * self.old

    @property
    def moved(self) -> float:
        return self.lr * self.m_hat / (self.v_hat**0.5 + self.eps)

    @property
    def new(self) -> float:
        """The weight after the step."""
        return self.old - self.decayed - self.moved


@dataclass(frozen=True, eq=False)
class WeightUpdate:
    """The next update of one weight.

    name, index: the parameter's name, and the index of the weight in it.
    contributions (B, L): what each position of each row adds to the gradient of the mean loss, before clipping. Where
        an encoder-decoder uses the weight in both stacks, L counts the encoder's positions, then the decoder's.
    kept: the share of the gradient that clipping leaves, 1 if its norm is within the bound.
    adam: the step of the optimizer.
    weights, gradients: the weights and gradients of the whole parameter before the update, in its own shape; gradients
        before clipping.
    """

    name: str
    index: tuple[int, ...]
    contributions: np.ndarray
    kept: float
    adam: AdamW
    weights: np.ndarray
    gradients: np.ndarray

    @property
    def gradient(self) -> float:
        """The gradient before clipping: the sum of the contributions."""
        return float(self.contributions.sum(dtype=np.float64))


@dataclass
class LayerCall:
    """One call of a layer in a forward pass.

    read (B, L, …): its input.
    delta (B, L, D): the gradient of the loss in its output; zeros if the loss does not depend on it.
    """

    read: Tensor
    delta: Tensor

    @property
    def nbytes(self) -> int:
        """The bytes of both tensors."""
        return self.read.nbytes + self.delta.nbytes

    def contributions(self, layer: nn.Module, kind: str, index: tuple[int, ...]) -> Tensor:
        """Return what each position (B, L) adds to the gradient of one weight of the layer.

        kind: the name of the parameter in the layer, "weight" or "bias".
        """
        if isinstance(layer, nn.Embedding):
            return self.delta[..., index[1]] * (self.read == index[0])
        delta = self.delta[..., index[0]]
        if kind == "bias":
            return delta
        if isinstance(layer, nn.LayerNorm):
            return delta * F.layer_norm(self.read, self.read.shape[-1:], eps=layer.eps)[..., index[0]]
        return self.product(index)

    def product(self, index: tuple[int, ...]) -> Tensor:
        """Return δ[i] · x[j] at each position (B, L): the gradient of W in y = W x is a sum of outer products."""
        return self.delta[..., index[0]] * self.read[..., index[1]]

    def at_positions(self) -> "LayerCall":
        """Return the same call of an embedding as if it had read the positions in place of the tokens."""
        return LayerCall(torch.arange(self.read.shape[1]).expand_as(self.read), self.delta)


LayerCalls = dict[str, list[LayerCall]]  # by the name of the layer, in the order of the calls


class NextUpdate:
    """The next update of a run, computed but not made: one forward and one backward pass for all weights.

    step: the number of the step.
    rows: the rows that it learns from.
    gradients: the gradients by the names of the parameters, before clipping.
    run: no other thread may use it, because hooks watch the layers of its model meanwhile.
    norm: the norm of the whole gradient before clipping.
    """

    def __init__(self, run: LabRun) -> None:
        self.run = run
        self.step = run.steps + 1
        self.rows: Rows = run.rows(self.step)
        model, batch = run.model, run.batch(self.step)
        with one_thread(), run.random(self.step), watched_layers(model) as self._calls:
            model.train()
            logits = model(batch.get("source"), batch["given"])
            if run.recipe.tied:  # no layer is called: the embedding's table makes the logits
                self._calls["unembed"].append(watched(self._calls["masked_head"][0].read, logits))
            model.train(not run.recipe.dropout)
            asked = batch["gold"] != PAD
            loss = F.cross_entropy(logits[asked], batch["gold"][asked])
            names = [name for name, _ in model.named_parameters()]
            found = torch.autograd.grad(loss, list(model.parameters()), materialize_grads=True)
        self.gradients = dict(zip(names, found, strict=True))
        self.norm = float(torch.stack([grad.norm() for grad in found]).norm())

    @property
    def nbytes(self) -> int:
        """The bytes of its tensors: those of all calls of layers, and the gradients."""
        calls = sum(call.nbytes for of_layer in self._calls.values() for call in of_layer)
        return calls + sum(value.nbytes for value in self.gradients.values())

    def weight(self, name: str, index: tuple[int, ...]) -> WeightUpdate:
        """Return the update of one weight, by the name of its parameter and its index in it.

        Raises ValueError if there is no such weight.
        """
        parameters = dict(self.run.model.named_parameters())
        if name not in parameters:
            raise ValueError(f"There is no weight {name!r} in this model.")
        shape = parameters[name].shape
        if len(index) != len(shape) or not all(0 <= place < size for place, size in zip(index, shape, strict=True)):
            raise ValueError(f"{name} has the shape {tuple(shape)}; {index} is no place in it.")
        bound = self.run.recipe.clip
        kept = min(1.0, bound / (self.norm + NORM_EPS)) if bound else 1.0
        shares = self._contributions(name, index).double().numpy()
        adam = self._adam(name, index, parameters[name], kept)
        weights, gradients = parameters[name].detach().numpy().copy(), self.gradients[name].numpy()
        return WeightUpdate(name, index, shares, kept, adam, weights, gradients)

    def _contributions(self, name: str, index: tuple[int, ...]) -> Tensor:
        """Return what each position adds to the gradient of one weight: (B, L), as in `WeightUpdate`."""
        if name == "positions.weight":  # row i of this table is added to what the embedding gives at position i
            calls = [call.at_positions() for call in self._calls["embed"]]
            return torch.cat([call.contributions(self.run.model.embed, "weight", index) for call in calls], 1)
        layer, _, kind = name.rpartition(".")
        module = self.run.model.get_submodule(layer)
        parts = [call.contributions(module, kind, index) for call in self._calls[layer]]
        if name == "embed.weight" and self.run.recipe.tied:
            parts[-1] = parts[-1] + self._calls["unembed"][0].product(index)
        return torch.cat(parts, 1)

    def _adam(self, name: str, index: tuple[int, ...], parameter: Tensor, kept: float) -> AdamW:
        optimizer = self.run.optimizer
        group = next(group for group in optimizer.param_groups if any(other is parameter for other in group["params"]))
        state = optimizer.state.get(parameter, {})
        m, v = (float(state[key][index]) if key in state else 0.0 for key in ("exp_avg", "exp_avg_sq"))
        beta1, beta2 = group["betas"]
        return AdamW(
            step=self.step,
            lr=self.run.lr(self.step),
            beta1=beta1,
            beta2=beta2,
            eps=group["eps"],
            decay=group["weight_decay"],
            old=float(parameter.detach()[index]),
            gradient=kept * float(self.gradients[name][index]),
            m_before=m,
            v_before=v,
        )


@contextmanager
def watched_layers(model: Transformer) -> Iterator[LayerCalls]:
    """Record each call of a layer with weights during a forward and a backward pass.

    The call recorded as "masked_head" has the encoder's output as its input.
    """
    calls: LayerCalls = defaultdict(list)

    def record(name: str, layer: nn.Module, read: tuple[Tensor, ...], out: Tensor) -> None:
        calls[name].append(watched(read[0], out))

    layers = [(name, layer) for name, layer in model.named_modules() if [*layer.parameters(recurse=False)]]
    watches = [
        layer.register_forward_hook(partial(record, name))
        for name, layer in [*layers, ("masked_head", model.masked_head)]
    ]
    try:
        yield calls
    finally:
        for watch in watches:
            watch.remove()


def watched(read: Tensor, out: Tensor) -> LayerCall:
    """Return a call of a layer that takes the gradient of its output when the pass goes back."""
    call = LayerCall(read.detach(), torch.zeros_like(out))
    out.register_hook(lambda delta: setattr(call, "delta", delta))
    return call
