"""The kinds of layer that Vaswani et al. 2017 compare in table 1, all causal: no output depends on a later input.

Shapes: B batch, n positions, d numbers at each of them; every layer maps (B, n, d) to (B, n, d).
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.attention import attention
from core.model.masks import CausalMask, Mask, explicit_mask

CAUSAL = (CausalMask(),)
LAYER_KINDS = ("recurrent", "convolution", "dilated convolution", "self-attention", "windowed attention")


@dataclass(frozen=True)
class LayerSizes:
    """The sizes of a layer.

    n: number of positions.
    d: numbers at each position.
    k: taps of a convolution.
    r: tokens that windowed attention looks at, its own included.

    Raises ValueError for sizes that cannot be built.
    """

    n: int
    d: int
    k: int = 3
    r: int = 32

    def __post_init__(self) -> None:
        for name, min_value in (("n", 1), ("d", 1), ("k", 2), ("r", 2)):
            if getattr(self, name) < min_value:
                raise ValueError(f"{name} must be at least {min_value}, not {getattr(self, name)}")


class RecurrentLayer(nn.Module):
    """A GRU (PyTorch's) that reads from left to right (Cho et al. 2014)."""

    def __init__(self, d: int) -> None:
        super().__init__()
        self.gru = nn.GRU(d, d, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.gru(x)[0]
        return out


class CausalConvolution(nn.Module):
    """A convolution with k taps, `dilation` positions apart; the last tap is at the output's own position."""

    def __init__(self, d: int, k: int, dilation: int = 1) -> None:
        super().__init__()
        self.before = (k - 1) * dilation
        self.conv = nn.Conv1d(d, d, k, dilation=dilation)

    def forward(self, x: Tensor) -> Tensor:
        padded = F.pad(x.transpose(1, 2), (self.before, 0))  # (B, d, before + n)
        out: Tensor = self.conv(padded).transpose(1, 2)
        return out


class AttentionLayer(nn.Module):
    """Attention with one head as wide as its input, under masks, or over the last `window` tokens alone.

    With a window no mask is made, and no pair outside the window is computed.
    """

    def __init__(self, d: int, window: int | None = None, masks: tuple[Mask, ...] = CAUSAL) -> None:
        super().__init__()
        self.window, self.masks = window, masks
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        if self.window is None:
            mask = explicit_mask(self.masks, x.shape[1], x.shape[1]).to(x.device)
            z = attention(q[:, None], k[:, None], v[:, None], mask)[0][:, 0]
        else:
            z = windowed_attention(q, k, v, self.window)
        out: Tensor = self.w_o(z)
        return out


def windowed_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Return the attention of each query over the `window` keys that end at its own position.

    q, k, v and the result are (B, n, E). No n × n matrix is made: queries are grouped in blocks of r = min(window, n),
    and each block is compared with the 2r − 1 keys that its queries see between them.
    """
    n = q.shape[1]
    r = min(window, n)
    blocks = -(-n // r)
    after = blocks * r - n
    queries = F.pad(q, (0, 0, 0, after)).unflatten(1, (blocks, r))  # (B, blocks, r, E)
    keys, values = (_blocks(part, r, after) for part in (k, v))
    mask = _window_mask(blocks, r, q.device)
    z, _ = attention(queries, keys, values, mask)  # (B, blocks, r, E)
    return z.flatten(1, 2)[:, :n]


def _blocks(x: Tensor, r: int, after: int) -> Tensor:
    """Return the part of x (B, n, E) that each block of queries can see, (B, blocks, 2r − 1, E).

    Positions before the first token are zeros.
    """
    return F.pad(x, (0, 0, r - 1, after)).unfold(1, 2 * r - 1, r).transpose(-1, -2)


def _window_mask(blocks: int, r: int, device: torch.device) -> Tensor:
    """Return the mask (blocks, r, 2r − 1), True = may attend.

    Query i of a block sees keys i to i + r − 1 of that block, if they exist.
    """
    query, key = torch.arange(r, device=device)[:, None], torch.arange(2 * r - 1, device=device)
    band = (key >= query) & (key < query + r)
    mask = band.expand(blocks, -1, -1).clone()
    mask[0] &= key >= r - 1
    return mask


def layer_of_kind(kind: str, sizes: LayerSizes, seed: int = 0, dilation: int | None = None) -> nn.Module:
    """Return a layer whose weights are drawn from a local generator.

    Weights are normal with variance 1 ÷ (inputs of one output); biases are 0.

    dilation: the dilation of a dilated convolution; None for k, as in the second layer of a stack.

    Raises ValueError for an unknown kind.
    """
    match kind:
        case "recurrent":
            layer: nn.Module = RecurrentLayer(sizes.d)
        case "convolution":
            layer = CausalConvolution(sizes.d, sizes.k)
        case "dilated convolution":
            layer = CausalConvolution(sizes.d, sizes.k, dilation or sizes.k)
        case "self-attention":
            layer = AttentionLayer(sizes.d)
        case "windowed attention":
            layer = AttentionLayer(sizes.d, sizes.r)
        case _:
            raise ValueError(f"kind {kind!r} is not one of {', '.join(LAYER_KINDS)}")
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for value in layer.parameters():
            fresh = torch.randn(value.shape, generator=generator)
            value.copy_(fresh * value[0].numel() ** -0.5 if value.dim() > 1 else torch.zeros_like(value))
    return layer
