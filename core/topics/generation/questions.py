"""The right answers to a lesson's questions about how the next token is chosen."""

from functools import partial

import numpy as np

from core.decoding.sampling import Sampling
from core.model.transformer import Transformer
from core.readings.words import are_words, head_label
from core.text.pieces import AnyTokenizer
from core.topics.generation.opening import newest_place
from core.topics.generation.records import GenerationStep
from core.topics.generation.setup import start_ids
from core.topics.generation.texts import step
from core.topics.generation.views import attentions
from core.topics.shared.truth import MOST_LABELS, Truth
from core.tracing.run import Run

ORDERED, FEWEST = 4, 3  # words that are put in order
APART = 4.0  # the least ratio of the probabilities of two neighbours among them
SEARCHED = 400  # likeliest tokens among which these words are found
COLD, HOT = 0.7, 2.0  # temperatures


def likeliest_words(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return the order, from the likeliest on, of some whole words that may come next, listed by the alphabet.

    Raises ValueError if the model gives too few whole words a chance.
    """
    probabilities = _next(model, tokenizer, run).stages[0].probabilities
    best = np.argsort(-probabilities, kind="stable")[:SEARCHED].tolist()
    pieces = tokenizer.labels(best)
    found: dict[str, float] = {}
    for piece, is_word, token in zip(pieces, [bool(are_words([piece])[0]) for piece in pieces], best, strict=True):
        probability = float(probabilities[token])
        far = not found or probability * APART <= min(found.values())
        if is_word and far and piece.casefold() not in map(str.casefold, found) and len(found) < ORDERED:
            found[piece] = probability
    if len(found) < FEWEST:
        raise ValueError("This question needs a text after which the model expects several whole words.")
    labels = tuple(sorted(found, key=str.casefold))
    first, *_, last = found
    facts = {
        "first": first,
        "first_chance": found[first],
        "last": last,
        "times": found[first] / found[last],
        "best": pieces[0],
        "vocabulary": len(probabilities),
    }
    return Truth(tuple(labels.index(word) for word in found), facts, labels)


def scored_tokens(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return which tokens get a probability of coming next: "all" of the vocabulary, or "some" of it."""
    record = _next(model, tokenizer, run)
    probabilities = record.stages[0].probabilities
    text = sorted(set(record.ids))
    ranked = np.sort(probabilities)[::-1]
    facts = {
        "vocabulary": len(probabilities),
        "best": record.likely[0][1],
        "best_chance": float(ranked[0]),
        "ten": float(ranked[:10].sum()),
        "text": len(text),
        "text_chance": float(probabilities[text].sum()),
        "half": int((ranked.cumsum() < 0.5).sum()) + 1,
    }
    return Truth("all" if (probabilities > 0).all() else "some", facts)


def higher_temperature(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return what becomes of the likeliest token's chance if the temperature rises: "less", "more" or "same"."""
    at_cold, at_one, at_hot = map(partial(_chances, model, tokenizer, run), (COLD, 1.0, HOT))
    best, length = int(at_cold.argmax()), len(at_cold)
    facts = {
        "best": tokenizer.labels([best])[0],
        "cold": float(at_cold[best]),
        "one": float(at_one[best]),
        "hot": float(at_hot[best]),
        "rare_cold": float(np.sort(at_cold)[: length - 10].sum()),
        "rare_hot": float(np.sort(at_hot)[: length - 10].sum()),
        "still": tokenizer.labels([int(at_hot.argmax())])[0],
    }
    if abs(facts["hot"] - facts["cold"]) < 1e-6:
        return Truth("same", facts)
    return Truth("less" if facts["hot"] < facts["cold"] else "more", facts)


def newest_row(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return the weights (K,) of the last token of the text, beside those of all heads.

    The head is the one that the page Generate opens with. Raises ValueError if there are too few or too many tokens.
    """
    ids = start_ids(tokenizer, run)
    if not FEWEST <= len(ids) <= MOST_LABELS:
        raise ValueError(
            f"This question needs a text of {FEWEST} to {MOST_LABELS} tokens; the model begins with {len(ids)}."
        )
    place = newest_place(model, tokenizer, run, ids)
    record = attentions(model, tokenizer, run, ids)
    rows = record.decoder[:, :, -1]  # (N, H, K)
    row = rows[place.layer, place.head]
    best, first = int(row.argmax()), float(rows[..., 0].mean())
    facts = {
        "query": record.pieces[-1],
        "head": head_label(place.layer, place.head),
        "best": record.labels[best],
        "weight": float(row[best]),
        "start": record.labels[0],
        "start_mean": first,
        "heads": rows.shape[0] * rows.shape[1],
    }
    heads = {head_label(*numbers): rows[numbers] for numbers in np.ndindex(*rows.shape[:2])}
    return Truth(row, facts, record.labels, alternatives=heads)


def _next(model: Transformer, tokenizer: AnyTokenizer, run: Run, sampling: Sampling | None = None) -> GenerationStep:
    """Return the choice of the first token that the model writes."""
    return step(model, tokenizer, run, start_ids(tokenizer, run), sampling or Sampling())


def _chances(model: Transformer, tokenizer: AnyTokenizer, run: Run, temperature: float) -> np.ndarray:
    """Return the probabilities (V,) of the first written token at a temperature."""
    return _next(model, tokenizer, run, Sampling(temperature)).stages[-1].probabilities
