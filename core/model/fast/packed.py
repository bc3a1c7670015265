"""A model for writing one text in bfloat16, whose matrices are stored in the order in which a processor reads them.

oneDNN, which multiplies bfloat16 matrices for PyTorch on a CPU, rearranges a matrix into this order for every product.
For one row that takes longer than the product itself, so here it is done once (`python -m tests.benchmarks.generation`
measures the gain). With one row, the work of PyTorch and Python around the products takes as long as the products, so
the parts made here have few steps and are called without the hooks of `Module.__call__`. All other parts are shared
with the original model, which is not changed.
"""

from collections.abc import Callable
from copy import copy, deepcopy
from typing import Any, TypeVar

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.attention import MultiHeadAttention, fused_attention
from core.model.attention_positions import RotaryOrBias
from core.model.fast.kernel import scaled_dot_product_attention
from core.model.fast.linear import LARGE
from core.model.kv import LayerKV
from core.model.layers import Block, FeedForward, gelu_tanh
from core.model.masks import windowed
from core.model.positions import apply_rotary
from core.model.scores import Dot
from core.model.tap import Tap
from core.model.transformer import Transformer

Part = TypeVar("Part", bound=nn.Module)
THEN: dict[Callable[[Tensor], Tensor], tuple[str, str]] = {
    F.relu: ("relu", ""),
    F.gelu: ("gelu", "none"),
    gelu_tanh: ("gelu", "tanh"),
}


class PackedLinear(nn.Module):
    """A linear layer with activation, f(x Wᵀ + b), for rows x (1, L, I); fast for a single row.

    then: oneDNN's name of f, and its name of the algorithm for f.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None, then: tuple[str, str] = ("none", "")) -> None:
        super().__init__()
        self.packed = torch.ops.mkldnn._reorder_linear_weight(weight, 1)
        self.bias = bias
        self.then = then

    def __call__(self, x: Tensor) -> Tensor:
        name, way = self.then
        out: Tensor = torch.ops.mkldnn._linear_pointwise.default(x, self.packed, self.bias, name, [], way)
        return out


class DirectNorm(nn.Module):
    """A LayerNorm that is one function call, without the hooks of `Module.__call__`."""

    def __init__(self, norm: nn.LayerNorm) -> None:
        super().__init__()
        self.given = (norm.normalized_shape, norm.weight, norm.bias, norm.eps)

    def __call__(self, x: Tensor) -> Tensor:
        return torch.layer_norm(x, *self.given)


def can_pack(weight: Tensor) -> bool:
    """Return whether oneDNN multiplies with this matrix on this machine and can store it in its own order."""
    if weight.device.type != "cpu" or weight.dtype != torch.bfloat16 or not torch.backends.mkldnn.is_available():
        return False
    names = ("_is_mkldnn_bf16_supported", "_reorder_linear_weight", "_linear_pointwise")
    return all(hasattr(torch.ops.mkldnn, name) for name in names) and torch.ops.mkldnn._is_mkldnn_bf16_supported()


class JoinedAttention(nn.Module):
    """`MultiHeadAttention` for one text that is being written, with W_Q, W_K and W_V joined in one matrix.

    Between the products everything is float32, which is faster on a processor when there are few numbers. No tap is
    called inside it.
    """

    def __init__(self, attention: MultiHeadAttention) -> None:
        super().__init__()
        self.config, self.window, self.rotary = attention.config, attention.window, attention.rotary
        self.turn = rotate_complex if attention.turn is apply_rotary else attention.turn
        self.q_norm, self.k_norm = attention.q_norm, attention.k_norm
        dot = isinstance(attention.score, Dot)
        self.score = attention.score if dot else deepcopy(attention.score).float()
        self.plain = dot and self.config.heads == self.config.n_kv_heads
        parts = (attention.w_q, attention.w_k, attention.w_v)
        weights: list[Tensor] = [part.weight for part in parts]
        biases: list[Tensor] = [part.bias for part in parts if part.bias is not None]
        self.w_qkv = PackedLinear(torch.cat(weights), torch.cat(biases) if biases else None)
        self.w_o = _packed(attention.w_o)

    def __call__(
        self, x: Tensor, memory: Tensor, mask: Tensor | None, tap: Tap, kv: LayerKV | None, inner: RotaryOrBias
    ) -> Tensor:
        """Return the attention (1, L, D) for the new rows x (1, L, D), which are also `memory`.

        Raises ValueError for a batch, and without a cache.
        """
        if kv is None or len(x) != 1:
            raise ValueError("a packed model writes one text at a time, with a cache")
        heads, groups = self.config.heads, self.config.n_kv_heads
        rows = self.w_qkv(x).view(1, x.shape[1], heads + 2 * groups, -1).transpose(1, 2)  # (1, H + 2 G, L, E)
        if self.q_norm is not None and self.k_norm is not None:
            q, k, v = rows.split((heads, groups, groups), 1)
            rows = torch.cat([self.q_norm(q), self.k_norm(k), v], 1)
        queries_keys, v = rows.float().split((heads + groups, groups), 1)
        if self.rotary and inner.turns is not None:
            queries_keys = self.turn(queries_keys, *(part.float() for part in inner.turns))
        q, k = queries_keys.split((heads, groups), 1)
        k, v = (part.float() for part in kv.extend(k, v))
        z = self._mixed(q, k, v, mask, inner.bias).to(x.dtype)  # (1, H, L, E)
        out: Tensor = self.w_o(z.transpose(1, 2).flatten(2))
        return out

    def _mixed(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, bias: Tensor | None) -> Tensor:
        """Return the heads' outputs z (1, H, L, E) for queries (1, H, L, E), keys and values (1, G, K, E); float32."""
        mask = windowed(mask, q.shape[2], k.shape[2], self.window)
        if mask is None and bias is None and self.plain:
            return F.scaled_dot_product_attention(q, k, v, scale=self.score.scale)
        bias = None if bias is None else bias.float()
        return fused_attention(q, k, v, mask, score=self.score, bias=bias, kernel=scaled_dot_product_attention)


