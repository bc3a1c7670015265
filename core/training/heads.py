"""Measures what each attention head of a model does over many texts, which it was not trained on.

The texts are those of ``assets/measured/neuron-texts.json``, which neurons are tried on too (`core.training.neurons`).
"""

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from torch import Tensor

from core.analysis.corpus_scores import corpus_scores, is_punctuation, named_scores, strongest_link
from core.analysis.head_names import best_scores
from core.checkpoints.firing import PoolText, load_pool
from core.checkpoints.head_records import (
    BINS,
    DECILES,
    STRONGEST,
    AttentionRecord,
    attentions,
    score_range,
    scores_of,
    write_heads,
)
from core.checkpoints.measured import MEASURED_FOLDER
from core.checkpoints.real.elsewhere import PREFIX, Elsewhere
from core.checkpoints.real.places import PLACE_VARIABLE, place_named
from core.checkpoints.shipped import ShippedModel
from core.checkpoints.source import ModelSource, Shipped
from core.model.config import TransformerConfig
from core.model.masks import causal, unmasked, windowed
from core.model.transformer import Transformer, build
from core.text.pieces import AnyTokenizer
from core.tracing.run import Inputs, execute, prepare
from core.training.neurons import EXACT, readable, reading

RANDOM_HEADS = 48  # the least number of heads with random weights from which the chance level is taken
RANDOM_TEXTS = 300  # of the texts, evenly spaced, that they read


@dataclass(eq=False)
class Measured:
    """What the heads of one attention did on each text so far: lists with one entry (N, H) for each text.

    read: what determines the strongest link of a text: the ids that the query may see.
    """

    number: list[int] = field(default_factory=list)
    query: list[np.ndarray] = field(default_factory=list)
    key: list[np.ndarray] = field(default_factory=list)
    weight: list[np.ndarray] = field(default_factory=list)
    scores: dict[str, list[np.ma.MaskedArray]] = field(default_factory=dict)
    read: list[tuple[tuple[int, ...], tuple[int, ...]]] = field(default_factory=list)

    def means(self) -> dict[str, np.ma.MaskedArray]:
        """Return the mean (N, H) of each score over the texts that have it."""
        return {score: np.ma.stack(values).mean(0) for score, values in self.scores.items()}


def measure(
    model: Transformer, tokenizer: AnyTokenizer, shipped_model: Shipped, texts: Sequence[tuple[int, PoolText]]
) -> dict[str, Measured]:
    """Let a model read texts and return what its heads do on each, by attention: "encoder", "decoder" or "cross".

    texts: with their numbers in the pool, from `readable`.
    """
    config = shipped_model.config
    measured = {attention: Measured() for attention in attentions(config)}
    sites = {attention: _sites(config, attention) for attention in measured}
    for done, (number, pool_text) in enumerate(texts):
        if done % 500 == 0:
            print(f"{done:,} of {len(texts):,} texts", flush=True)
        run = reading(pool_text, shipped_model)
        inputs = prepare(run, tokenizer)
        trace = execute(model, run, inputs, [key for keys in sites.values() for key in keys])
        for attention, kept in measured.items():
            patterns = np.concatenate([_numpy(trace[key]) for key in sites[attention]])  # (N, H, Q, K)
            _add(kept, number, inputs, attention, patterns)
    return measured


def summarise_attention(measured: Measured, attention: str, reached: Mapping[str, float], seed: int) -> AttentionRecord:
    """Return the record of one attention: the contexts of each head, and the distributions of its scores.

    reached: the best mean of each score among heads with random weights.
    seed: which text of each decile is kept.
    """
    weights = np.stack(measured.weight)  # (T, N, H)
    layers, heads = weights.shape[1:]
    draw = np.random.default_rng(seed)
    chosen = np.full((layers, heads, STRONGEST + DECILES), -1)
    for layer, head in np.ndindex(layers, heads):
        chosen[layer, head] = _contexts(measured, layer, head, draw)
    at = np.maximum(chosen, 0)
    where = np.arange(layers)[:, None, None], np.arange(heads)[None, :, None]
    query, key = (np.stack(values)[at, *where] for values in (measured.query, measured.key))
    means, scores = measured.means(), scores_of(attention)
    return AttentionRecord(
        np.array(measured.number)[at],
        query,
        key,
        np.where(chosen >= 0, weights[at, *where], 0.0),
        np.stack([np.ma.filled(means[score], 0.0) for score in scores]),
        np.stack([_histogram(np.ma.stack(measured.scores[score]), score) for score in scores]),
        np.array([reached.get(score, 0.0) for score in scores]),
    )


