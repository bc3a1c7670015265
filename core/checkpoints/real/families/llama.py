"""Llama (Touvron et al. 2023, Llama Team 2024), and the parts that Mistral, Phi-3, Qwen and Granite share with it."""

import re
from collections.abc import Collection
from typing import Any

from core.checkpoints.real.families.record import RealFamily
from core.checkpoints.real.families.words import GATES, OTHER_HEADS, rotary_fields
from core.checkpoints.real.options import Options
from core.checkpoints.real.table import WeightTable
from core.model.config import TransformerConfig

NAMES = (
    ("input_layernorm", "norm_attn"),
    ("self_attn.q_proj", "attn.w_q"),
    ("self_attn.k_proj", "attn.w_k"),
    ("self_attn.v_proj", "attn.w_v"),
    ("self_attn.o_proj", "attn.w_o"),
    ("post_attention_layernorm", "norm_ffn"),
    ("mlp.gate_proj", "ffn.w_1"),
    ("mlp.up_proj", "ffn.w_3"),
    ("mlp.down_proj", "ffn.w_2"),
)


def llama_fields(options: Options, head_width: int | None = None) -> dict[str, Any]:
    """Return the fields of the config that Llama and its relatives have in common.

    head_width: the width of a head if the options do not say; None for d_model / heads.
    """
    width, heads = options.whole("hidden_size"), options.heads("num_attention_heads")
    head_width = options.whole("head_dim", head_width or max(1, width // heads))
    return {
        "architecture": "decoder",
        "vocab_size": options.whole("vocab_size"),
        "d_model": width,
        "heads": heads,
        "kv_heads": options.heads("num_key_value_heads", heads),
        "layers": options.depth("num_hidden_layers"),
        "d_k": head_width,
        "d_v": head_width,
        "d_ff": options.whole("intermediate_size"),
        "activation": options.choice("hidden_act", "silu", GATES),
        "norm": "rmsnorm",
        "norm_position": "pre",
        "norm_eps": options.number("rms_norm_eps", 1e-6),
        "max_length": options.whole("max_position_embeddings"),
        "tied": options.flag("tie_word_embeddings", False),
        "scale_embeddings": False,
        "qkv_bias": False,
        "out_bias": False,
        "ffn_bias": False,
        **rotary_fields(options, head_width),
    }


def llama_fill(table: WeightTable, config: TransformerConfig) -> None:
    """Map the tensors of Llama and its relatives."""
    table.take("model.embed_tokens.weight", "embed.weight")
    for layer in range(config.layers):
        their_prefix, our_prefix = f"model.layers.{layer}.", f"decoder.{layer}."
        table.linears(their_prefix, our_prefix, NAMES)
        if config.qk_norm:
            table.linear(f"{their_prefix}self_attn.q_norm", f"{our_prefix}attn.q_norm")
            table.linear(f"{their_prefix}self_attn.k_norm", f"{our_prefix}attn.k_norm")
        if config.sink_logits:
            table.take(f"{their_prefix}self_attn.sinks", f"{our_prefix}attn.sink")
    table.linear("model.norm", "decoder_norm")
    table.unembedding("lm_head.weight", config.tied)
    table.unused = re.compile(rf"model\.(layers\.\d+\.self_attn\.)?rotary_emb\.inv_freq|{OTHER_HEADS}")


def _config(options: Options, held: Collection[str]) -> TransformerConfig:
    biased = options.flag("attention_bias", False)
    fields = {**llama_fields(options), "ffn_bias": options.flag("mlp_bias", False)}
    return TransformerConfig(**{**fields, "qkv_bias": biased, "out_bias": biased})


LLAMA = RealFamily("llama", "Llama", _config, llama_fill, prefix="model.")
