"""From the plain values that a person chooses to a run: the config, the mask and the checkpoint that they mean."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.checkpoints.shipped import Shipped
from core.model.config import ARCHITECTURES, TransformerConfig
from core.model.masks import MaskSpec
from core.tracing.run import Run

__all__ = ["ARCHITECTURES", "chosen_of", "fresh_config", "mask_kinds", "run_of", "text_run"]
SCORES = {"scaled dot": "scaled_dot"}


def run_of(chosen: Mapping[str, Any], text: str, target: str, vocab_size: int, trained: Shipped | None = None) -> Run:
    """A run of fresh weights, or of a trained model; ValueError where the values do not go together.

    chosen: kind, d, h, n, dk, dv, ff, act, norm, normkind, residual, pos, base, score, tied, seed, tok (of fresh
    weights), mask, window, prefix, block, pads and placement. vocab_size: of the tokenizer of fresh weights.
    """
    config = trained.config if trained else fresh_config(chosen, vocab_size)
    mask = MaskSpec(
        mask_kinds(chosen["mask"], config.architecture), chosen["window"], chosen["prefix"], chosen["block"]
    )
    pads = chosen["pads"] if "padding" in chosen["mask"] else 0
    target = target if config.has_two_stacks else ""
    run = Run(text, config, target, chosen["tok"], mask, pads, placement=chosen["placement"])
    if trained is None:
        return run
    if trained.lower:
        run = replace(run, text=run.text.lower(), target=run.target.lower())
    return replace(run, checkpoint=trained.name, begin=trained.begin, end=trained.end, special=trained.special)


def fresh_config(chosen: Mapping[str, Any], vocab_size: int) -> TransformerConfig:
    """The config of fresh weights."""
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
    """The values from which `fresh_config` makes this config again, but for the seed and the number of pieces."""
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


def mask_kinds(chosen: Sequence[str], architecture: str) -> tuple[str, ...]:
    """The masks by their names in the core. "As built" is causal in a decoder, unless a prefix takes its place."""
    kinds = {kind.replace(" ", "_") for kind in chosen if kind != "as built"}
    if "as built" in chosen and architecture != "encoder" and "prefix" not in kinds:
        kinds.add("causal")
    return tuple(sorted(kinds))


def text_run(text: str, checkpoint: str = "") -> Run:
    """A run that only names its text and the trained model whose tokenizer reads it; "" for the default tokenizer."""
    return Run(text, TransformerConfig(), checkpoint=checkpoint)