def random_level(
    tokenizer: AnyTokenizer, shipped_model: Shipped, texts: Sequence[tuple[int, PoolText]], first: int = 1
) -> dict[str, dict[str, float]]:
    """Return by attention the best mean of each score that heads with random weights of the same sizes reach.

    As many models are drawn as have RANDOM_HEADS heads, or as many layers of one. They read at most RANDOM_TEXTS of the
    texts.

    first: what is added to the seed of the model's config to draw the first one.
    """
    config = shipped_model.config.first_layers(-(-RANDOM_HEADS // shipped_model.config.heads))
    models = -(-RANDOM_HEADS // (config.heads * min(config.depth(stack) for stack in config.stacks)))
    spaced = np.unique(np.linspace(0, len(texts) - 1, min(len(texts), RANDOM_TEXTS)).astype(int))
    few, described = [texts[number] for number in spaced], replace(shipped_model, config=config)
    drawn = [
        measure(build(replace(config, seed=config.seed + first + number)), tokenizer, described, few)
        for number in range(models)
    ]
    return {
        attention: best_scores([named_scores(one[attention].means()) for one in drawn])
        for attention in attentions(config)
    }


def survey(
    model: Transformer, tokenizer: AnyTokenizer, shipped_model: Shipped, pool: Sequence[PoolText], seed: int = 0
) -> dict[str, AttentionRecord]:
    """Return the record of each attention of a model over the texts of the pool that it can read."""
    texts = readable(pool, shipped_model)
    measured = measure(model, tokenizer, shipped_model, texts)
    reached = random_level(tokenizer, shipped_model, texts)
    return {
        attention: summarise_attention(kept, attention, reached[attention], seed)
        for attention, kept in measured.items()
    }


def _sites(config: TransformerConfig, attention: str) -> list[str]:
    stack, site = ("decoder", "cross.pattern") if attention == "cross" else (attention, "pattern")
    return [f"{stack}.{layer}.{site}" for layer in range(config.depth(stack))]


def _numpy(tensor: Tensor) -> np.ndarray:
    return tensor.detach().float().cpu().numpy()


def _add(kept: Measured, number: int, inputs: Inputs, attention: str, patterns: np.ndarray) -> None:
    """Add what the heads of one attention do on one text: patterns (N, H, Q, K)."""
    cross = attention == "cross"
    queries = inputs.rows["decoder" if cross else attention]
    keys = inputs.rows["encoder"] if cross else queries
    marks = np.array([is_punctuation(piece) for piece in keys.pieces])
    found: dict[str, list[np.ma.MaskedArray]] = {}
    links: list[tuple[np.ndarray, ...]] = []
    for layer, pattern in enumerate(patterns[:, None]):
        allowed = _allowed(inputs, attention, layer, pattern.shape[-2], pattern.shape[-1])
        links.append(strongest_link(pattern, allowed))
        for score, values in corpus_scores(pattern, allowed, None if cross else queries.ids, marks).items():
            found.setdefault(score, []).append(values)
    query, key, weight = (np.concatenate(values) for values in zip(*links, strict=True))
    kept.number.append(number)
    kept.query.append(query)
    kept.key.append(key)
    kept.weight.append(weight)
    for score, layers in found.items():
        kept.scores.setdefault(score, []).append(np.ma.concatenate(layers))
    causal_queries = attention != "encoder"
    kept.read.append((queries.ids if causal_queries else (), keys.ids if cross or not causal_queries else ()))


def _allowed(inputs: Inputs, attention: str, layer: int, queries: int, keys: int) -> np.ndarray:
    """Return which keys each query of a layer may attend to: booleans (Q, K)."""
    mask = getattr(inputs.masks, attention)
    if mask is None:
        mask = (causal if attention == "decoder" else unmasked)(queries, keys)
    mask = mask.expand(1, 1, queries, keys)[0, 0]
    if attention == "decoder" and inputs.windows:
        mask = windowed(mask, queries, keys, inputs.windows[layer])
    return np.asarray(mask.cpu().numpy())


def _contexts(measured: Measured, layer: int, head: int, draw: np.random.Generator) -> list[int]:
    """Return the positions of the texts kept for a head: the strongest, then one of each decile; −1 for none.

    Texts that are alike up to the query of their strongest link are the same to a decoder; only the first counts.
    """
    weights = np.array([weight[layer, head] for weight in measured.weight])
    order = [text for text in np.argsort(-weights, kind="stable").tolist() if weights[text] > 0]
    strongest: dict[object, int] = {}
    for text in order:
        (asked, source), query = measured.read[text], int(measured.query[text][layer, head])
        strongest.setdefault((query, asked[: query + 1], source), text)
        if len(strongest) == STRONGEST:
            break
    parts = np.array_split(np.array(order[::-1], dtype=int), DECILES)
    deciles = [int(draw.choice(part)) if len(part) else -1 for part in parts]
    kept = list(strongest.values())
    return kept + [-1] * (STRONGEST - len(kept)) + deciles


def _histogram(values: np.ma.MaskedArray, score: str) -> np.ndarray:
    """Return for each head the number of texts in each part of a score's range: values (T, N, H) to (N, H, BINS)."""
    low, high = score_range(score)
    parts = ((np.ma.filled(values, low) - low) / (high - low) * BINS).astype(int).clip(0, BINS - 1)
    there = ~np.ma.getmaskarray(values)
    return np.stack([((parts == part) & there).sum(0) for part in range(BINS)], -1)


def main(arguments: Sequence[str]) -> None:
    """Measure what each head of a model does over many texts.

    ``python -m core.training heads [--model NAME] [--seed N] [--out DIR]``; ``real:NAME`` for a model made elsewhere,
    whose file is written into the folder "measured" in the model's own folder.
    """
    parser = argparse.ArgumentParser(prog="python -m core.training heads", description=main.__doc__)
    parser.add_argument("--model", default="storyteller", help="the model that reads the texts")
    parser.add_argument("--seed", type=int, default=0, help="which text of each decile is kept")
    parser.add_argument("--out", type=Path, help="where the file is written")
    chosen = parser.parse_args(arguments)
    source, folder = _source(chosen.model)
    shipped_model, tokenizer = source.open()
    pool = load_pool()
    records = survey(source.load(EXACT), tokenizer, shipped_model, pool, chosen.seed)
    about = {
        "what": f"of each attention head the {STRONGEST} texts of neuron-texts.json with its strongest links, one text "
        f"of each decile, and the distributions of its scores over all texts",
        "model": chosen.model,
        "steps": shipped_model.card.steps,
        "read": len(readable(pool, shipped_model)),
        "random": f"the best mean of at least {RANDOM_HEADS} heads with random weights over {RANDOM_TEXTS} texts",
        "command": f"python -m core.training heads --model {chosen.model} --seed {chosen.seed}",
    }
    write_heads(chosen.model.removeprefix(PREFIX), records, pool, about, chosen.out or folder)


def _source(address: str) -> tuple[ModelSource, Path]:
    """Return a model by its address, and the folder of its measurements."""
    if not address.startswith(PREFIX):
        return ShippedModel(address), MEASURED_FOLDER
    name = address.removeprefix(PREFIX)
    place = place_named(os.environ.get(PLACE_VARIABLE))
    return Elsewhere(name, place), (place or Path()) / name / "measured"
