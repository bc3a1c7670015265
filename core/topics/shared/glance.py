"""A summary of a run: its sizes, and one head's pattern made small.

It is used to show how a change of a setting changes the model.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import max_pool2d

from core.model.transformer import Transformer, parameter_count
from core.text.pieces import AnyTokenizer
from core.topics.shared.loading import up_to
from core.topics.shared.places import HeadAddress, mask_of, to_numpy
from core.tracing.run import Run, execute, prepare

MAX_SIDE_CELLS = 48


@dataclass(frozen=True, eq=False)
class Glance:
    """A summary of a run: one head's pattern made small, and the sizes of the model.

    pattern: the largest weight of each tile × tile cells of one head's pattern, −inf if the mask hides them all.
    sizes: the quantities that a setting may change, by name.
    parameters: the parameters of the whole model.
    """

    pattern: np.ndarray
    tile: int
    sizes: Mapping[str, str | int]
    parameters: int


def glance(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> Glance:
    """Return the sizes of a run, and the pattern of the head at this place with at most `MAX_SIDE_CELLS` a side."""
    inputs = prepare(run, tokenizer)
    allowed = mask_of(inputs, place)
    key = place.prefix + "pattern"
    short, less = up_to(model, run, place)
    pattern = execute(short, less, inputs, [key], {key: lambda every: every[0, place.head].float()})[key]
    masked = pattern.masked_fill(~torch.from_numpy(allowed).to(pattern.device), -torch.inf)
    small, tile = tiled(masked[None], MAX_SIDE_CELLS)
    sizes = sizes_of(run) | {"pattern": _by(*allowed.shape), "cells that may attend": int(allowed.sum())}
    return Glance(to_numpy(small[0]), tile, sizes, parameter_count(run.config))


def sizes_of(run: Run) -> dict[str, str | int]:
    """Return the sizes of a run's model, by the names shown on screen."""
    config = run.config
    return {
        "architecture": config.architecture,
        "layers": config.layers if config.decoder_layers is None else f"{config.layers} + {config.decoder_layers}",
        "heads": config.heads,
        "d_model": config.d_model,
        "d_k": config.key_width,
        "d_v": config.value_width,
        "d_ff": config.hidden_width,
        "all W_Q of a layer": _by(config.d_model, config.heads * config.key_width),
        "all W_V of a layer": _by(config.d_model, config.n_kv_heads * config.value_width),
        "pieces known": config.vocab_size,
    }


def tiled(patterns: Tensor, size: int) -> tuple[Tensor, int]:
    """Reduce patterns (H, Q, K) to the largest weight of each square tile.

    Return at most size × size tiles for each head, and the side of a tile.
    """
    tile = -(-max(patterns.shape[-2:]) // size)
    return (max_pool2d(patterns.float(), tile, ceil_mode=True) if tile > 1 else patterns), tile


def _by(rows: int, columns: int) -> str:
    return f"{rows:,} × {columns:,}"
