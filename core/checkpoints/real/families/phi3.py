"""Phi-3: Llama with merged projections (Abdin et al. 2024)."""

import re
from collections.abc import Collection

from core.checkpoints.real.families.llama import llama_fields
from core.checkpoints.real.families.record import RealFamily
from core.checkpoints.real.families.words import OTHER_HEADS
from core.checkpoints.real.options import Options
from core.checkpoints.real.table import WeightTable
from core.model.config import TransformerConfig

NAMES = (
    ("input_layernorm", "norm_attn"),
    ("self_attn.o_proj", "attn.w_o"),
    ("post_attention_layernorm", "norm_ffn"),
    ("mlp.down_proj", "ffn.w_2"),
)


def _config(options: Options, held: Collection[str]) -> TransformerConfig:
    fields = llama_fields(options) | {"norm_eps": options.number("rms_norm_eps", 1e-5)}
    windows = (options.whole("sliding_window"),) * fields["layers"] if "sliding_window" in options else ()
    return TransformerConfig(**fields, windows=windows)


def _fill(table: WeightTable, config: TransformerConfig) -> None:
    table.take("model.embed_tokens.weight", "embed.weight")
    for layer in range(config.layers):
        their_prefix, our_prefix = f"model.layers.{layer}.", f"decoder.{layer}."
        table.linears(their_prefix, our_prefix, NAMES)
        table.split(
            f"{their_prefix}self_attn.qkv_proj.weight",
            [f"{our_prefix}attn.{name}.weight" for name in ("w_q", "w_k", "w_v")],
        )
        table.split(
            f"{their_prefix}mlp.gate_up_proj.weight", [f"{our_prefix}ffn.{name}.weight" for name in ("w_1", "w_3")]
        )
    table.linear("model.norm", "decoder_norm")
    table.unembedding("lm_head.weight", config.tied)
    table.unused = re.compile(OTHER_HEADS)


PHI3 = RealFamily("phi3", "Phi-3", _config, _fill, prefix="model.", code="Phi3")
