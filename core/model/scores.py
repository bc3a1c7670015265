"""Score functions, which measure how well a query fits a key.

Each has `raw(q, k)`, `scale` (the factor that multiplies the raw score before the softmax) and `as_dot(q)`: the query
whose plain dot product with k is the raw score, or None if there is no such query, so that PyTorch's fused kernel
cannot be used.
"""

import math

import torch
from torch import Tensor, nn

CHUNK_BYTES = 64 * 2**20


class Dot(nn.Module):
    """The score q · k, or q · k / √d_k if scaled (Vaswani et al. 2017, equation 1).

    Shapes: q (B, H, Q, E), k (B, H, K, E).
    """

    def __init__(self, width: int, scaled: bool = True) -> None:
        super().__init__()
        self.scale = 1 / math.sqrt(width) if scaled else 1.0

    def raw(self, q: Tensor, k: Tensor) -> Tensor:
        return q @ k.transpose(-2, -1)  # (B, H, Q, K)

    def as_dot(self, q: Tensor) -> Tensor | None:
        return q


class General(nn.Module):
    """The score qᵀ W k, with one W for each head (Luong et al. 2015, section 3.1, "general")."""

    scale = 1.0

    def __init__(self, heads: int, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(heads, width, width))

    def raw(self, q: Tensor, k: Tensor) -> Tensor:
        return q @ self.weight @ k.transpose(-2, -1)  # (B, H, Q, K)

    def as_dot(self, q: Tensor) -> Tensor | None:
        return q @ self.weight


class Additive(nn.Module):
    """The score vᵀ tanh(W q + U k), with one W, U, v for each head (Bahdanau et al. 2015, appendix A.1.2)."""

    scale = 1.0

    def __init__(self, heads: int, width: int) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.empty(heads, width, width))
        self.u = nn.Parameter(torch.empty(heads, width, width))
        self.v = nn.Parameter(torch.empty(heads, width, 1))

    def raw(self, q: Tensor, k: Tensor) -> Tensor:
        wq = (q @ self.w.transpose(-2, -1)).unsqueeze(-2)  # (B, H, Q, 1, E)
        uk = (k @ self.u.transpose(-2, -1)).unsqueeze(-3)  # (B, H, 1, K, E)
        rows = max(1, CHUNK_BYTES // (4 * uk.numel()))
        chunks = [torch.tanh(part + uk) @ self.v.unsqueeze(1) for part in wq.split(rows, dim=2)]
        return torch.cat(chunks, dim=2).squeeze(-1)  # (B, H, Q, K)

    def as_dot(self, q: Tensor) -> Tensor | None:
        return None


Score = Dot | General | Additive


def make_score(name: str, heads: int, width: int) -> Score:
    """Return the score function named "dot", "scaled_dot", "general" or "additive"."""
    if name == "general":
        return General(heads, width)
    if name == "additive":
        return Additive(heads, width)
    return Dot(width, scaled=name == "scaled_dot")
