"""BERT, with its masked-word head if the files hold it (Devlin et al. 2019)."""

import re
from collections.abc import Collection
from typing import Any

from core.checkpoints.real.families.record import ClassHead, RealFamily
from core.checkpoints.real.families.words import ACTIVATIONS, OTHER_HEADS
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


def bert_fields(options: Options, headed: bool) -> dict[str, Any]:
    """Return the fields of the config that BERT and RoBERTa have in common.

    headed: whether the files hold the masked-word head.
    """
    options.fixed("position_embedding_type", "absolute")
    return {
        "architecture": "encoder",
        "vocab_size": options.whole("vocab_size"),
        "d_model": options.whole("hidden_size"),
        "heads": options.heads("num_attention_heads"),
        "layers": options.depth("num_hidden_layers"),
        "d_ff": options.whole("intermediate_size"),
        "activation": options.choice("hidden_act", "gelu", ACTIVATIONS),
        "norm_position": "post",
        "norm_eps": options.number("layer_norm_eps", 1e-12),
        "positions": "learned",
        "max_length": options.whole("max_position_embeddings"),
        "tied": options.flag("tie_word_embeddings", True) or not headed,
        "scale_embeddings": False,
        "embedding_norm": True,
        "token_types": options.whole("type_vocab_size", 2),
        "masked_head": headed,
        "output_bias": headed,
    }


def bert_body(table: WeightTable, config: TransformerConfig, prefix: str) -> None:
    """Map the tensors of the body, except the positions; all their names begin with a prefix."""
    embeddings = f"{prefix}embeddings."
    table.take(f"{embeddings}word_embeddings.weight", "embed.weight")
    table.take(f"{embeddings}token_type_embeddings.weight", "types.weight")
    table.linear(f"{embeddings}LayerNorm", "embed_norm")
    for layer in range(config.layers):
        table.linears(f"{prefix}encoder.layer.{layer}.", f"encoder.{layer}.", NAMES)


def bert_head(table: WeightTable, config: TransformerConfig, transform: str, norm: str, out: str, bias: str) -> None:
    """Map the tensors of the masked-word head, if there is one.

    transform, norm: the head's dense layer and its norm.
    out: the layer that computes the logits of the pieces.
    bias: the bias on the logits, which is a tensor of its own if the embeddings are tied.
    """
    if not config.masked_head:
        return
    table.linear(transform, "masked_head.dense")
    table.linear(norm, "masked_head.norm")
    if config.tied:
        table.take(bias, "output_bias")
        table.copies |= {f"{out}.bias": "output_bias", f"{out}.weight": "embed.weight"}
    else:
        table.take(f"{out}.bias", "output_bias")
        table.take(f"{out}.weight", "unembed.weight")


def _config(options: Options, held: Collection[str]) -> TransformerConfig:
    return TransformerConfig(**bert_fields(options, any(name.startswith("cls.predictions.") for name in held)))


def _fill(table: WeightTable, config: TransformerConfig) -> None:
    bert_body(table, config, "bert.")
    table.take("bert.embeddings.position_embeddings.weight", "positions.weight")
    head = "cls.predictions."
    bert_head(table, config, f"{head}transform.dense", f"{head}transform.LayerNorm", f"{head}decoder", f"{head}bias")
    # Not read by the masked-word head: the pooled first token, next-sentence prediction, heads for other tasks.
    unused = [
        r"bert\.(pooler\..*|embeddings\.position_ids)",
        r"cls\.seq_relationship\..*",
        OTHER_HEADS,
    ]
    table.unused = re.compile("|".join([*unused, r"cls\.predictions\.bias"] if not config.tied else unused))


BERT = RealFamily(
    "bert",
    "BERT",
    _config,
    _fill,
    prefix="bert.",
    classes=ClassHead("bert.pooler.dense", "classifier"),
    code="Bert",
    renamed=((".LayerNorm.gamma", ".LayerNorm.weight"), (".LayerNorm.beta", ".LayerNorm.bias")),
)
