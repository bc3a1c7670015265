"""One update of one weight, taken apart: its gradient as a sum over positions, and how AdamW makes the new value of it.

AdamW (Loshchilov & Hutter 2019, algorithm 2), with the learning rate as the only factor of the decay, as in torch:
m ← β₁ m + (1 − β₁) g;  v ← β₂ v + (1 − β₂) g²;  m̂ = m / (1 − β₁ᵗ);  v̂ = v / (1 − β₂ᵗ);
w ← w − lr · λ · w − lr · m̂ / (√v̂ + ε).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.lab.run import LabRun, one_thread
from core.lab.task import Rows
from core.model.layers import ACTIVATION
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

    name, index: the parameter's name, and the place of the weight in it.
    contributions (B, L): what each position of each row adds to the gradient of the mean loss, before clipping.
    kept: the share of the gradient that clipping leaves, 1 if its norm is within the bound.
    adam: the step of the optimizer.
    weights, gradients: of the whole parameter before the update, in its own shape; gradients before clipping.
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


class _GraphTap:
    """A tap that keeps each site's tensor with its graph, so that gradients in it can be asked for."""

    def __init__(self, seen: dict[str, Tensor], prefix: str = "") -> None:
        self.seen, self.prefix = seen, prefix

    def __call__(self, name: str, x: Tensor) -> Tensor:
        self.seen[self.prefix + name] = x
        return x

    def touches(self, name: str) -> bool:
        return False

    def scope(self, name: str) -> "_GraphTap":
        return _GraphTap(self.seen, f"{self.prefix}{name}.")


