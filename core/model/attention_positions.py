"""Positions that act inside self-attention: they rotate queries and keys, or add a bias to the scores.

Both are the same in every layer of a stack, so they are computed once for a forward pass. Shapes: Q new tokens, K
tokens in all, H heads, W rotated dimensions of a head.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import torch
from torch import Tensor, nn

from core.model.config import TransformerConfig
from core.model.positions import alibi_bias, apply_rotary, apply_rotary_halves, rotary_cos_sin, rotate_partial


class RotaryOrBias(NamedTuple):
    """The effect of positions inside self-attention; a field is None if it does not apply.

    turns: cos and sin (Q, W/2) of the rotary angles.
    bias: added to the scores, (H, Q, K).
    """

    turns: tuple[Tensor, Tensor] | None = None
    bias: Tensor | None = None


class NoAttentionPositions(nn.Module):
    """Positions without an effect inside self-attention: they are added to the embeddings, or there are none."""

    def forward(self, start: int, new: int, like: Tensor) -> RotaryOrBias:
        """Return the effect on `new` tokens after `start` others, in the number format and on the device of `like`."""
        return RotaryOrBias()


class RotaryAngles(nn.Module):
    """Rotary positions (RoFormer, Su et al. 2021)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config

    def forward(self, start: int, new: int, like: Tensor) -> RotaryOrBias:
        config = self.config
        cos, sin = rotary_cos_sin(new, config.rotary_dim, config.position_base, start, config.rotary_scaling)
        return RotaryOrBias(turns=(cos.to(like), sin.to(like)))


class Alibi(nn.Module):
    """Attention with linear biases (ALiBi, Press et al. 2022)."""

    def __init__(self, heads: int) -> None:
        super().__init__()
        self.heads = heads

    def forward(self, start: int, new: int, like: Tensor) -> RotaryOrBias:
        return RotaryOrBias(bias=alibi_bias(self.heads, new, start + new).to(like))


class RelativeBias(nn.Module):
    """A learned bias for each head and bucket of distances (T5; Raffel et al. 2020, section 2.1).

    two_sided: whether keys after the query have buckets of their own, as in an encoder.
    """

    def __init__(self, config: TransformerConfig, two_sided: bool) -> None:
        super().__init__()
        self.table = nn.Embedding(config.relative_buckets, config.heads)
        self.max_distance, self.two_sided = config.relative_distance, two_sided

    def forward(self, start: int, new: int, like: Tensor) -> RotaryOrBias:
        device = self.table.weight.device
        keys = torch.arange(start + new, device=device)
        steps = keys - keys[start:, None]  # (Q, K)
        buckets = relative_bucket(steps, self.table.num_embeddings, self.max_distance, self.two_sided)
        return RotaryOrBias(bias=self.table(buckets).permute(2, 0, 1).to(like))  # (H, Q, K)


def relative_bucket(steps: Tensor, buckets: int, max_distance: int, two_sided: bool) -> Tensor:
    """Return the bucket of each key's distance from its query.

    Each short distance has a bucket of its own; for longer ones the buckets grow ever wider up to `max_distance`, and
    the last one holds all greater distances. If one-sided, keys after the query share the bucket of distance 0.

    steps: the positions from query to key, negative for a key before its query.
    buckets: the number of buckets.
    """
    side = torch.zeros_like(steps)
    if two_sided:
        buckets //= 2
        side = (steps > 0) * buckets
        distance = steps.abs()
    else:
        distance = (-steps).clamp(min=0)
    exact = buckets // 2
    grown = torch.log(distance.clamp(min=1).float() / exact) / math.log(max_distance / exact) * (buckets - exact)
    far = (exact + grown.long()).clamp(max=buckets - 1)
    return side + torch.where(distance < exact, distance, far)


def make_positions(config: TransformerConfig | None) -> nn.Module:
    """Return the module for positions inside self-attention that have no learned weights.

    config: None for cross-attention, in which no positions act.
    """
    if config is None or config.positions not in ("rotary", "alibi"):
        return NoAttentionPositions()
    return RotaryAngles(config) if config.positions == "rotary" else Alibi(config.heads)


def make_shared_positions(config: TransformerConfig, two_sided: bool) -> nn.Module:
    """Return the module for positions inside all self-attentions of a stack, with any learned weights."""
    return RelativeBias(config, two_sided) if config.positions == "relative" else make_positions(config)


def make_rotary(config: TransformerConfig) -> Callable[[Tensor, Tensor, Tensor], Tensor]:
    """Return the function that rotates queries and keys (…, L, E) as the config asks.

    The config says which dimensions make a pair, and how many of a head are rotated at all.
    """
    rotation = apply_rotary if config.rotary_pairs == "adjacent" else apply_rotary_halves
    return rotation if config.rotary_dim == config.key_width else partial(rotate_partial, rotation)
