"""Mistral: Llama with a window in every layer (Jiang et al. 2023)."""

from collections.abc import Collection

from core.checkpoints.real.families.llama import llama_fields, llama_fill
from core.checkpoints.real.families.record import RealFamily
from core.checkpoints.real.options import Options
from core.model.config import TransformerConfig


def _config(options: Options, held: Collection[str]) -> TransformerConfig:
    fields = llama_fields(options)
    options.fixed("attention_bias", False)
    options.fixed("mlp_bias", False)
    window = None if "sliding_window" in options.nulls else options.whole("sliding_window", 4096)
    windows = (window,) * fields["layers"] if window else ()
    return TransformerConfig(**fields, windows=windows)


MISTRAL = RealFamily("mistral", "Mistral", _config, llama_fill, prefix="model.")
