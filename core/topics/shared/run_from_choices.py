"""Turning the plain values that a person chooses into a run: its config, mask and model."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from core.checkpoints.source import ModelSource, Shipped
from core.model.config import ARCHITECTURES, TransformerConfig
from core.text.special import TextFormat
from core.topics.shared.named_masks import PADDING, masks_of_settings
from core.tracing.run import Run

__all__ = ["ARCHITECTURES", "chosen_of", "fresh_config", "run_of", "text_run"]
SCORES = {"scaled dot": "scaled_dot"}


def run_of(chosen: Mapping[str, Any], text: str, target: str, vocab_size: int, trained: Shipped | None = None) -> Run:
    """Return a run of fresh weights, or of a trained model.

    chosen: kind, d, h, n, dk, dv, ff, act, norm, normkind, residual, pos, base, score, tied, seed, tok (of fresh
        weights), mask, the sizes of masks, pads and placement.
    vocab_size: the number of pieces of the tokenizer of fresh weights.
    Raises ValueError if the values do not go together.
    """
    config = trained.config if trained else fresh_config(chosen, vocab_size)
    masks = masks_of_settings(chosen["mask"], config.architecture, chosen)
    pads = chosen["pads"] if PADDING in chosen["mask"] else 0
    target = target if config.has_two_stacks else ""
    run = Run(text, config, target, chosen["tok"], masks, pads, placement=chosen["placement"])
    if trained is None:
        return run
    return replace(run, source=trained.source, format=trained.format)


def fresh_config(chosen: Mapping[str, Any], vocab_size: int) -> TransformerConfig:
    """Return the config of a model with fresh weights."""
    return TransformerConfig(
        architecture=chosen["kind"],
        vocab_size=vocab_size,
        d_model=chosen["d"],
        heads=chosen["h"],
        layers=chosen["n"],
        d_k=chosen["dk"],
        d_v=chosen["dv"],
        d_ff=chosen["ff"],
        activation=chosen["act"],
        norm_position=chosen["norm"],
        norm=chosen["normkind"],
        residual=chosen["residual"],
        positions=chosen["pos"],
        position_base=chosen["base"],
        score=SCORES.get(chosen["score"], chosen["score"]),
        tied=chosen["tied"],
        seed=chosen["seed"],
    )


def chosen_of(config: TransformerConfig) -> dict[str, Any]:
    """Return the settings from which `fresh_config` makes this config, without seed and vocabulary size."""
    scores = {score: words for words, score in SCORES.items()}
    return {
        "kind": config.architecture,
        "d": config.d_model,
        "h": config.heads,
        "n": config.layers,
        "dk": config.d_k,
        "dv": config.d_v,
        "ff": config.d_ff,
        "act": config.activation,
        "norm": config.norm_position,
        "normkind": config.norm,
        "residual": config.residual,
        "pos": config.positions,
        "base": config.position_base,
        "score": scores.get(config.score, config.score),
        "tied": config.tied,
    }


def text_run(text: str, source: ModelSource | None = None) -> Run:
    """Return a run that only names its text and the trained model whose tokenizer reads it.

    source: that model; None for the default tokenizer.
    """
    return Run(text, TransformerConfig(), source=source, format=TextFormat())
