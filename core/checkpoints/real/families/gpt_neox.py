"""GPT-NeoX, the family of Pythia (Black et al. 2022, Biderman et al. 2023)."""

import re
from collections.abc import Collection

from core.checkpoints.real.families.record import RealFamily
from core.checkpoints.real.families.words import ACTIVATIONS, OTHER_HEADS, rotary_fields
from core.checkpoints.real.options import Options
from core.checkpoints.real.table import WeightTable
from core.model.config import TransformerConfig

NAMES = (
    ("input_layernorm", "norm_attn"),
    ("attention.dense", "attn.w_o"),
    ("post_attention_layernorm", "norm_ffn"),
    ("mlp.dense_h_to_4h", "ffn.w_1"),
    ("mlp.dense_4h_to_h", "ffn.w_2"),
)


def _config(options: Options, held: Collection[str]) -> TransformerConfig:
    width, heads = options.whole("hidden_size"), options.heads("num_attention_heads")
    biased = options.flag("attention_bias", True)
    return TransformerConfig(
        "decoder",
        vocab_size=options.whole("vocab_size"),
        d_model=width,
        heads=heads,
        layers=options.depth("num_hidden_layers"),
        d_ff=options.whole("intermediate_size"),
        activation=options.choice("hidden_act", "gelu", ACTIVATIONS),
        norm_position="pre",
        norm_eps=options.number("layer_norm_eps", 1e-5),
        max_length=options.whole("max_position_embeddings"),
        tied=options.flag("tie_word_embeddings", False),
        scale_embeddings=False,
        qkv_bias=biased,
        out_bias=biased,
        parallel_residual=options.flag("use_parallel_residual", True),
        **rotary_fields(options, width // heads, base="rotary_emb_base", share="rotary_pct"),
    )


def _fill(table: WeightTable, config: TransformerConfig) -> None:
    table.take("gpt_neox.embed_in.weight", "embed.weight")
    for layer in range(config.layers):
        their_prefix, our_prefix = f"gpt_neox.layers.{layer}.", f"decoder.{layer}."
        for part in ("weight", "bias") if config.qkv_bias else ("weight",):
            projections = tuple(f"{our_prefix}attn.{name}.{part}" for name in ("w_q", "w_k", "w_v"))
            table.split_heads(f"{their_prefix}attention.query_key_value.{part}", projections, config.heads)
        table.linears(their_prefix, our_prefix, NAMES)
    table.linear("gpt_neox.final_layer_norm", "decoder_norm")
    table.unembedding("embed_out.weight", config.tied)
    # The causal mask and the rotary angles, kept as numbers.
    numbers = r"gpt_neox\.layers\.\d+\.attention\.(bias|masked_bias|rotary_emb\.inv_freq)"
    table.unused = re.compile(f"{numbers}|{OTHER_HEADS}")


GPT_NEOX = RealFamily("gpt_neox", "GPT-NeoX", _config, _fill, prefix="gpt_neox.", code="GPTNeoX")
