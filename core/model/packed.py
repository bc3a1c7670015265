"""A model for writing one text in bfloat16: its matrices laid out once in the order in which a processor reads them.

oneDNN, which multiplies bfloat16 matrices for PyTorch on a CPU, turns a matrix into this order for every product. For
one row that takes longer than the product itself, so here it is done once (`python -m tests.benchmarks.generation`
measures what comes of it). All other parts are the model's own, which stays as it is.
"""

from collections.abc import Callable
from copy import copy
from typing import Any, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.attention import MultiHeadAttention
from core.model.layers import Block, FeedForward, gelu_tanh
from core.model.linear import LARGE, Linear
from core.model.transformer import Transformer

Part = TypeVar("Part", bound=nn.Module)
THEN: dict[Callable[[Tensor], Tensor], tuple[str, str]] = {
    F.relu: ("relu", ""),
    F.gelu: ("gelu", "none"),
    gelu_tanh: ("gelu", "tanh"),
}


class PackedLinear(nn.Module):
    """f(x Wᵀ + b) for a single row x (1, 1, I). then: oneDNN's name of f and of the way it is computed."""

    def __init__(self, weight: Tensor, bias: Tensor | None, then: tuple[str, str] = ("none", "")) -> None:
        super().__init__()
        self.packed = torch.ops.mkldnn._reorder_linear_weight(weight, 1)
        self.bias = bias
        self.then = then

    def forward(self, x: Tensor) -> Tensor:
        name, way = self.then
        out: Tensor = torch.ops.mkldnn._linear_pointwise(x, self.packed, self.bias, name, [], way)
        return out


def can_pack(weight: Tensor) -> bool:
    """Whether oneDNN multiplies with this matrix on this machine, and can keep it in an order of its own."""
    if weight.device.type != "cpu" or weight.dtype != torch.bfloat16 or not torch.backends.mkldnn.is_available():
        return False
    names = ("_is_mkldnn_bf16_supported", "_reorder_linear_weight", "_linear_pointwise")
    return all(hasattr(torch.ops.mkldnn, name) for name in names) and torch.ops.mkldnn._is_mkldnn_bf16_supported()


@torch.inference_mode()
def packed(model: Transformer) -> Transformer:
    """The model for reading one more token of one text, with the same KV cache; itself where nothing can be packed.

    It takes as much memory again as the matrices: keep it no longer than the text is being written.
    """
    if not can_pack(model.embed.weight):
        return model
    if not model.config.tied:
        return _twin(model)
    return _twin(model, unembed=PackedLinear(model.embed.weight, model.output_bias), output_bias=None)


def _twin(module: Part, **others: Any) -> Part:
    """The module with these parts in place of its own, its other large matrices packed, and all else shared."""
    twin = copy(module)
    twin._modules = {name: part and _packed(part) for name, part in module._modules.items() if name not in others}
    twin._modules.update({name: part for name, part in others.items() if isinstance(part, nn.Module)})
    twin._parameters = {name: value for name, value in module._parameters.items() if name not in others}
    vars(twin).update(twin._modules | twin._parameters | others)  # found at once, without `Module.__getattr__`
    return twin


def _packed(module: nn.Module) -> nn.Module:
    if isinstance(module, Linear):
        return PackedLinear(module.weight, module.bias) if module.weight.numel() >= LARGE else module
    if isinstance(module, FeedForward):
        return _activated(module)
    return _twin(module, attn=_joined(module.attn)) if isinstance(module, Block) else _twin(module)


def _activated(module: FeedForward) -> FeedForward:
    """The activation is part of W_1's product, where oneDNN knows it."""
    first, then = module.w_1, THEN.get(module.activation)
    if then is None or first.weight.numel() < LARGE:
        return _twin(module)
    return _twin(module, w_1=PackedLinear(first.weight, first.bias, then), activation=_as_it_is)


def _as_it_is(x: Tensor) -> Tensor:
    return x


def _joined(attention: MultiHeadAttention) -> MultiHeadAttention:
    """W_Q, W_K and W_V of self-attention are one matrix, where their heads are equally wide."""
    if attention.config.key_width != attention.config.value_width:
        return _twin(attention)
    parts = {name: getattr(attention, name) for name in ("w_q", "w_k", "w_v")}
    weights: list[Tensor] = [part.weight for part in parts.values()]
    biases: list[Tensor] = [part.bias for part in parts.values() if part.bias is not None]
    joined = PackedLinear(torch.cat(weights), torch.cat(biases) if biases else None)
    return _twin(attention, **parts, w_qkv=joined)
