"""A classifier's verdict on a text, word by word."""

from dataclasses import dataclass

import numpy as np

from core.analysis.costs import PeakMemory
from core.checkpoints.class_layer import ClassLayer
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.sentiment.judging import judging_holds, margins, probabilities, word_pieces
from core.tracing.run import Run


@dataclass(frozen=True, eq=False)
class GrowingVerdict:
    """A classifier's verdict after each word of a text.

    labels: the names of the two sides of the verdict.
    words (W,): the words.
    probabilities (W,): the probability of the second side after reading the text up to each word.
    margins (W,): its log-odds.
    note: a note on text that was cut off, None if nothing was.
    """

    labels: tuple[str, ...]
    words: tuple[str, ...]
    probabilities: np.ndarray
    margins: np.ndarray
    note: str | None


def growing_holds(length: int) -> PeakMemory:
    """Return the memory that `growing_verdict` needs for a text of this length in which each token is a word."""
    return judging_holds(length, length)


def growing_verdict(layer: ClassLayer, model: Transformer, tokenizer: AnyTokenizer, run: Run) -> GrowingVerdict:
    """Return the verdict on the first word, on the first two, and so on; the last one is on the whole text."""
    text = word_pieces(tokenizer, run)
    log_odds = margins(layer, model, run, [text.before(count) for count in range(1, len(text.words) + 1)])
    return GrowingVerdict(layer.sides, text.words, probabilities(log_odds), log_odds, text.note)
