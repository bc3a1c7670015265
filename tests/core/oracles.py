"""What the core is compared with: slow loops written from the papers, and PyTorch's own layers with copied weights.

The loops take and give nested lists or NumPy arrays in float64 and share no code with the core.
"""

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from core.model.attention import MultiHeadAttention
from core.model.layers import Block
from core.model.transformer import Transformer

TOLERANCE = 1e-5

AnyModule = TypeVar("AnyModule", bound=nn.Module)


def close(ours: Tensor, theirs: Tensor | np.ndarray, tolerance: float = TOLERANCE) -> None:
    """Equal shapes, and no element further apart than the tolerance; NaN is never close."""
    expected = torch.as_tensor(theirs).detach().cpu().double()
    actual = ours.detach().cpu().double()
    assert actual.shape == expected.shape, f"shape {tuple(actual.shape)} instead of {tuple(expected.shape)}"
    torch.testing.assert_close(actual, expected, rtol=0, atol=tolerance)


def fill(module: AnyModule, seed: int = 7) -> AnyModule:
    """Small random numbers in every parameter, biases and gains too, so that none can be forgotten unseen."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for value in module.parameters():
            value.copy_(torch.randn(value.shape, generator=generator) * 0.2)
    return module.eval()


# Loops from the papers


def sinusoidal(length: int, width: int, base: float = 10000.0) -> np.ndarray:
    """Vaswani et al. 2017, section 3.5: PE(p, 2i) = sin(p / base^(2i/D)), PE(p, 2i+1) = cos(the same)."""
    table = np.zeros((length, width))
    for position in range(length):
        for column in range(width):
            angle = position / base ** (2 * (column // 2) / width)
            table[position, column] = math.cos(angle) if column % 2 else math.sin(angle)
    return table


def binary(length: int, width: int) -> np.ndarray:
    """Each position's digits to base 2, the lowest first."""
    return np.array([[int(digit) for digit in reversed(f"{position:0{width}b}")] for position in range(length)])


