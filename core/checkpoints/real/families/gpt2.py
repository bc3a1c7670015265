"""GPT-2 and DistilGPT-2 (Radford et al. 2019)."""

import re
from collections.abc import Collection

from core.checkpoints.real.families.record import RealFamily
from core.checkpoints.real.families.words import ACTIVATIONS, OTHER_HEADS
from core.checkpoints.real.options import Options
from core.checkpoints.real.table import WeightTable
from core.model.config import TransformerConfig


def _config(options: Options, held: Collection[str]) -> TransformerConfig:
    width = options.whole("n_embd")
    options.fixed("scale_attn_by_inverse_layer_idx", False)
    options.fixed("n_ctx", options.whole("n_positions"))
    scaled = options.flag("scale_attn_weights", True)
    return TransformerConfig(
        "decoder",
        vocab_size=options.whole("vocab_size"),
        d_model=width,
        heads=options.heads("n_head"),
        layers=options.depth("n_layer"),
        d_ff=options.whole("n_inner", 4 * width),
        activation=options.choice("activation_function", "gelu_new", ACTIVATIONS),
        norm_position="pre",
        norm_eps=options.number("layer_norm_epsilon", 1e-5),
        positions="learned",
        max_length=options.whole("n_positions"),
        score="scaled_dot" if scaled else "dot",
        tied=options.flag("tie_word_embeddings", True),
        scale_embeddings=False,
    )


def _fill(table: WeightTable, config: TransformerConfig) -> None:
    body = "transformer."
    table.take(f"{body}wte.weight", "embed.weight")
    table.take(f"{body}wpe.weight", "positions.weight")
    for layer in range(config.layers):
        their_prefix, our_prefix = f"{body}h.{layer}.", f"decoder.{layer}."
        table.linear(f"{their_prefix}ln_1", f"{our_prefix}norm_attn")
        table.linear(f"{their_prefix}ln_2", f"{our_prefix}norm_ffn")
        for part in ("weight", "bias"):
            projections = [f"{our_prefix}attn.{name}.{part}" for name in ("w_q", "w_k", "w_v")]
            table.split(f"{their_prefix}attn.c_attn.{part}", projections, transposed=part == "weight")
        for their_name, our_name in (("attn.c_proj", "attn.w_o"), ("mlp.c_fc", "ffn.w_1"), ("mlp.c_proj", "ffn.w_2")):
            table.take_transposed(f"{their_prefix}{their_name}.weight", f"{our_prefix}{our_name}.weight")
            table.take(f"{their_prefix}{their_name}.bias", f"{our_prefix}{our_name}.bias")
    table.linear(f"{body}ln_f", "decoder_norm")
    table.unembedding("lm_head.weight", config.tied)
    # The causal mask, kept as numbers.
    table.unused = re.compile(rf"(transformer\.)?h\.\d+\.attn\.(bias|masked_bias)|{OTHER_HEADS}")


GPT2 = RealFamily(
    "gpt2",
    "GPT-2",
    _config,
    _fill,
    prefix="transformer.",
    code="GPT2",
    aliases=(
        ("hidden_size", "n_embd"),
        ("max_position_embeddings", "n_positions"),
        ("num_attention_heads", "n_head"),
        ("num_hidden_layers", "n_layer"),
    ),
)
