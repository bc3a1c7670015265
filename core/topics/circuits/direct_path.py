"""The way from a vector in the residual stream straight to a logit, as a linear map.

A norm is not linear, but it is if its scale is held at the value that it has in this run: what passes it is centred,
divided by a constant and multiplied by the gain. So a logit is a sum with one term for each part that wrote to the
stream (Elhage et al. 2021, "A mathematical framework for transformer circuits"). The map is a set of directions (C, D):
the product of a direction with a vector is what that vector adds to one of C logits.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from core.model.layers import MaskedWordHead
from core.model.transformer import Transformer


@dataclass(frozen=True, eq=False)
class LogitDirections:
    """The directions of C logits at one place of a model.

    vectors (C, D): float64, on the CPU.
    constants (C,): what the biases after this place add to the logits.
    """

    vectors: Tensor
    constants: Tensor

    def before_norm(self, norm: nn.Module, x: Tensor) -> "LogitDirections":
        """Return the directions before a norm whose input is x (D,); a module that is no norm changes nothing."""
        if isinstance(norm, nn.LayerNorm):
            x = x - x.mean()
            scale = (x.square().mean() + norm.eps).rsqrt()
        elif isinstance(norm, nn.RMSNorm):
            assert norm.eps is not None
            scale = (x.square().mean() + norm.eps).rsqrt()
        else:
            return self
        vectors = self.vectors * exact(norm.weight) * scale
        if isinstance(norm, nn.LayerNorm):
            vectors = vectors - vectors.mean(-1, keepdim=True)
        bias = getattr(norm, "bias", None)
        return LogitDirections(vectors, self.constants if bias is None else self.constants + self.vectors @ exact(bias))

    def before_linear(self, linear: nn.Linear) -> "LogitDirections":
        """Return the directions before a linear layer."""
        constants = self.constants if linear.bias is None else self.constants + self.vectors @ exact(linear.bias)
        return LogitDirections(self.vectors @ exact(linear.weight), constants)


def output_directions(model: Transformer, final: Tensor, pieces: Tensor) -> LogitDirections:
    """Return the directions of pieces' logits at the output of a stack, and of the mean logit of all pieces, the last.

    final (D,): the output of the stack at the token, after its last norm.
    pieces (C,): ids.
    """
    weight = model.output_weight.detach()
    mean = weight.mean(0, keepdim=True, dtype=torch.float64)
    vectors = torch.cat([exact(weight[pieces]), exact(mean)]) * model.config.logit_scale
    constants = vectors.new_zeros(len(vectors))
    if model.output_bias is not None:
        bias = exact(model.output_bias)
        constants = torch.cat([bias[pieces], bias.mean()[None]])
    directions, head = LogitDirections(vectors, constants), model.masked_head
    return before_masked_head(directions, head, final) if isinstance(head, MaskedWordHead) else directions


def before_masked_head(directions: LogitDirections, head: MaskedWordHead, final: Tensor) -> LogitDirections:
    """Return the directions before the layer that a model of hidden pieces has before its logits (Devlin et al. 2019).

    final (D,): the input of the layer.

    The ratio of its activation's output to its input is held fixed, number by number.
    """
    hidden = exact(head.dense.weight) @ final
    hidden = hidden if head.dense.bias is None else hidden + exact(head.dense.bias)
    active = head.activation(hidden)
    directions = directions.before_norm(head.norm, active)
    ratios = torch.where(hidden == 0, 0.0, active / hidden)
    return LogitDirections(directions.vectors * ratios, directions.constants).before_linear(head.dense)


def through_norm(norm: nn.Module, at: Tensor, vectors: Tensor) -> Tensor:
    """Return what vectors (…, L, D) become in a norm whose scale is held at that of its input at (…, L, D).

    The bias of the norm is not added. A module that is no norm changes nothing.
    """
    if isinstance(norm, nn.LayerNorm):
        at, vectors = at - at.mean(-1, keepdim=True), vectors - vectors.mean(-1, keepdim=True)
    elif not isinstance(norm, nn.RMSNorm):
        return vectors
    assert norm.eps is not None
    return vectors * (at.square().mean(-1, keepdim=True) + norm.eps).rsqrt() * exact(norm.weight)


def normed(norm: nn.Module, x: Tensor) -> Tensor:
    """Return the norm of x (…, D), in float64; a module that is no norm changes nothing."""
    bias = getattr(norm, "bias", None)
    return through_norm(norm, x, x) + (0.0 if bias is None else exact(bias))


def exact(tensor: Tensor) -> Tensor:
    """Return a tensor in float64 on the CPU, detached."""
    return tensor.detach().double().cpu()
