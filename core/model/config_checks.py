"""What cannot be built, said in sentences with the numbers in them."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.model.config import TransformerConfig

SIZES = ("vocab_size", "d_model", "heads", "layers", "d_k", "d_v", "d_ff", "max_length", "decoder_layers", "kv_heads")
WHOLE = (*SIZES, "token_types", "relative_buckets", "relative_distance", "rotary_width")


def check_config(config: TransformerConfig) -> None:
    """ValueError for the first thing that is wrong with the numbers of a config."""
    _check_sizes(config)
    _check_heads(config)
    _check_positions(config)
    _check_rotary(config)
    _check_windows(config)
    _check_blocks(config)
    _check_logits(config)


def _check_sizes(config: TransformerConfig) -> None:
    for name in WHOLE:
        if not isinstance(value := getattr(config, name), int | None):
            raise ValueError(f"{name} must be a whole number, not {value!r}")
    for name in SIZES:
        value = getattr(config, name)
        if value is not None and value < 1:
            raise ValueError(f"{name} must be at least 1, not {value}")
    if config.token_types < 0:
        raise ValueError(f"token_types must be at least 0, not {config.token_types}")
    if not 0 <= config.dropout < 1:
        raise ValueError(f"dropout must be at least 0 and below 1, not {config.dropout}")
    for name in ("norm_eps", "logit_scale"):
        if not 0 < (value := getattr(config, name)) < inf:
            raise ValueError(f"{name} must be above 0 and finite, not {value}")


def _check_heads(config: TransformerConfig) -> None:
    if (config.d_k is None or config.d_v is None) and config.d_model % config.heads:
        lower = config.d_model - config.d_model % config.heads
        near = " or ".join(str(n) for n in (lower, lower + config.heads) if n)
        raise ValueError(
            f"d_model {config.d_model} is not divisible by {config.heads} heads: "
            f"take d_model {near}, or set d_k and d_v yourself"
        )
    if config.heads % config.n_kv_heads:
        raise ValueError(f"{config.heads} heads cannot share {config.kv_heads} heads of keys and values evenly")


def _check_positions(config: TransformerConfig) -> None:
    if not 1 < config.position_base < inf:
        raise ValueError(f"position_base must be above 1 and finite, not {config.position_base}")
    bits = (config.max_length - 1).bit_length()
    if config.positions == "binary" and config.d_model < bits:
        raise ValueError(
            f"binary positions up to {config.max_length} need {bits} bits, but d_model is only {config.d_model}"
        )
    buckets, distance = config.relative_buckets, config.relative_distance
    if buckets < 4 or buckets % 2:
        raise ValueError(f"relative_buckets must be an even number from 4 on, not {buckets}")
    if distance <= buckets // 2:
        raise ValueError(f"relative_distance must be above half of {buckets} relative_buckets, not {distance}")


def _check_rotary(config: TransformerConfig) -> None:
    width = config.rotary_width
    if width is not None and not 1 <= width <= config.key_width:
        raise ValueError(f"rotary_width must be 1 to {config.key_width}, a head's d_k, not {width}")
    if config.positions != "rotary":
        return
    if config.turned_width % 2:
        name = "d_k" if width is None else "rotary_width"
        raise ValueError(f"rotary positions turn pairs of numbers, so {name} must be even, not {config.turned_width}")
    if config.rotary_scaling and config.rotary_scaling.kind == "ntk" and config.turned_width < 4:
        raise ValueError(f"NTK scaling needs at least 4 numbers that turn, not {config.turned_width}")


def _check_windows(config: TransformerConfig) -> None:
    if not config.windows:
        return
    if "decoder" not in config.stacks:
        raise ValueError(f"windows are for the blocks of a decoder, not of an {config.architecture}")
    if len(config.windows) != config.depth("decoder"):
        raise ValueError(f"{len(config.windows)} windows do not fit {config.depth('decoder')} blocks of the decoder")
    if min(config.windows) < 0:
        raise ValueError(f"a window is 0 (all tokens) or more, not {min(config.windows)}")


def _check_blocks(config: TransformerConfig) -> None:
    if config.decoder_layers is not None and not config.has_two_stacks:
        raise ValueError(
            f"decoder_layers ({config.decoder_layers}) are for an encoder-decoder; "
            f"this {config.architecture} has layers ({config.layers})"
        )
    if not config.parallel_residual:
        return
    if config.norm_position == "post" or not config.residual:
        raise ValueError("parallel_residual adds to the residual stream: take pre-norm or no norm, and residual on")
    if config.has_two_stacks:
        raise ValueError("parallel_residual is for an encoder or a decoder: cross-attention has no place in it")


def _check_logits(config: TransformerConfig) -> None:
    if config.masked_head and config.architecture != "encoder":
        raise ValueError(f"masked_head is for an encoder, not for architecture {config.architecture!r}")
    if config.output_bias and not (config.tied or config.masked_head or "decoder" in config.stacks):
        raise ValueError("output_bias needs logits, and an encoder has them with tied embeddings or masked_head only")
