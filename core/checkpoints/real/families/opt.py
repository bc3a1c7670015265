"""OPT (Zhang et al. 2022)."""

import re
from collections.abc import Collection

from core.checkpoints.real.families.record import RealFamily
from core.checkpoints.real.families.words import ACTIVATIONS, OTHER_HEADS
from core.checkpoints.real.options import Options
from core.checkpoints.real.table import WeightTable
from core.model.config import TransformerConfig

SKIPPED_ROWS = 2  # rows of the table of positions before that of the first token
NAMES = (
    ("self_attn.q_proj", "attn.w_q"),
    ("self_attn.k_proj", "attn.w_k"),
    ("self_attn.v_proj", "attn.w_v"),
    ("self_attn.out_proj", "attn.w_o"),
    ("self_attn_layer_norm", "norm_attn"),
    ("fc1", "ffn.w_1"),
    ("fc2", "ffn.w_2"),
    ("final_layer_norm", "norm_ffn"),
)


def _config(options: Options, held: Collection[str]) -> TransformerConfig:
    width, biased = options.whole("hidden_size"), options.flag("enable_bias", True)
    options.fixed("word_embed_proj_dim", width)
    options.fixed("layer_norm_elementwise_affine", True)
    options.fixed("_remove_final_layer_norm", False)
    return TransformerConfig(
        "decoder",
        vocab_size=options.whole("vocab_size"),
        d_model=width,
        heads=options.heads("num_attention_heads"),
        layers=options.depth("num_hidden_layers"),
        d_ff=options.whole("ffn_dim"),
        activation=options.choice("activation_function", "relu", ACTIVATIONS),
        norm_position="pre" if options.flag("do_layer_norm_before", True) else "post",
        positions="learned",
        max_length=options.whole("max_position_embeddings"),
        tied=options.flag("tie_word_embeddings", True),
        scale_embeddings=False,
        qkv_bias=biased,
        out_bias=biased,
        ffn_bias=biased,
    )


def _fill(table: WeightTable, config: TransformerConfig) -> None:
    body = "model.decoder."
    table.take(f"{body}embed_tokens.weight", "embed.weight")
    table.take_behind(f"{body}embed_positions.weight", "positions.weight", SKIPPED_ROWS)
    for layer in range(config.layers):
        table.linears(f"{body}layers.{layer}.", f"decoder.{layer}.", NAMES)
    if config.ends_with_norm:
        table.linear(f"{body}final_layer_norm", "decoder_norm")
    table.unembedding("lm_head.weight", config.tied)
    table.unused = re.compile(OTHER_HEADS)


OPT = RealFamily("opt", "OPT", _config, _fill, prefix="model.")
