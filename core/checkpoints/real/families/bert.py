"""BERT, with its masked-word head where a file holds it (Devlin et al. 2019)."""

import re
from collections.abc import Collection

from core.checkpoints.real.families.record import RealFamily
from core.checkpoints.real.families.words import ACTIVATIONS
from core.checkpoints.real.options import Options
from core.checkpoints.real.table import WeightTable
from core.model.config import TransformerConfig

NAMES = (
    ("attention.self.query", "attn.w_q"),
    ("attention.self.key", "attn.w_k"),
    ("attention.self.value", "attn.w_v"),
    ("attention.output.dense", "attn.w_o"),
    ("attention.output.LayerNorm", "norm_attn"),
    ("intermediate.dense", "ffn.w_1"),
    ("output.dense", "ffn.w_2"),
    ("output.LayerNorm", "norm_ffn"),
)


def _config(options: Options, held: Collection[str]) -> TransformerConfig:
    options.fixed("position_embedding_type", "absolute")
    headed = any(name.startswith("cls.predictions.") for name in held)
    return TransformerConfig(
        "encoder",
        vocab_size=options.whole("vocab_size"),
        d_model=options.whole("hidden_size"),
        heads=options.heads("num_attention_heads"),
        layers=options.depth("num_hidden_layers"),
        d_ff=options.whole("intermediate_size"),
        activation=options.choice("hidden_act", "gelu", ACTIVATIONS),
        norm_position="post",
        norm_eps=options.number("layer_norm_eps", 1e-12),
        positions="learned",
        max_length=options.whole("max_position_embeddings"),
        tied=options.flag("tie_word_embeddings", True) or not headed,
        scale_embeddings=False,
        embedding_norm=True,
        token_types=options.whole("type_vocab_size", 2),
        masked_head=headed,
        output_bias=headed,
    )


def _fill(table: WeightTable, config: TransformerConfig) -> None:
    body = "bert.embeddings."
    table.take(f"{body}word_embeddings.weight", "embed.weight")
    table.take(f"{body}position_embeddings.weight", "positions.weight")
    table.take(f"{body}token_type_embeddings.weight", "types.weight")
    table.linear(f"{body}LayerNorm", "embed_norm")
    for layer in range(config.layers):
        theirs, ours = f"bert.encoder.layer.{layer}.", f"encoder.{layer}."
        table.linears(theirs, ours, NAMES)
    # What the masked-word head does not read: the pooled first token, which sentence comes next, heads for other tasks.
    unused = [
        r"bert\.(pooler\..*|embeddings\.position_ids)",
        r"cls\.seq_relationship\..*",
        r"(classifier|qa_outputs)\..*",
    ]
    head = "cls.predictions."
    if config.masked_head:
        table.linear(f"{head}transform.dense", "masked_head.dense")
        table.linear(f"{head}transform.LayerNorm", "masked_head.norm")
    if config.masked_head and config.tied:
        table.take(f"{head}bias", "output_bias")
        table.copies |= {f"{head}decoder.bias": "output_bias", f"{head}decoder.weight": "embed.weight"}
    elif config.masked_head:
        table.take(f"{head}decoder.bias", "output_bias")
        table.take(f"{head}decoder.weight", "unembed.weight")
        unused.append(r"cls\.predictions\.bias")
    table.unused = re.compile("|".join(unused))


BERT = RealFamily(
    "bert",
    "BERT",
    _config,
    _fill,
    prefix="bert.",
    renamed=((".LayerNorm.gamma", ".LayerNorm.weight"), (".LayerNorm.beta", ".LayerNorm.bias")),
)
