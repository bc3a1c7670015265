"""The right answers to a lesson's questions about the words on which a verdict rests."""

import numpy as np
import torch

from core.checkpoints.class_layer import ClassLayer
from core.model.transformer import Transformer
from core.text.content_words import FUNCTION_WORDS
from core.text.labels import are_words, token_name
from core.text.pieces import AnyTokenizer
from core.topics.sentiment.judging import WordPieces, follow_likeliest, margins, probabilities, word_pieces
from core.topics.sentiment.permuted import TIMES, permuted_probabilities
from core.topics.sentiment.reasons import attention_pattern, occlusion
from core.topics.shared.labels import numbered_pieces
from core.topics.shared.open_run import class_layer
from core.topics.shared.rank_correlation import spearman_table
from core.topics.shared.truth import MOST_LABELS, Truth
from core.tracing.run import Run

MIN_WORDS = 3  # words
HALF_CHANCE = 0.5
MIN_LOG_ODDS = 1e-5  # of the log-odds: words that move the verdict by less do not


def deciding_word(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return the word without which the log-odds of the verdict change most.

    Raises ValueError if there are too few or too many words, or if the run's model is no classifier.
    """
    layer, text = _judged(model, tokenizer, run)
    out, labels = _left_out(layer, model, run, text), numbered_pieces(text.words)
    margin = margins(layer, model, run, [text.row])
    best, least = int(np.abs(out).argmax()), int(np.abs(out).argmin())
    before, without = (float(probabilities(odds)[0]) for odds in (margin, margin - out[best]))
    facts = {
        "word": token_name(labels, best),
        "class": layer.sides[1],
        "chance": before,
        "without": without,
        "least": token_name(labels, least),
        "without_least": float(probabilities(margin - out[least])[0]),
    }
    return Truth(best, facts, labels, sizes=tuple(map(float, np.abs(out))))


def attended_word(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return whether the word with the most attention is also the one that the verdict depends on most.

    The verdict depends most on the word whose removal changes it most; attention is the mean of the last layer's heads.
    "same" if they are the same word; otherwise "small" for a punctuation mark or function word, and "other" for another
    content word. Raises ValueError as `deciding_word` does.
    """
    layer, text = _judged(model, tokenizer, run)
    out, labels = np.abs(_left_out(layer, model, run, text)), numbered_pieces(text.words)
    attention = text.by_word(attention_pattern(model, run, text, None).mean(0).double().numpy())
    most, deciding = int(attention.argmax()), int(out.argmax())
    shares = attention / attention.sum()
    facts = {
        "most": token_name(labels, most),
        "share": float(shares[most]),
        "deciding": token_name(labels, deciding),
        "deciding_share": float(shares[deciding]),
        "rank": int((attention > attention[deciding]).sum()) + 1,
        "words": len(text.words),
        "rho": float(np.nan_to_num(spearman_table(np.stack([attention, out]))[0, 1])),
    }
    if most == deciding:
        return Truth("same", facts)
    word = text.words[most]
    is_small = not are_words([word])[0] or word.casefold() in FUNCTION_WORDS
    return Truth("small" if is_small else "other", facts)


def shuffled_verdicts(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> Truth:
    """Return how often the verdict becomes the other class if every row of attention weights is shuffled.

    "never", "some" or "most" of the time. Raises ValueError as `deciding_word` does.
    """
    layer, text = _judged(model, tokenizer, run)
    before, shuffled, uniform = permuted_probabilities(layer, model, run, text, torch.Generator().manual_seed(0))
    turned = int(((shuffled >= HALF_CHANCE) != (before >= HALF_CHANCE)).sum())
    facts = {
        "times": TIMES,
        "turned": turned,
        "stayed": TIMES - turned,
        "class": layer.sides[1],
        "chance": before,
        "low": float(shuffled.min()),
        "high": float(shuffled.max()),
        "uniform": uniform,
    }
    return Truth("never" if not turned else "some" if 2 * turned < TIMES else "most", facts)


def _left_out(layer: ClassLayer, model: Transformer, run: Run, text: WordPieces) -> np.ndarray:
    """Return the change of the log-odds if each word is left out, (W,).

    Raises ValueError if no word changes them, or if two change them most.
    """
    out = occlusion(layer, model, run, text, None)
    second, first = np.sort(np.abs(out))[-2:]
    if float(first) < MIN_LOG_ODDS:
        raise ValueError("This question needs a text in which some word matters for the verdict.")
    if float(first - second) < MIN_LOG_ODDS * float(first):
        raise ValueError("This question needs a text in which one word matters more than all others.")
    return out


def _judged(model: Transformer, tokenizer: AnyTokenizer, run: Run) -> tuple[ClassLayer, WordPieces]:
    """Return the layer that gives the verdict on a run, and the words of its text.

    Raises ValueError if the run's model is no classifier, and if there are too few or too many words.
    """
    layer = class_layer(run)
    if layer is None:
        raise ValueError("This question needs a classifier: choose one as the model.")
    text = word_pieces(tokenizer, run)
    count = len(text.words)
    if not MIN_WORDS <= count <= MOST_LABELS:
        raise ValueError(
            f"This question needs a text of {MIN_WORDS} to {MOST_LABELS} words and marks; yours has {count}."
        )
    return follow_likeliest(layer, model, tokenizer, run), text