class NextUpdate:
    """The next update of a run, worked out but not made: one forward and one backward pass for all weights.

    step: the number of the step.
    rows: the rows that it learns from.
    norm: the norm of the whole gradient before clipping.
    """

    def __init__(self, run: LabRun) -> None:
        self.run = run
        self.step = run.steps + 1
        self.rows: Rows = run.rows(self.step)
        self._sites: dict[str, Tensor] = {}
        model, batch = run.model, run.batch(self.step)
        with one_thread(), run.random(self.step):
            model.train()
            logits = model(batch.get("source"), batch["given"], tap=_GraphTap(self._sites))
            model.train(not run.recipe.dropout)
            real = batch["gold"] != PAD
            loss = F.cross_entropy(logits[real], batch["gold"][real])
            names = [name for name, _ in model.named_parameters()]
            sites = [name for name, value in self._sites.items() if value.requires_grad]
            wanted = [*model.parameters(), *(self._sites[name] for name in sites)]
            gradients = torch.autograd.grad(loss, wanted, allow_unused=True)
        self.gradients = {
            name: torch.zeros_like(value) if grad is None else grad
            for name, value, grad in zip(names, model.parameters(), gradients, strict=False)
        }
        self._deltas: Mapping[str, Tensor | None] = dict(zip(sites, gradients[len(names) :], strict=True))
        self._sites = {name: value.detach() for name, value in self._sites.items()}
        self.norm = float(torch.stack([grad.norm() for grad in self.gradients.values()]).norm())

    @property
    def nbytes(self) -> int:
        """The bytes of its tensors: those of all sites, and the gradients in sites and in weights."""
        deltas = [value for value in self._deltas.values() if value is not None]
        return sum(value.nbytes for value in (*self._sites.values(), *deltas, *self.gradients.values()))

    def weight(self, name: str, index: tuple[int, ...]) -> WeightUpdate:
        """Return the update of one weight, by the name of its parameter and its place in it.

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

    def _contributions(self, name: str, index: tuple[int, ...]) -> Tensor:
        """Return what each position adds to the gradient of one weight: (B, L).

        Raises ValueError for what both stacks of an encoder-decoder share, and for its norms.
        """
        parts = name.split(".")
        if self.run.recipe.config.has_two_stacks and (len(parts) < 5 and name != "unembed.weight"):
            raise ValueError("In an encoder-decoder, only matrices of blocks and of the output can be taken apart.")
        if name == "embed.weight":
            return self._embedding(index)
        if name == "positions.weight":
            out = torch.zeros(self.rows.given.shape)
            if index[0] < out.shape[1]:
                out[:, index[0]] = self._delta("decoder.pos")[:, index[0], index[1]]
            return out
        if name == "unembed.weight":
            return self._product("logits", "decoder.final", index)
        if parts[0] == "decoder_norm":
            last = self.run.recipe.layers - 1
            return self._normed("decoder.final", [f"decoder.{last}.resid_post"], parts[-1], index)
        return self._in_block(f"{parts[0]}.{parts[1]}.", parts[2], parts[-2], parts[-1], index)

    def _in_block(self, block: str, part: str, layer: str, kind: str, index: tuple[int, ...]) -> Tensor:
        """Return the contributions to a weight of a block: of its norms, its attention or its feed-forward layer."""
        config = self.run.recipe.config
        if part.startswith("norm_"):
            attention = part == "norm_attn"
            if config.norm_position == "pre":
                out, ins = ("attn_in", ["resid_pre"]) if attention else ("ffn_in", ["resid_mid"])
            else:
                out, ins = ("resid_mid", ["attn_out"]) if attention else ("resid_post", ["ffn_out"])
                ins += [("resid_pre" if attention else "resid_mid")] if config.residual else []
            return self._normed(block + out, [block + name for name in ins], kind, index)
        outs = {"w_q": "q", "w_k": "k", "w_v": "v", "w_o": "attn_out", "w_1": "ffn_hidden", "w_2": "ffn_out"}
        ins_of = {"w_o": "z", "w_1": "ffn_in", "w_2": "ffn_hidden"}
        if part == "cross":
            block += "cross."
        out, into = block + outs[layer], block + ins_of.get(layer, "attn_in")
        if part == "cross" and layer in ("w_k", "w_v"):
            into = "encoder.final"
        return self._product(out, into, index, kind == "bias", layer == "w_1")

    def _product(
        self, out: str, into: str, index: tuple[int, ...], bias: bool = False, activated: bool = False
    ) -> Tensor:
        """Return δ_out[i] · x[j] at each position, for y = W x: the outer products whose sum is W's gradient.

        activated: whether the site `out` comes after the activation, so that its gradient passes through that first.
        """
        delta, x = _joined(self._delta(out)), _joined(self._sites[into])
        if activated:
            delta = self._before_activation(delta, into)
        return delta[..., index[0]] * (1.0 if bias else x[..., index[1]])

    def _before_activation(self, delta: Tensor, into: str) -> Tensor:
        model: Transformer = self.run.model
        w_1 = model.get_submodule(into.replace("ffn_in", "ffn.w_1"))
        hidden = w_1(self._sites[into]).detach().requires_grad_()
        activated = ACTIVATION[self.run.recipe.config.activation](hidden)
        return torch.autograd.grad(activated, hidden, delta)[0]

    def _normed(self, out: str, ins: list[str], kind: str, index: tuple[int, ...]) -> Tensor:
        """Return the contributions to a gain or a bias of a LayerNorm of the sum of the sites `ins`."""
        delta = self._delta(out)[..., index[0]]
        if kind == "bias":
            return delta
        if self.run.recipe.dropout and len(ins) > 1:
            raise ValueError(
                "With dropout, a gain after the residual sum cannot be taken apart: choose another weight."
            )
        x = torch.stack([self._sites[name] for name in ins]).sum(0)
        normal = F.layer_norm(x, x.shape[-1:], eps=self.run.recipe.config.norm_eps)
        return delta * normal[..., index[0]]

    def _embedding(self, index: tuple[int, ...]) -> Tensor:
        config = self.run.recipe.config
        here = torch.from_numpy(self.rows.given) == index[0]
        scale = config.d_model**0.5 if config.scale_embeddings else 1.0
        read = torch.where(here, self._delta("decoder.embed")[..., index[1]] * scale, 0.0)
        return read + self._product("logits", "decoder.final", index) if config.tied else read

    def _delta(self, site: str) -> Tensor:
        """Return the gradient of the loss in a site's tensor; zeros if the loss does not depend on it."""
        delta = self._deltas.get(site)
        return torch.zeros_like(self._sites[site]) if delta is None else delta


def _joined(x: Tensor) -> Tensor:
    """Return (B, L, H · E) for a site (B, H, L, E) of all heads, other sites as they are."""
    return x.transpose(1, 2).flatten(2) if x.dim() == 4 else x
