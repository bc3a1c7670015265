"""The verdict word by word, as a text is written."""

from dataclasses import dataclass

import numpy as np

from core.analysis.costs import PeakMemory
from core.checkpoints.class_layer import ClassLayer
from core.explorer.sentiment.judging import chances, judging_holds, margins, word_pieces
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run


@dataclass(frozen=True, eq=False)
class GrowingVerdict:
    """labels: the two sides. words (W,); chances (W,): of the second one, having read so many words; margins (W,): its
    log-odds. note: what was cut."""

    labels: tuple[str, ...]
    words: tuple[str, ...]
    chances: np.ndarray
    margins: np.ndarray
    note: str | None


def growing_holds(length: int) -> PeakMemory:
    """What `growing_verdict` holds of a text of this length, where each token is a word."""
    return judging_holds(length, length)


def growing_verdict(layer: ClassLayer, model: Transformer, tokenizer: AnyTokenizer, run: Run) -> GrowingVerdict:
    """What the classifier makes of the first word, of the first two, and so on; the last is the whole text."""
    text = word_pieces(tokenizer, run)
    found = margins(layer, model, run, [text.before(count) for count in range(1, len(text.words) + 1)])
    return GrowingVerdict(layer.sides, text.words, chances(found), found, text.note)
