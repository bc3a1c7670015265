"""Position encodings, which tell a transformer where in the text each token is."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from core.model.rotary_scaling import RotaryScaling


def binary(length: int, d_model: int) -> Tensor:
    """Return a table (L, D) of zeros and ones: dimension i of row p is bit i of p, the lowest bit first.

    Dimensions beyond the bits are 0.
    """
    bits = torch.arange(min(d_model, 62))
    table = torch.zeros(length, d_model)
    table[:, : len(bits)] = (torch.arange(length)[:, None] >> bits & 1).float()
    return table


def sinusoidal(length: int, d_model: int, base: float = 10000.0, order: str = "interleaved") -> Tensor:
    """Return the table (L, D) of sinusoidal positions (Vaswani et al. 2017, section 3.5).

    PE(p, 2i) = sin(p / base^(2i/D)), PE(p, 2i+1) = cos(p / base^(2i/D)).

    order: "interleaved" as above, or "halves": the same numbers, all sines before all cosines.
    """
    angles = torch.arange(length).double()[:, None] / _periods(d_model, base)  # (L, ceil(D/2))
    if order == "halves":
        return torch.cat([angles.sin(), angles.cos()], dim=1)[:, :d_model].float()
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)[:, :d_model].float()


def rotate(x: Tensor, base: float = 10000.0, start: int = 0) -> Tensor:
    """Rotate x by rotary positions, on adjacent pairs of dimensions (RoFormer, Su et al. 2021, equation 34).

    Row p is rotated by p · base^(−2i/E) in the plane of dimensions 2i and 2i+1. So the product q_m · k_n of rows m and
    n depends on their positions only through m − n.

    x: (..., L, E) with E even.
    start: the position of the first row.
    """
    cos, sin = (part.to(x.dtype).to(x.device) for part in rotary_cos_sin(x.shape[-2], x.shape[-1], base, start))
    return apply_rotary(x, cos, sin)


def rotary_cos_sin(
    length: int, width: int, base: float = 10000.0, start: int = 0, scaling: RotaryScaling | None = None
) -> tuple[Tensor, Tensor]:
    """Return cos and sin (L, E/2) of the rotary angles of positions start, start + 1, …, as float64 on the CPU."""
    angles = torch.arange(start, start + length).double()[:, None] / rotary_periods(width, base, scaling)
    return angles.cos(), angles.sin()


def rotary_periods(width: int, base: float, scaling: RotaryScaling | None = None) -> Tensor:
    """Return how many positions rotate each pair of dimensions by an angle of 1, as (E/2,) float64.

    A wave length is 2π times that.
    """
    if scaling is None:
        return _periods(width, base)
    if scaling.kind == "linear":
        return _periods(width, base) * scaling.factor
    if scaling.kind == "ntk":
        return _periods(width, base * scaling.factor ** (width / (width - 2)))
    periods, low, high = _periods(width, base), scaling.low_frequency_factor, scaling.high_frequency_factor
    turns = scaling.original_length / (2 * math.pi * periods)  # full turns of a pair within the training length
    kept = ((turns - low) / (high - low)).clamp(0, 1)  # 1: a wave so short that it stays as it is
    return periods / (kept + (1 - kept) / scaling.factor)


def apply_rotary(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate each adjacent pair of dimensions of x (..., L, E) by the angle whose cos and sin (L, E/2) are given."""
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)


def apply_rotary_halves(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate like `apply_rotary`, but pair number i of the first half with number i of the second half."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


def rotate_partial(rotation: Callable[[Tensor, Tensor, Tensor], Tensor], x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate the first W of the E dimensions of x (..., L, E), and leave the others unchanged.

    rotation: the function that rotates them.
    cos, sin: (L, W/2).
    """
    width = 2 * cos.shape[-1]
    return torch.cat([rotation(x[..., :width], cos, sin), x[..., width:]], dim=-1)


def alibi_slopes(heads: int) -> Tensor:
    """Return the slopes (H,) of ALiBi, the sequence 2^(−8/H), 2^(−16/H), … (Press et al. 2022, section 3).

    If the number of heads is no power of two, follow the paper's recipe: the slopes of the next lower power, then every
    second slope of the next higher power.
    """
    power = 2 ** int(math.log2(heads))
    slopes = [2 ** (-8 * (i + 1) / power) for i in range(power)]
    between = [2 ** (-8 * (i + 1) / (2 * power)) for i in range(0, 2 * power, 2)]
    return torch.tensor(slopes + between[: heads - power])


def alibi_bias(heads: int, queries: int, keys: int) -> Tensor:
    """Return the bias (H, Q, K) that ALiBi adds to the scores: −slope · |i − j|; the last query is at the last key.

    The paper is causal, so i − j ≥ 0; without a causal mask the distance counts on both sides.
    """
    distance = (torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)).abs()
    return -alibi_slopes(heads)[:, None, None] * distance


def _periods(width: int, base: float) -> Tensor:
    """Return base^(2i/width) for each pair i, as (ceil(width/2),) float64."""
    return base ** (torch.arange(0, width, 2, dtype=torch.float64) / width)
