"""Ways to tell a transformer where a token stands."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from core.model.rotary_scaling import RotaryScaling


def binary(length: int, d_model: int) -> Tensor:
    """(L, D) zeros and ones: dimension i of row p is bit i of p, the lowest bit first; the rest is 0."""
    bits = torch.arange(min(d_model, 62))
    table = torch.zeros(length, d_model)
    table[:, : len(bits)] = (torch.arange(length)[:, None] >> bits & 1).float()
    return table


def sinusoidal(length: int, d_model: int, base: float = 10000.0, order: str = "interleaved") -> Tensor:
    """(L, D) waves (Vaswani et al. 2017, section 3.5).

    PE(p, 2i) = sin(p / base^(2i/D)), PE(p, 2i+1) = cos(p / base^(2i/D)). order "halves": the same numbers, all sines
    before all cosines.
    """
    angles = torch.arange(length).double()[:, None] / _periods(d_model, base)  # (L, ceil(D/2))
    if order == "halves":
        return torch.cat([angles.sin(), angles.cos()], dim=1)[:, :d_model].float()
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model].float()


def rotate(x: Tensor, base: float = 10000.0, start: int = 0) -> Tensor:
    """Rotary positions (RoFormer, Su et al. 2021, equation 34), on adjacent pairs of numbers.

    x: (..., L, E) with E even; row p is turned by p · base^(−2i/E) in the plane of dimensions 2i and 2i+1.
    start: the position of the first row. Afterwards q_i · k_j depends on i − j only.
    """
    cos, sin = (part.to(x.dtype).to(x.device) for part in rotary_cos_sin(x.shape[-2], x.shape[-1], base, start))
    return apply_rotary(x, cos, sin)


def rotary_cos_sin(
    length: int, width: int, base: float = 10000.0, start: int = 0, scaling: RotaryScaling | None = None
) -> tuple[Tensor, Tensor]:
    """cos and sin (L, E/2), float64 on the CPU, of the rotary angles of positions start, start + 1, …"""
    angles = torch.arange(start, start + length).double()[:, None] / rotary_periods(width, base, scaling)
    return angles.cos(), angles.sin()


def rotary_periods(width: int, base: float, scaling: RotaryScaling | None = None) -> Tensor:
    """(E/2,) float64: how many positions turn each pair of numbers by an angle of 1; 2π times that is a wave length."""
    if scaling is None:
        return _periods(width, base)
    if scaling.kind == "linear":
        return _periods(width, base) * scaling.factor
    if scaling.kind == "ntk":
        return _periods(width, base * scaling.factor ** (width / (width - 2)))
    periods, low, high = _periods(width, base), scaling.low_frequency_factor, scaling.high_frequency_factor
    turns = scaling.original_length / (2 * math.pi * periods)  # of a pair, over the texts of training
    kept = ((turns - low) / (high - low)).clamp(0, 1)  # 1: a wave so short that it stays as it is
    return periods / (kept + (1 - kept) / scaling.factor)


def apply_rotary(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """x (..., L, E) with each pair of numbers turned by the angle whose cos and sin (L, E/2) are given."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def rotate_complex(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """The same, each pair as one complex number: fewer steps. Float32 or float64; x has no gaps between its numbers."""
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)))
    return torch.view_as_real(pairs * torch.complex(cos, sin)).flatten(-2)


def apply_rotary_halves(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """The same where number i of the first half and number i of the second are a pair."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


def rotate_partial(turn: Callable[[Tensor, Tensor, Tensor], Tensor], x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """x (..., L, E) with the first W of its E numbers turned, for cos and sin (L, W/2); the others stay."""
    width = 2 * cos.shape[-1]
    return torch.cat([turn(x[..., :width], cos, sin), x[..., width:]], dim=-1)


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


def _periods(width: int, base: float) -> Tensor:
    """(ceil(width/2),) float64: base^(2i/width)."""
    return base ** (torch.arange(0, width, 2, dtype=torch.float64) / width)