def rotate(x: np.ndarray, base: float = 10000.0, start: int = 0) -> np.ndarray:
    """RoFormer, equation 12 in complex numbers: the pair (x₂ᵢ, x₂ᵢ₊₁) of row p times e^(i p θᵢ), θᵢ = base^(−2i/E)."""
    turned = np.zeros_like(x)
    for row in range(x.shape[-2]):
        for pair in range(x.shape[-1] // 2):
            number = x[..., row, 2 * pair] + 1j * x[..., row, 2 * pair + 1]
            number = number * np.exp(1j * (start + row) * base ** (-2 * pair / x.shape[-1]))
            turned[..., row, 2 * pair], turned[..., row, 2 * pair + 1] = number.real, number.imag
    return turned


def alibi_slopes(heads: int) -> list[float]:
    """Press et al. 2022, section 3 and its footnote on head counts that are no power of two."""
    if math.log2(heads).is_integer():
        first = 2 ** (-8 / heads)
        return [first ** (head + 1) for head in range(heads)]
    below = 2 ** math.floor(math.log2(heads))
    return alibi_slopes(below) + alibi_slopes(2 * below)[0::2][: heads - below]


def score(name: str, q: np.ndarray, k: np.ndarray, weights: Sequence[np.ndarray] = ()) -> float:
    """One query against one key. weights: (W,) of "general", (W, U, v) of "additive"."""
    if name == "general":
        (w,) = weights
        return sum(q[i] * w[i, j] * k[j] for i in range(len(q)) for j in range(len(k)))
    if name == "additive":
        w, u, v = weights
        return sum(
            v[i, 0] * math.tanh(sum(w[i, j] * q[j] + u[i, j] * k[j] for j in range(len(q)))) for i in range(len(v))
        )
    total = sum(q[i] * k[i] for i in range(len(q)))
    return total / math.sqrt(len(q)) if name == "scaled_dot" else total


def score_matrix(name: str, q: Tensor, k: Tensor, parameters: Sequence[Tensor] = ()) -> np.ndarray:
    """(B, H, Q, K) scores of q (B, H, Q, E) against k (B, H, K, E), one pair at a time."""
    q, k = q.detach().double().cpu(), k.detach().double().cpu()
    batch, heads, queries, _ = q.shape
    table = np.zeros((batch, heads, queries, k.shape[2]))
    for b, h, i, j in np.ndindex(table.shape):
        weights = [parameter[h].detach().double().cpu().numpy() for parameter in parameters]
        table[b, h, i, j] = score(name, q[b, h, i].numpy(), k[b, h, j].numpy(), weights)
    return table


def mix(scores: np.ndarray, values: np.ndarray, mask: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Softmax of (Q, K) scores over the allowed keys, and the average of (K, E) values with those weights."""
    pattern = np.zeros_like(scores)
    for i, row in enumerate(scores):
        allowed = [j for j in range(len(row)) if mask is None or mask[i, j]]
        total = sum(math.exp(row[j]) for j in allowed)
        for j in allowed:
            pattern[i, j] = math.exp(row[j]) / total
    return pattern @ values, pattern


def layer_norm(x: np.ndarray, gain: np.ndarray, bias: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Ba et al. 2016, equations 3 and 4: the deviation is divided by D, not D − 1."""
    centred = x - x.sum(-1, keepdims=True) / x.shape[-1]
    return centred / np.sqrt((centred**2).sum(-1, keepdims=True) / x.shape[-1] + eps) * gain + bias


def rms_norm(x: np.ndarray, gain: np.ndarray, eps: float = 1e-5) -> np.ndarray:
    """Zhang & Sennrich 2019, equation 4."""
    return x / np.sqrt((x**2).sum(-1, keepdims=True) / x.shape[-1] + eps) * gain


# PyTorch's layers as twins of ours


def copy_linear(theirs: nn.Linear, ours: nn.Linear) -> None:
    theirs.weight.copy_(ours.weight)
    theirs.bias.copy_(ours.bias)


def copy_attention(theirs: nn.MultiheadAttention, ours: MultiHeadAttention) -> None:
    """Our three projections are stacked in theirs: W_Q, W_K, W_V."""
    theirs.in_proj_weight.copy_(torch.cat([ours.w_q.weight, ours.w_k.weight, ours.w_v.weight]))
    theirs.in_proj_bias.copy_(torch.cat([ours.w_q.bias, ours.w_k.bias, ours.w_v.bias]))
    copy_linear(theirs.out_proj, ours.w_o)


def copy_block(theirs: nn.TransformerEncoderLayer | nn.TransformerDecoderLayer, ours: Block) -> None:
    copy_attention(theirs.self_attn, ours.attn)
    assert ours.ffn is not None
    copy_linear(theirs.linear1, ours.ffn.w_1)
    copy_linear(theirs.linear2, ours.ffn.w_2)
    norms = [ours.norm_attn, ours.norm_ffn]
    if ours.cross is not None:
        assert isinstance(theirs, nn.TransformerDecoderLayer)
        copy_attention(theirs.multihead_attn, ours.cross)
        norms.insert(1, ours.norm_cross)
    for number, norm in enumerate(norms, start=1):
        getattr(theirs, f"norm{number}").load_state_dict(norm.state_dict())


def copy_transformer(theirs: nn.Transformer, ours: Transformer) -> None:
    """The stacks and their last norms. Theirs has no embeddings: those stay with the caller."""
    for stack in ("encoder", "decoder"):
        twin = getattr(theirs, stack)
        for mine, block in zip(getattr(ours, stack), twin.layers, strict=True):
            copy_block(block, mine)
        twin.norm.load_state_dict(getattr(ours, f"{stack}_norm").state_dict())


def twin(make: Callable[[], nn.Module], copy: Callable, ours: nn.Module, device: torch.device) -> nn.Module:
    """One of PyTorch's layers with the weights of ours, in evaluation mode."""
    with torch.no_grad():
        theirs = make()
        copy(theirs, ours)
    return theirs.to(device).eval()