def rotate_complex(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate like `apply_rotary`, but in fewer steps, with each pair as one complex number.

    x: float32 or float64, without gaps between its numbers.
    """
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * torch.complex(cos, sin)).flatten(-2)


@torch.inference_mode()
def packed(model: Transformer) -> Transformer:
    """Return the model prepared for writing one text at a time; the model itself if nothing can be packed.

    It always needs a KV cache. The encoder of an encoder-decoder is not packed. The result takes as much memory again
    as the packed matrices: keep it only while texts are being written, and not after the model's weights change.
    """
    if not can_pack(model.embed.weight):
        return model
    others: dict[str, Any] = {"encoder": model.encoder} if "encoder" in model.config.stacks else {}
    if model.config.tied:
        others |= {"unembed": PackedLinear(model.embed.weight, model.output_bias), "output_bias": None}
    return _twin(model, **others)


def _twin(module: Part, **others: Any) -> Part:
    """Return a copy of the module with its large matrices packed; it shares all else with the module.

    others: parts that replace the module's own.
    """
    twin = copy(module)
    twin._modules = {name: part and _packed(part) for name, part in module._modules.items() if name not in others}
    twin._modules.update({name: part for name, part in others.items() if isinstance(part, nn.Module)})
    twin._parameters = {name: value for name, value in module._parameters.items() if name not in others}
    vars(twin).update(twin._modules | twin._parameters | others)  # found at once, without `Module.__getattr__`
    return twin


def _packed(module: nn.Module) -> nn.Module:
    if isinstance(module, nn.Linear):
        return PackedLinear(module.weight, module.bias) if module.weight.numel() >= LARGE else module
    if isinstance(module, nn.LayerNorm):
        return DirectNorm(module)
    if isinstance(module, FeedForward):
        return _activated(module)
    if isinstance(module, Block) and module.config.key_width == module.config.value_width:
        return _twin(module, attn=JoinedAttention(module.attn))
    return _twin(module)


def _activated(module: FeedForward) -> FeedForward:
    """Return the layer with its activation made part of W_1's product, if oneDNN knows the activation."""
    first, then = module.w_1, THEN.get(module.activation)
    if then is None or first.weight.numel() < LARGE:
        return _twin(module)
    return _twin(module, w_1=PackedLinear(first.weight, first.bias, then), activation=lambda x: x)
