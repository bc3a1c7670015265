"""Ways to tell a transformer where a token stands."""

import math

import torch
from torch import Tensor


def binary(length: int, d_model: int) -> Tensor:
    """(L, D) zeros and ones: dimension i of row p is bit i of p, the lowest bit first; the rest is 0."""
    bits = torch.arange(min(d_model, 62))
    table = torch.zeros(length, d_model)
    table[:, : len(bits)] = (torch.arange(length)[:, None] >> bits & 1).float()
    return table


def sinusoidal(length: int, d_model: int, base: float = 10000.0) -> Tensor:
    """(L, D) waves, sine and cosine interleaved (Vaswani et al. 2017, section 3.5).

    PE(p, 2i) = sin(p / base^(2i/D)), PE(p, 2i+1) = cos(p / base^(2i/D)).
    """
    angles = _angles(torch.arange(length), d_model, base)  # (L, ceil(D/2))
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model].float()


def rotate(x: Tensor, base: float = 10000.0, start: int = 0) -> Tensor:
    """Rotary positions (RoFormer, Su et al. 2021, equation 34), on adjacent pairs of numbers.

    x: (..., L, E) with E even; row p is turned by p · base^(−2i/E) in the plane of dimensions 2i and 2i+1.
    start: the position of the first row. Afterwards q_i · k_j depends on i − j only.
    """
    cos, sin = (part.to(x.dtype).to(x.device) for part in rotary_cos_sin(x.shape[-2], x.shape[-1], base, start))
    return apply_rotary(x, cos, sin)


def rotary_cos_sin(length: int, width: int, base: float = 10000.0, start: int = 0) -> tuple[Tensor, Tensor]:
    """cos and sin (L, E/2), float64 on the CPU, of the rotary angles of positions start, start + 1, …"""
    angles = _angles(torch.arange(start, start + length), width, base)
    return angles.cos(), angles.sin()


def apply_rotary(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """x (..., L, E) with each pair of numbers turned by the angle whose cos and sin (L, E/2) are given."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def alibi_slopes(heads: int) -> Tensor:
    """(H,) slopes (Press et al. 2022, section 3): the geometric sequence 2^(−8/H), 2^(−16/H), …

    For a number of heads that is no power of two, the paper's recipe: the slopes of the power below, then every
    second slope of the power above.
    """
    power = 2 ** int(math.log2(heads))
    slopes = [2 ** (-8 * (i + 1) / power) for i in range(power)]
    between = [2 ** (-8 * (i + 1) / (2 * power)) for i in range(0, 2 * power, 2)]
    return torch.tensor(slopes + between[: heads - power])


def alibi_bias(heads: int, queries: int, keys: int) -> Tensor:
    """(H, Q, K) added to the scores: −slope · |i − j|, the last query standing at the last key.

    The paper is causal, where i − j ≥ 0; without a causal mask the distance counts on both sides.
    """
    distance = (torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)).abs()
    return -alibi_slopes(heads)[:, None, None] * distance


def _angles(positions: Tensor, width: int, base: float) -> Tensor:
    """(L, ceil(width/2)) float64 angles p / base^(2i/width)."""
    exponents = torch.arange(0, width, 2, dtype=torch.float64) / width
    return positions.double()[:, None] / base**exponents
