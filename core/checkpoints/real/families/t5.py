"""T5 and T5 v1.1 (Raffel et al. 2020, Shazeer 2020)."""

import re
from collections.abc import Collection

from core.checkpoints.real.families.record import RealFamily
from core.checkpoints.real.families.words import ACTIVATIONS, GATES, OTHER_HEADS
from core.checkpoints.real.options import Options
from core.checkpoints.real.table import WeightTable
from core.model.config import TransformerConfig

FEED_FORWARD = {
    **ACTIVATIONS,
    **{f"gated-{word}": ours for word, ours in GATES.items()},
    "gated-gelu": "geglu_tanh",  # T5's gelu is the tanh form here, despite the name
}
LENGTH = 512  # the number of tokens read in training; no table of positions bounds a text
ATTENTION = ((".q", "w_q"), (".k", "w_k"), (".v", "w_v"), (".o", "w_o"))


def _config(options: Options, held: Collection[str]) -> TransformerConfig:
    layers, width = options.depth("num_layers"), options.whole("d_model")
    separate = "lm_head.weight" in held
    tied = options.flag("tie_word_embeddings", True)
    scaled = options.flag("scale_decoder_outputs", tied)
    activation = options.choice("feed_forward_proj", "relu", {word: word for word in FEED_FORWARD})
    options.fixed("dense_act_fn", "gelu_new" if activation == "gated-gelu" else activation.removeprefix("gated-"))
    options.fixed("is_gated_act", activation.startswith("gated-"))
    return TransformerConfig(
        "encoder-decoder",
        vocab_size=options.whole("vocab_size"),
        d_model=width,
        heads=options.heads("num_heads"),
        layers=layers,
        decoder_layers=options.depth("num_decoder_layers", layers),
        d_k=(head_width := options.whole("d_kv")),
        d_v=head_width,
        d_ff=options.whole("d_ff"),
        activation=FEED_FORWARD[activation],
        norm="rmsnorm",
        norm_position="pre",
        norm_eps=options.number("layer_norm_epsilon", 1e-6),
        positions="relative",
        relative_buckets=options.whole("relative_attention_num_buckets", 32),
        relative_distance=options.whole("relative_attention_max_distance", 128),
        max_length=options.whole("n_positions", LENGTH),
        score="dot",
        tied=not separate,
        scale_embeddings=False,
        qkv_bias=False,
        out_bias=False,
        ffn_bias=False,
        logit_scale=width**-0.5 if scaled else 1.0,
    )


def _fill(table: WeightTable, config: TransformerConfig) -> None:
    table.take("shared.weight", "embed.weight")
    for stack in config.stacks:
        for layer in range(config.depth(stack)):
            their_prefix, our_prefix = f"{stack}.block.{layer}.layer.", f"{stack}.{layer}."
            table.linears(f"{their_prefix}0.SelfAttention", f"{our_prefix}attn.", ATTENTION)
            table.linear(f"{their_prefix}0.layer_norm", f"{our_prefix}norm_attn")
            if stack == "decoder":
                table.linears(f"{their_prefix}1.EncDecAttention", f"{our_prefix}cross.", ATTENTION)
                table.linear(f"{their_prefix}1.layer_norm", f"{our_prefix}norm_cross")
            last = 2 if stack == "decoder" else 1
            table.linear(f"{their_prefix}{last}.layer_norm", f"{our_prefix}norm_ffn")
            first = ("wi_0", "wi_1") if config.gated else ("wi",)
            for their_name, our_name in (*zip(first, ("w_1", "w_3"), strict=False), ("wo", "w_2")):
                table.linear(f"{their_prefix}{last}.DenseReluDense.{their_name}", f"{our_prefix}ffn.{our_name}")
        table.take(
            f"{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight", f"{stack}_inner.table.weight"
        )
        table.linear(f"{stack}.final_layer_norm", f"{stack}_norm")
        table.copies[f"{stack}.embed_tokens.weight"] = "embed.weight"
    if not config.tied:
        table.take("lm_head.weight", "unembed.weight")
    # Older files hold relative positions for cross-attention, which nothing reads.
    distances = r"decoder\.block\.0\.layer\.1\.EncDecAttention\.relative_attention_bias\.weight"
    table.unused = re.compile(f"{distances}|{OTHER_HEADS}")


T5 = RealFamily(
    "t5",
    "T5",
    _config,
    _fill,
    aliases=(
        ("head_dim", "d_kv"),
        ("hidden_size", "d_model"),
        ("num_attention_heads", "num_heads"),
        ("num_hidden_layers", "num_layers"),
    ),
)
