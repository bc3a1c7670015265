"""The right answers to a lesson's questions about how the next token is chosen."""

import unicodedata
from functools import partial

import numpy as np
import torch

from core.decoding.sampling import Sampling
from core.model.transformer import Transformer
from core.text.labels import are_words, head_label, token_name
from core.text.pieces import AnyTokenizer
from core.topics.generate.opening import newest_place
from core.topics.generate.records import GenerationStep
from core.topics.generate.setup import start_ids
from core.topics.generate.texts import step
from core.topics.generate.views import attentions
from core.topics.shared.places import to_numpy
from core.topics.shared.truth import MOST_LABELS, Truth, place_facts
from core.tracing.run import Run, token_row

ORDERED_WORDS, MIN_WORDS = 4, 3  # words that are put in order
MIN_CHANCE = 0.03  # of the likeliest among them
MIN_RATIO = 4.0  # the least ratio of the probabilities of two neighbours among them
ONE_LETTER_WORDS = frozenset("aio")
SEARCHED_TOKENS = 400  # likeliest tokens among which these words are found
SHARE_TOLERANCE = 1e-6  # shares that differ by less are the same
COLD_TEMPERATURE, HOT_TEMPERATURE = 0.7, 2.0  # temperatures


def likeliest_words(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return some words and marks, listed alphabetically, and their order by the probability of coming next.

    Raises ValueError if the model expects none of them.
    """
    probabilities = _next(model, tokenizer, run).stages[0].probabilities
    best = np.argsort(-probabilities, kind="stable")[:SEARCHED_TOKENS].tolist()
    pieces = tokenizer.labels(best)
    chances: dict[str, float] = {}
    for piece, token in zip(pieces, best, strict=True):
        probability = float(probabilities[token])
        far = not chances or probability * MIN_RATIO <= min(chances.values())
        is_new = piece.casefold() not in map(str.casefold, chances)
        if _is_word_or_mark(piece) and far and is_new and len(chances) < ORDERED_WORDS:
            chances[piece] = probability
    if len(chances) < MIN_WORDS or max(chances.values()) < MIN_CHANCE:
        raise ValueError("This question needs a text after which the model expects whole words.")
    labels = tuple(sorted(chances, key=str.casefold))
    first, *_, last = chances
    facts = {
        "first": first,
        "first_chance": chances[first],
        "last": last,
        "times": chances[first] / chances[last],
        "best": pieces[0],
        "vocabulary": len(probabilities),
    }
    return Truth(tuple(labels.index(word) for word in chances), facts, labels)


def scored_tokens(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return that all tokens get a probability of coming next.

    Raises ValueError if some are so unlikely that their probability is rounded to 0.
    """
    record = _next(model, tokenizer, run)
    probabilities = record.stages[0].probabilities
    text = sorted(set(record.ids))
    ranked = np.sort(probabilities)[::-1]
    other = next(int(token) for token in np.argsort(-probabilities, kind="stable") if token not in text)
    facts = {
        "vocabulary": len(probabilities),
        "best": record.likely[0][1],
        "best_chance": float(ranked[0]),
        "ten": float(ranked[:10].sum()),
        "text": len(text),
        "text_chance": float(probabilities[text].sum()),
        "other": tokenizer.labels([other])[0],
        "half": int((ranked.cumsum() < 0.5).sum()) + 1,
    }
    if not (probabilities > 0).all():
        raise ValueError("This question needs a text after which the model is less sure.")
    return Truth("all", facts)


def higher_temperature(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return what becomes of the likeliest token's chance if the temperature rises: "less", "more" or "same"."""
    at_cold, at_one, at_hot = map(partial(_chances, model, tokenizer, run), (COLD_TEMPERATURE, 1.0, HOT_TEMPERATURE))
    best, length = int(at_cold.argmax()), len(at_cold)
    cold, hot = float(at_cold[best]), float(at_hot[best])
    facts = {
        "best": tokenizer.labels([best])[0],
        "cold": cold,
        "one": float(at_one[best]),
        "hot": hot,
        "rare_cold": float(np.sort(at_cold)[: length - 10].sum()),
        "rare_hot": float(np.sort(at_hot)[: length - 10].sum()),
        "still": tokenizer.labels([int(at_hot.argmax())])[0],
    }
    return Truth(_compared(hot, cold, ("less", "same", "more")), facts)


def newest_row(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return the weights (K,) of the last token of the text, beside those of all heads.

    The head is the one that the page Generate opens with. Raises ValueError if there are too few or too many tokens.
    """
    ids = start_ids(tokenizer, run)
    if not MIN_WORDS <= len(ids) <= MOST_LABELS:
        raise ValueError(
            f"This question needs a text of {MIN_WORDS} to {MOST_LABELS} tokens; the model begins with {len(ids)}."
        )
    place = newest_place(model, tokenizer, run, ids)
    record = attentions(model, tokenizer, run, ids)
    rows = record.decoder[:, :, -1]  # (N, H, K)
    row = rows[place.layer, place.head]
    best, first = int(row.argmax()), float(rows[..., 0].mean())
    facts = {
        **place_facts(place),
        "query": token_name(record.labels, -1),
        "head": head_label(place.layer, place.head),
        "best": token_name(record.labels, best) if best < len(ids) - 1 else "itself",
        "weight": float(row[best]),
        "start": record.pieces[0],
        "start_mean": first,
        "heads": rows.shape[0] * rows.shape[1],
    }
    heads = {head_label(*numbers): rows[numbers] for numbers in np.ndindex(*rows.shape[:2])}
    return Truth(row, facts, record.labels, alternatives=heads)


def training_of_chances(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return whether training "raised" or "lowered" the probabilities of the text's own tokens.

    They are compared by their geometric mean, each token after those before it. Raises ValueError for a text of one
    token, and for a model that has kept no weights from its training.
    """
    first, steps = _before_training(run)
    row = token_row(run.text, tokenizer, run.config.max_length)
    if len(row) < MIN_WORDS:
        raise ValueError(f"This question needs a text of at least {MIN_WORDS} tokens.")
    before, after = (_token_chances(weights, row.ids) for weights in (first, model))
    means = [float(np.exp(np.log(chances).mean())) for chances in (before, after)]
    gained = int((after > before).sum())
    best = int((after / before).argmax())
    facts = {
        "before": means[0],
        "after": means[1],
        "times": means[1] / means[0],
        "even": 1 / run.config.vocab_size,
        "steps": steps,
        "gained": gained,
        "tokens": len(before),
        "best": token_name(row.labels, best + 1),
        "best_before": float(before[best]),
        "best_after": float(after[best]),
    }
    return Truth("raised" if means[1] > means[0] else "lowered", facts)


def training_of_weights(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return how the last token's attention before training compares with that after it: "blurred" or "sharper".

    They are compared by the largest weight, a mean over all heads; "same" if it is equal. Raises ValueError as
    `training_of_chances` does.
    """
    first, steps = _before_training(run)
    ids = start_ids(tokenizer, run)
    if len(ids) < MIN_WORDS:
        raise ValueError(f"This question needs a text of at least {MIN_WORDS} tokens.")
    before, after = (attentions(weights, tokenizer, run, ids).decoder[:, :, -1] for weights in (first, model))
    layer, head = map(int, np.unravel_index(int(after.max(-1).argmax()), after.shape[:2]))
    best = int(after[layer, head].argmax())
    means = [float(rows.max(-1).mean()) for rows in (before, after)]
    labels = [f"{number}:{piece}" for number, piece in enumerate(tokenizer.labels(ids))]
    facts = {
        "query": tokenizer.labels(ids)[-1],
        "before": means[0],
        "after": means[1],
        "even": 1 / len(ids),
        "tokens": len(ids),
        "heads": after.shape[0] * after.shape[1],
        "steps": steps,
        "query_number": len(ids) - 1,
        "layer_number": layer + 1,
        "head_number": head + 1,
        "head": head_label(layer, head),
        "best": token_name(labels, best) if best < len(ids) - 1 else "itself",
        "best_before": float(before[layer, head, best]),
        "best_after": float(after[layer, head, best]),
    }
    return Truth(_compared(means[0], means[1], ("blurred", "same", "sharper")), facts)


def _is_word_or_mark(piece: str) -> bool:
    """Return whether a piece is a whole word or consists of punctuation marks; most single letters are no words."""
    if len(piece) == 1 and piece.isalpha() and piece.casefold() not in ONE_LETTER_WORDS:
        return False
    return bool(are_words([piece])[0]) or all(unicodedata.category(character)[0] == "P" for character in piece)


def _compared(first: float, second: float, names: tuple[str, str, str]) -> str:
    """Return one of three names: if the first share is smaller, if both are the same, if the first is larger."""
    return names[1] if abs(first - second) < SHARE_TOLERANCE else names[0] if first < second else names[2]


def _before_training(run: Run) -> tuple[Transformer, int]:
    """Return the run's model as it was before its first step, and the number of steps that it was trained for.

    Raises ValueError if no weights from the beginning of its training were kept.
    """
    known = run.source.open()[0] if run.source else None
    if known is None or 0 not in known.steps or "decoder" not in run.config.stacks:
        raise ValueError("This question needs a model with weights from before its training: “Small storyteller”.")
    return known.source.at(0).load(run.placement), known.card.steps


def _token_chances(model: Transformer, ids: tuple[int, ...]) -> np.ndarray:
    """Return the probability (L − 1,) that a decoder gives each token but the first after those before it."""
    with torch.inference_mode():
        chances = model(None, torch.tensor([ids[:-1]], device=model.embed.weight.device))[0].double().softmax(-1)
    return to_numpy(chances[range(len(ids) - 1), list(ids[1:])])


def _next(model: Transformer, tokenizer: AnyTokenizer, run: Run, sampling: Sampling | None = None) -> GenerationStep:
    """Return the choice of the first token that the model writes."""
    return step(model, tokenizer, run, start_ids(tokenizer, run), sampling or Sampling())


def _chances(model: Transformer, tokenizer: AnyTokenizer, run: Run, temperature: float) -> np.ndarray:
    """Return the probabilities (V,) of the first written token at a temperature."""
    return _next(model, tokenizer, run, Sampling(temperature)).stages[-1].probabilities
