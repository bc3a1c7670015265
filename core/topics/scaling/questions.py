"""The right answers to a lesson's questions about scores and their scaling, in the head that the page opens with."""

import math

import numpy as np

from core.model.transformer import Transformer
from core.text.labels import head_label, token_name
from core.text.pieces import AnyTokenizer
from core.topics.scaling.comparison import compare, own_scores
from core.topics.scaling.opening import scaled_cell, scaled_place
from core.topics.self_attention.one_head import head
from core.topics.self_attention.records import HeadRecord
from core.topics.shared.places import HeadAddress
from core.topics.shared.truth import Truth, named_key, place_facts
from core.tracing.run import Run

SCALED_SCORE = "scaled_dot"


def without_scaling(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return what becomes of the largest weight of a row if scores are not divided by √d_k: "sharper" if it grows.

    The weights are means over the queries of the head. Raises ValueError for a text of one token.
    """
    record = _record(model, tokenizer, run)
    scores = own_scores(record)
    if len(record.keys) < 2 or scores.raw is None or scores.scaled is None:
        raise ValueError("This question needs a text of at least two tokens.")
    plain, scaled = scores.raw.largest, scores.scaled.largest
    row, key = scaled_cell(compare(record, 0))
    facts = {
        **place_facts(record.place),
        "head": head_label(record.place.layer, record.place.head),
        "width": scores.width,
        "root": math.sqrt(scores.width),
        "plain": plain,
        "scaled": scaled,
        "query": token_name(record.queries.labels, row),
        "query_number": row,
        "key": named_key(record.keys, key, row),
        "key_number": key,
        "plain_weight": float(_softmax(np.where(record.mask, record.raw, -np.inf)[row])[key]),
        "scaled_weight": float(record.pattern[row, key]),
    }
    if abs(plain - scaled) < 1e-6:
        return Truth("same", facts)
    return Truth("sharper" if plain > scaled else "flatter", facts)


def attention_formula(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return what scores are divided by, and what the weights are multiplied with, found by trying each possibility.

    The first is "root" (√d_k), "width" (d_k), "length" (the number of keys) or "one"; the second is "q", "k" or "v".
    """
    record = _record(model, tokenizer, run)
    width, length = record.q.shape[1], len(record.keys)
    divisors = {"root": math.sqrt(width), "width": float(width), "length": float(length), "one": 1.0}
    bias = 0.0 if record.parts.bias is None else record.parts.bias
    off = {name: _apart(record.raw / divisor + bias, record.scores) for name, divisor in divisors.items()}
    mixes = {"q": record.q, "k": record.k, "v": record.v}
    mixed = {name: _apart(record.pattern @ vectors, record.z) for name, vectors in mixes.items()}
    row, key = scaled_cell(compare(record, 0))
    facts = {
        **place_facts(record.place),
        "head": head_label(record.place.layer, record.place.head),
        "width": width,
        "root": divisors["root"],
        "query": token_name(record.queries.labels, row),
        "query_number": row,
        "key": token_name(record.keys.labels, key),
        "key_number": key,
        "raw": float(record.raw[row, key]),
        "score": float(record.scores[row, key]),
        "weight": float(record.pattern[row, key]),
    }
    return Truth((min(off, key=off.__getitem__), min(mixed, key=mixed.__getitem__)), facts)


def _record(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> HeadRecord:
    """Return the head of the first stack in which scaling changes most.

    Raises ValueError for a model that does not scale its scores.
    """
    if run.config.score != SCALED_SCORE:
        raise ValueError("This question needs a model that divides its scores: choose the score “scaled dot”.")
    place = scaled_place(model, tokenizer, run, HeadAddress(run.config.stacks[0]))
    return head(model, tokenizer, run, place)


def _apart(first: np.ndarray, second: np.ndarray) -> float:
    """Return the largest difference of two arrays; infinite if their shapes differ."""
    return float(np.abs(first - second).max()) if first.shape == second.shape else math.inf


def _softmax(scores: np.ndarray) -> np.ndarray:
    exps = np.exp(scores - scores.max())
    return np.asarray(exps / exps.sum())
