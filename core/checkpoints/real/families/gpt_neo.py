"""GPT-Neo, the family of TinyStories (Black et al. 2021, Eldan & Li 2023): every other layer sees a window."""

import re
from collections.abc import Collection

from core.checkpoints.real.families.record import RealFamily
from core.checkpoints.real.families.words import ACTIVATIONS, OTHER_HEADS
from core.checkpoints.real.options import Options
from core.checkpoints.real.table import WeightTable
from core.model.config import TransformerConfig

NAMES = (
    ("ln_1", "norm_attn"),
    ("ln_2", "norm_ffn"),
    ("attn.attention.q_proj", "attn.w_q"),
    ("attn.attention.k_proj", "attn.w_k"),
    ("attn.attention.v_proj", "attn.w_v"),
    ("attn.attention.out_proj", "attn.w_o"),
    ("mlp.c_fc", "ffn.w_1"),
    ("mlp.c_proj", "ffn.w_2"),
)
LAYERS = {"global": False, "local": True}


def _config(options: Options, held: Collection[str]) -> TransformerConfig:
    width, layers = options.whole("hidden_size"), options.depth("num_layers")
    window, kinds = options.whole("window_size", 256), options.texts("attention_layers") or ("global", "local") * layers
    if len(kinds) < layers or not set(kinds) <= LAYERS.keys():
        raise ValueError(f"config.json: attention_layers must be {layers} of {', '.join(LAYERS)}.")
    windows = tuple(window if LAYERS[kind] else 0 for kind in kinds[:layers])
    return TransformerConfig(
        "decoder",
        vocab_size=options.whole("vocab_size"),
        d_model=width,
        heads=options.heads("num_heads"),
        layers=layers,
        d_ff=options.whole("intermediate_size", 4 * width),
        activation=options.choice("activation_function", "gelu_new", ACTIVATIONS),
        norm_position="pre",
        norm_eps=options.number("layer_norm_epsilon", 1e-5),
        positions="learned",
        max_length=options.whole("max_position_embeddings"),
        score="dot",
        tied=options.flag("tie_word_embeddings", True),
        scale_embeddings=False,
        qkv_bias=False,
        windows=windows if any(windows) else (),
    )


def _fill(table: WeightTable, config: TransformerConfig) -> None:
    table.take("transformer.wte.weight", "embed.weight")
    table.take("transformer.wpe.weight", "positions.weight")
    for layer in range(config.layers):
        table.linears(f"transformer.h.{layer}.", f"decoder.{layer}.", NAMES)
    table.linear("transformer.ln_f", "decoder_norm")
    table.unembedding("lm_head.weight", config.tied)
    # The causal mask, kept as numbers.
    table.unused = re.compile(rf"transformer\.h\.\d+\.attn\.attention\.(bias|masked_bias)|{OTHER_HEADS}")


GPT_NEO = RealFamily(
    "gpt_neo",
    "GPT-Neo",
    _config,
    _fill,
    prefix="transformer.",
    code="GPTNeo",
    aliases=(("num_attention_heads", "num_heads"), ("num_hidden_layers", "num_layers")),
)
