"""A model for writing one text in bfloat16: its matrices laid out once in the order in which a processor reads them.

oneDNN, which multiplies bfloat16 matrices for PyTorch on a CPU, turns a matrix into this order for every product. For
one row that takes longer than the product itself, so here it is done once (`python -m tests.benchmarks.generation`
measures what comes of it). All other parts are the model's own, which stays as it is.
"""

from copy import copy
from typing import TypeVar

import torch
from torch import Tensor, nn

from core.model.attention import MultiHeadAttention
from core.model.layers import Block
from core.model.linear import LARGE, Linear
from core.model.transformer import Transformer

Part = TypeVar("Part", bound=nn.Module)


class PackedLinear(nn.Module):
    """x Wᵀ + b for a single row x (1, 1, I)."""

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        self.packed = torch.ops.mkldnn._reorder_linear_weight(weight, 1)
        self.bias = bias

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = torch.ops.mkldnn._linear_pointwise(x, self.packed, self.bias, "none", [], "")
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
    twin = _twin(model)
    if model.config.tied:
        twin._modules["unembed"] = PackedLinear(model.embed.weight, model.output_bias)
        twin.output_bias = None
    return twin


def _twin(module: Part) -> Part:
    """The module with its large matrices packed, W_Q, W_K and W_V of self-attention as one, and all else shared."""
    twin = copy(module)
    twin._parameters = dict(module._parameters)
    twin._modules = {name: part and _packed(part) for name, part in module._modules.items()}
    if isinstance(module, Block):
        twin.attn = _joined(module.attn)
    return twin


def _packed(module: nn.Module) -> nn.Module:
    if isinstance(module, Linear):
        return PackedLinear(module.weight, module.bias) if module.weight.numel() >= LARGE else module
    return _twin(module)


def _joined(attention: MultiHeadAttention) -> MultiHeadAttention:
    twin, parts = _twin(attention), (attention.w_q, attention.w_k, attention.w_v)
    weights: list[Tensor] = [part.weight for part in parts]
    biases: list[Tensor] = [part.bias for part in parts if part.bias is not None]
    twin.w_qkv = PackedLinear(torch.cat(weights), torch.cat(biases) if biases else None)
    twin.w_q, twin.w_k, twin.w_v = parts
    return twin
