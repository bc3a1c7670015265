"""Our own sentences with negations through a classifier."""

from dataclasses import dataclass

import numpy as np

from core.checkpoints.class_layer import ClassLayer
from core.explorer.sentiment.judging import chances, margins
from core.model.transformer import Transformer
from core.text.negations import negations
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run


@dataclass(frozen=True, eq=False)
class JudgedNegations:
    """labels: blame and praise. sentences; meant (N,): 0 for blame, 1 for praise; chances (N,): of praise."""

    labels: tuple[str, ...]
    sentences: tuple[str, ...]
    meant: np.ndarray
    chances: np.ndarray

    @property
    def right(self) -> np.ndarray:
        """(N,) whether each is judged right."""
        return (self.chances >= 0.5) == (self.meant == 1)


def judged_negations(layer: ClassLayer, model: Transformer, tokenizer: AnyTokenizer, run: Run) -> JudgedNegations:
    """All sentences of `core.text.negations`, under the run's mask; its own text has no part in it."""
    assert layer.praise is not None
    layer = layer.following(layer.praise)
    rows = [list(tokenizer.encode(text).ids) for text, _ in negations()]
    return JudgedNegations(
        layer.sides,
        tuple(text for text, _ in negations()),
        np.array([label for _, label in negations()]),
        chances(margins(layer, model, run, rows)),
    )
