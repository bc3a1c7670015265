"""Marian, models for translation between many languages (Junczys-Dowmunt et al. 2018, Tiedemann & Thottingal 2020)."""

from collections.abc import Collection
from functools import partial

from core.checkpoints.real.families.record import RealFamily
from core.checkpoints.real.families.words import ACTIVATIONS
from core.checkpoints.real.options import Options
from core.checkpoints.real.table import WeightTable
from core.model.config import TransformerConfig
from core.model.positions import sinusoidal

ATTENTION = ((".q_proj", "w_q"), (".k_proj", "w_k"), (".v_proj", "w_v"), (".out_proj", "w_o"))


def _config(options: Options, held: Collection[str]) -> TransformerConfig:
    vocabulary, layers = options.whole("vocab_size"), options.depth("encoder_layers")
    heads, d_ff = options.heads("encoder_attention_heads"), options.whole("encoder_ffn_dim")
    for name, *values in (
        ("share_encoder_decoder_embeddings", True),
        ("decoder_vocab_size", vocabulary),
        ("decoder_attention_heads", heads),
        ("decoder_ffn_dim", d_ff),
        ("tie_word_embeddings", True),
        ("add_bias_logits", False),
        ("add_final_layer_norm", False),
        ("extra_pos_embeddings", 0, vocabulary, vocabulary + 1),
        ("normalize_before", False),
        ("normalize_embedding", False),
        ("static_position_embeddings", True),
        ("do_blenderbot_90_layernorm", False),
    ):
        options.fixed(name, *values)
    return TransformerConfig(
        "encoder-decoder",
        vocab_size=vocabulary,
        d_model=options.whole("d_model"),
        heads=heads,
        layers=layers,
        decoder_layers=options.depth("decoder_layers"),
        d_ff=d_ff,
        activation=options.choice("activation_function", "gelu", ACTIVATIONS),
        norm_position="post",
        positions="sinusoidal",
        sinusoids="halves",
        max_length=options.whole("max_position_embeddings"),
        tied=True,
        scale_embeddings=options.flag("scale_embedding", False),
        output_bias=True,
    )


def _fill(table: WeightTable, config: TransformerConfig) -> None:
    sinusoids = partial(sinusoidal, config.max_length, config.d_model, config.position_base, config.sinusoids)
    table.take("model.shared.weight", "embed.weight")
    for stack in config.stacks:
        for layer in range(config.depth(stack)):
            their_prefix, our_prefix = f"model.{stack}.layers.{layer}.", f"{stack}.{layer}."
            table.linears(f"{their_prefix}self_attn", f"{our_prefix}attn.", ATTENTION)
            table.linear(f"{their_prefix}self_attn_layer_norm", f"{our_prefix}norm_attn")
            if stack == "decoder":
                table.linears(f"{their_prefix}encoder_attn", f"{our_prefix}cross.", ATTENTION)
                table.linear(f"{their_prefix}encoder_attn_layer_norm", f"{our_prefix}norm_cross")
            table.linear(f"{their_prefix}fc1", f"{our_prefix}ffn.w_1")
            table.linear(f"{their_prefix}fc2", f"{our_prefix}ffn.w_2")
            table.linear(f"{their_prefix}final_layer_norm", f"{our_prefix}norm_ffn")
        table.copies[f"model.{stack}.embed_tokens.weight"] = "embed.weight"
        table.constants[f"model.{stack}.embed_positions.weight"] = (config.max_length, config.d_model), sinusoids
    table.take_row("final_logits_bias", "output_bias")
    table.copies["lm_head.weight"] = "embed.weight"


MARIAN = RealFamily(
    "marian",
    "Marian",
    _config,
    _fill,
    aliases=(
        ("hidden_size", "d_model"),
        ("num_attention_heads", "encoder_attention_heads"),
        ("num_hidden_layers", "encoder_layers"),
    ),
)
