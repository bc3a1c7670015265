"""DistilBERT, with its masked-word head if the files hold it (Sanh et al. 2019)."""

import re
from collections.abc import Collection

import torch

from core.checkpoints.real.families.record import ClassHead, RealFamily
from core.checkpoints.real.families.words import ACTIVATIONS, OTHER_HEADS
from core.checkpoints.real.options import Options
from core.checkpoints.real.table import WeightTable
from core.model.config import TransformerConfig

NAMES = (
    ("attention.q_lin", "attn.w_q"),
    ("attention.k_lin", "attn.w_k"),
    ("attention.v_lin", "attn.w_v"),
    ("attention.out_lin", "attn.w_o"),
    ("sa_layer_norm", "norm_attn"),
    ("ffn.lin1", "ffn.w_1"),
    ("ffn.lin2", "ffn.w_2"),
    ("output_layer_norm", "norm_ffn"),
)


def _config(options: Options, held: Collection[str]) -> TransformerConfig:
    headed = any(name.startswith("vocab_transform.") for name in held)
    return TransformerConfig(
        "encoder",
        vocab_size=options.whole("vocab_size"),
        d_model=options.whole("dim"),
        heads=options.heads("n_heads"),
        layers=options.depth("n_layers"),
        d_ff=options.whole("hidden_dim"),
        activation=options.choice("activation", "gelu", ACTIVATIONS),
        norm_position="post",
        norm_eps=1e-12,
        positions="learned",
        max_length=options.whole("max_position_embeddings"),
        tied=options.flag("tie_word_embeddings", True) or not headed,
        scale_embeddings=False,
        embedding_norm=True,
        masked_head=headed,
        output_bias=headed,
    )


def _fill(table: WeightTable, config: TransformerConfig) -> None:
    body = "distilbert.embeddings."
    table.take(f"{body}word_embeddings.weight", "embed.weight")
    table.take(f"{body}position_embeddings.weight", "positions.weight")
    table.linear(f"{body}LayerNorm", "embed_norm")
    for layer in range(config.layers):
        their_prefix, our_prefix = f"distilbert.transformer.layer.{layer}.", f"encoder.{layer}."
        table.linears(their_prefix, our_prefix, NAMES)
    if config.masked_head:
        table.linear("vocab_transform", "masked_head.dense")
        table.linear("vocab_layer_norm", "masked_head.norm")
        table.take("vocab_projector.bias", "output_bias")
        table.unembedding("vocab_projector.weight", config.tied)
    table.unused = re.compile(rf"distilbert\.embeddings\.position_ids|pre_classifier\..*|{OTHER_HEADS}")


DISTILBERT = RealFamily(
    "distilbert",
    "DistilBERT",
    _config,
    _fill,
    prefix="distilbert.",
    classes=ClassHead("pre_classifier", "classifier", torch.relu),
    code="DistilBert",
    aliases=(("hidden_size", "dim"), ("num_attention_heads", "n_heads"), ("num_hidden_layers", "n_layers")),
)
