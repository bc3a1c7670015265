"""The right answers to a lesson's questions about the order of words."""

import numpy as np

from core.model.transformer import Transformer
from core.text.labels import token_name
from core.text.pieces import AnyTokenizer
from core.topics.positions.encodings import Encoding, dot_products
from core.topics.positions.shuffle import TOLERANCE, fresh_encoders, shuffled, shuffled_fresh
from core.topics.positions.terms import TERMS, terms, why_no_terms
from core.topics.shared.places import HeadAddress, to_numpy
from core.topics.shared.truth import Truth
from core.tracing.run import Run, execute, prepare

NUMBER_TOLERANCE = 1e-4  # of numbers of size 1, computed in float32
TWO_WORDS = "This question needs a text of at least two words."


def without_positions(model: Transformer, tokenizer: AnyTokenizer, run: Run, seed: int = 0) -> Truth:
    """Return what shuffling the words does to a model without positions: "moves" if outputs only move with their words.

    "changes" if the outputs change. An encoder of the default sizes, with random weights and without positions, is
    tried.
    Raises ValueError for a text of one word.
    """
    encoders = fresh_encoders(run.config.vocab_size, run.config.seed, ("none",))
    comparison = shuffled_fresh(encoders, tokenizer, run, seed)["none"]
    if comparison.movable < 2:
        raise ValueError(TWO_WORDS)
    facts = {
        "before": " ".join(comparison.before),
        "after": " ".join(comparison.after),
        "tokens": len(comparison.labels),
        "largest": comparison.largest,
        "size": comparison.size,
    }
    return Truth("moves" if comparison.moves_along else "changes", facts)


def told_by(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return how positions enter the run's model at its start.

    "number" if the position itself is added to each number of the token's vector, "vector" if a vector of the position
    is added, "later" if nothing is added at the start.
    """
    stack = run.config.stacks[0]
    keys = [f"{stack}.embed", f"{stack}.0.resid_pre"]
    seen = execute(model, run, prepare(run, tokenizer), keys)
    added = to_numpy(seen[keys[1]][0] - seen[keys[0]][0])  # (L, D)
    positions = np.arange(len(added))[:, None]
    way = "later" if np.abs(added).max() < NUMBER_TOLERANCE else "number" if np.allclose(added, positions) else "vector"
    facts = {"numbers": added.shape[1], "most": float(np.abs(added).max()), "tokens": len(added)}
    return Truth(way, facts)


def changed_tokens(model: Transformer, tokenizer: AnyTokenizer, run: Run, seed: int = 0) -> Truth:
    """Return which tokens get another vector if the words are shuffled, in the run's own model.

    "all", "none", or "moved" for only those whose word moved. Raises ValueError for a text of one word, and if other
    tokens change.
    """
    comparison = shuffled(model, tokenizer, run, seed)
    if comparison.movable < 2:
        raise ValueError(TWO_WORDS)
    changed = comparison.apart > TOLERANCE * comparison.size
    row = prepare(run, tokenizer).rows[comparison.stack]
    stayed = {
        word for word, (one, other) in enumerate(zip(comparison.before, comparison.after, strict=True)) if one == other
    }
    moved = np.array([word not in stayed for word in row.words])
    if changed.all() or not changed.any():
        answer = "all" if changed.all() else "none"
    elif np.array_equal(changed, moved):
        answer = "moved"
    else:
        raise ValueError("This question needs a text in which either all tokens change, or none, or only moved ones.")
    facts = {
        "tokens": len(changed),
        "changed": int(changed.sum()),
        "after": " ".join(comparison.after),
        "most": token_name(comparison.labels, int(comparison.apart.argmax())),
    }
    return Truth(answer, facts)


def alike_by_distance(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, kind: str = "sinusoidal", length: int = 64, width: int = 64
) -> Truth:
    """Return what decides how alike two positions are: their "distance", the "place" of the text, or "nothing"."""
    encoding = Encoding(kind, length, width)
    products = dot_products(encoding)
    square, measured = products.square, products.measured
    size = float(np.abs(square).max()) or 1.0
    if float(np.ptp(square)) <= NUMBER_TOLERANCE * size:
        decides = "nothing"
    else:
        decides = "distance" if float(np.max(measured.spread)) <= NUMBER_TOLERANCE * size else "place"
    facts = {
        "kind": kind,
        "same": float(square[0, 0]),
        "near": float(square[2, 3]),
        "near_later": float(square[-2, -1]),
        "far": float(square[2, 12]),
        "far_later": float(square[-11, -1]),
    }
    return Truth(decides, facts)


def largest_term(model: Transformer, tokenizer: AnyTokenizer, run: Run, head: int) -> Truth:
    """Return which part of the scores is largest in a head of the first layer: "words", "positions" or "mixed".

    A score of two sums of word and position has four parts: word with word, position with position, and two mixed ones.

    head: counted from 1.
    Raises ValueError if the model's scores are no such sums.
    """
    place = HeadAddress(run.config.stacks[0], 0, min(head, run.config.heads) - 1)
    if why_no_terms(run, place):
        raise ValueError("This question needs a model that adds a vector of the position to each token.")
    parts = terms(model, tokenizer, run, place)
    if len(parts.labels) < 2:
        raise ValueError("This question needs a text of at least two tokens.")
    sizes = dict(zip(TERMS, map(float, parts.sizes), strict=True))
    words, positions = sizes["token · token"], sizes["position · position"]
    mixed = max(sizes["token · position"], sizes["position · token"])
    named = {"words": words, "positions": positions, "mixed": mixed}
    return Truth(max(named, key=named.__getitem__), named)
