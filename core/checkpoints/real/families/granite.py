"""Granite, and Granite with windows and sink logits (IBM 2024, 2026): Llama with four multipliers.

The multipliers of the embeddings, of the scores and of what each block adds are multiplied into the weights when they
are read; that of the logits is `TransformerConfig.logit_scale`.
"""

from collections.abc import Collection
from math import sqrt
from typing import Any

from core.checkpoints.real.families.llama import llama_fields, llama_fill
from core.checkpoints.real.families.record import RealFamily
from core.checkpoints.real.families.words import sliding_layers
from core.checkpoints.real.options import Options
from core.model.config import TransformerConfig

MULTIPLIERS = ("embedding_multiplier", "attention_multiplier", "residual_multiplier", "logits_scaling")
MAX_MULTIPLIER = 1e6  # far above those of any model, and far below what makes float32 infinite


def _multipliers(options: Options) -> tuple[float, ...]:
    return tuple(options.number(name, 1.0, MAX_MULTIPLIER) for name in MULTIPLIERS)


def _factors(options: Options, config: TransformerConfig) -> dict[str, float]:
    """Return the numbers that multiply the weights and biases of our layers, by the names of these layers."""
    embedding, attention, residual, _ = _multipliers(options)
    return {"embed": embedding, "w_q": attention * sqrt(config.key_width), "w_o": residual, "w_2": residual}


def _fields(options: Options, norm_eps: float, tied: bool) -> dict[str, Any]:
    """Return the fields of the config that both families have in common.

    norm_eps, tied: what holds if the options do not say these.
    """
    biased, tied = options.flag("attention_bias", False), options.flag("tie_word_embeddings", tied)
    embedding, _, _, divisor = _multipliers(options)
    return {
        **llama_fields(options),
        "norm_eps": options.number("rms_norm_eps", norm_eps),
        "tied": tied,
        "qkv_bias": biased,
        "out_bias": biased,
        "ffn_bias": options.flag("mlp_bias", False),
        # A table of embeddings that computes the logits too holds the embeddings' multiplier, which is undone here.
        "logit_scale": 1 / divisor / (embedding if tied else 1.0),
    }


def _granite(options: Options, held: Collection[str]) -> TransformerConfig:
    return TransformerConfig(**_fields(options, norm_eps=1e-6, tied=False))


def _granite_swa(options: Options, held: Collection[str]) -> TransformerConfig:
    fields = _fields(options, norm_eps=1e-5, tied=True)
    if "num_key_value_heads" not in options.nulls:
        fields["kv_heads"] = options.heads("num_key_value_heads", 4)
    layers = fields["layers"]
    return TransformerConfig(
        **{**fields, **_positions(options, layers), "windows": _windows(options, layers), "sink_logits": True}
    )


def _windows(options: Options, layers: int) -> tuple[int, ...]:
    """Return for each layer the number of tokens that a query sees, 0 for all; () if no layer has a window."""
    slides = sliding_layers(options, [layer % 4 > 0 for layer in range(layers)])
    if any(slides) and "sliding_window" in options.nulls:
        raise ValueError("config.json: sliding_window is null, but layer_types names layers that have a window.")
    window = options.whole("sliding_window", 128)
    return tuple(window if slide else 0 for slide in slides) if any(slides) else ()


def _positions(options: Options, layers: int) -> dict[str, Any]:
    """Return the fields that the base of each layer changes; a base of 0 stands for no positions."""
    bases = options.numbers("layer_rope_theta")
    if bases is None:
        return {}
    if len(bases) != layers:
        raise ValueError(f"config.json: layer_rope_theta must be {layers} numbers, one for each layer.")
    if len(set(bases)) > 1:
        raise ValueError("config.json: layer_rope_theta differs between layers; only one base can be carried out.")
    if 0 < bases[0] <= 1:
        raise ValueError(f"config.json: layer_rope_theta is {bases[0]:g} in each layer, and must be 0 or above 1.")
    return {"position_base": bases[0]} if bases[0] else {"positions": "none"}


GRANITE = RealFamily("granite", "Granite", _granite, llama_fill, prefix="model.", factors=_factors)
GRANITE_SWA = RealFamily(
    "granite_swa", "Granite SWA", _granite_swa, llama_fill, prefix="model.", code="GraniteSWA", factors=_factors
)
