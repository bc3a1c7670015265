"""Qwen2 and Qwen3: Llama with biases on queries, keys and values, or with norms on queries and keys.

(Yang et al. 2024, 2025.)
"""

from collections.abc import Collection

from core.checkpoints.real.families.llama import llama_fields, llama_fill
from core.checkpoints.real.families.record import RealFamily
from core.checkpoints.real.families.words import sliding_layers
from core.checkpoints.real.options import Options
from core.model.config import TransformerConfig


def _windows(options: Options, layers: int) -> tuple[int, ...]:
    """Return for each layer the number of tokens that a query sees, 0 for all; () if no layer has a window."""
    wanted, first = options.flag("use_sliding_window", False), options.whole("max_window_layers", 28, min_value=0)
    window = options.whole("sliding_window", 4096)
    slides = sliding_layers(options, [layer >= first for layer in range(layers)])
    return tuple(window if slide else 0 for slide in slides) if wanted and any(slides) else ()


def _qwen2(options: Options, held: Collection[str]) -> TransformerConfig:
    fields = {**llama_fields(options), "qkv_bias": True}
    options.fixed("use_mrope", False)
    return TransformerConfig(**fields, windows=_windows(options, fields["layers"]))


def _qwen3(options: Options, held: Collection[str]) -> TransformerConfig:
    biased = options.flag("attention_bias", False)
    fields = {**llama_fields(options, head_width=128), "qkv_bias": biased, "out_bias": biased}
    return TransformerConfig(**fields, qk_norm=True, windows=_windows(options, fields["layers"]))


QWEN2 = RealFamily("qwen2", "Qwen2", _qwen2, llama_fill, prefix="model.")
QWEN3 = RealFamily("qwen3", "Qwen3", _qwen3, llama_fill, prefix="model.")
