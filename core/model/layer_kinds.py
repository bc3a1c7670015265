"""One layer of each kind that Vaswani et al. 2017, table 1, compares, all causal: an output sees no later input.

Shapes: B batch, n positions, d numbers at each of them; every layer maps (B, n, d) to (B, n, d).
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.attention import attention
from core.model.masks import causal

LAYER_KINDS = ("recurrent", "convolution", "dilated convolution", "self-attention", "windowed attention")


@dataclass(frozen=True)
class LayerSizes:
    """n positions, d numbers at each, k taps of a convolution, r tokens that windowed attention looks at, its own among
    them. Raises ValueError for what cannot be built."""

    n: int
    d: int
    k: int = 3
    r: int = 32

    def __post_init__(self) -> None:
        for name, least in (("n", 1), ("d", 1), ("k", 2), ("r", 2)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}, not {getattr(self, name)}")


class RecurrentLayer(nn.Module):
    """PyTorch's GRU, read from left to right (Cho et al. 2014)."""

    def __init__(self, d: int) -> None:
        super().__init__()
        self.gru = nn.GRU(d, d, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.gru(x)[0]
        return out


class CausalConvolution(nn.Module):
    """k taps, `dilation` positions apart, the last of them at the output's own position."""

    def __init__(self, d: int, k: int, dilation: int = 1) -> None:
        super().__init__()
        self.before = (k - 1) * dilation
        self.conv = nn.Conv1d(d, d, k, dilation=dilation)

    def forward(self, x: Tensor) -> Tensor:
        padded = F.pad(x.transpose(1, 2), (self.before, 0))  # (B, d, before + n)
        out: Tensor = self.conv(padded).transpose(1, 2)
        return out


class AttentionLayer(nn.Module):
    """One head as wide as its input, over all tokens up to its own, or over the last `window` of them."""

    def __init__(self, d: int, window: int | None = None) -> None:
        super().__init__()
        self.window = window
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        if self.window is None:
            mask = causal(x.shape[1], x.shape[1], x.device)
            z = attention(q[:, None], k[:, None], v[:, None], mask)[0][:, 0]
        else:
            z = windowed_attention(q, k, v, self.window)
        out: Tensor = self.w_o(z)
        return out


def windowed_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    """Each of n queries meets the `window` keys that end at its own position; q, k, v and z are (B, n, E).

    No n × n matrix is made: queries go in blocks of r = min(window, n), and each block meets the 2r − 1 keys that its
    queries see between them.
    """
    n = q.shape[1]
    r = min(window, n)
    blocks = -(-n // r)
    after = blocks * r - n
    queries = F.pad(q, (0, 0, 0, after)).unflatten(1, (blocks, r))  # (B, blocks, r, E)
    keys, values = (_blocks(each, r, after) for each in (k, v))
    mask = _window_mask(blocks, r, q.device)
    z, _ = attention(queries, keys, values, mask)  # (B, blocks, r, E)
    return z.flatten(1, 2)[:, :n]


def _blocks(x: Tensor, r: int, after: int) -> Tensor:
    """(B, n, E) → (B, blocks, 2r − 1, E): what each block of queries can see, zeros before the first token."""
    return F.pad(x, (0, 0, r - 1, after)).unfold(1, 2 * r - 1, r).transpose(-1, -2)


def _window_mask(blocks: int, r: int, device: torch.device) -> Tensor:
    """(blocks, r, 2r − 1), True = may attend: query i of a block sees keys i to i + r − 1 of it, if they exist."""
    query, key = torch.arange(r, device=device)[:, None], torch.arange(2 * r - 1, device=device)
    band = (key >= query) & (key < query + r)
    mask = band.expand(blocks, -1, -1).clone()
    mask[0] &= key >= r - 1
    return mask


def layer_of_kind(kind: str, sizes: LayerSizes, seed: int = 0, dilation: int | None = None) -> nn.Module:
    """A layer with weights from a local generator: normal, with variance 1 ÷ inputs of an output; biases 0.

    dilation: of a dilated convolution, k where nothing is said, as in the second layer of a stack.
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
