"""Running a classifier on this project's own sentences with negations."""

from dataclasses import dataclass

import numpy as np

from core.checkpoints.class_layer import ClassLayer
from core.model.transformer import Transformer
from core.text.negations import negations
from core.text.pieces import AnyTokenizer
from core.topics.sentiment.judging import margins, probabilities
from core.tracing.run import Run


@dataclass(frozen=True, eq=False)
class JudgedNegations:
    """The verdicts on sentences with negations.

    labels: blame and praise.
    sentences: the N texts.
    meant (N,): 0 for blame, 1 for praise.
    probabilities (N,): the probability of praise.
    """

    labels: tuple[str, ...]
    sentences: tuple[str, ...]
    meant: np.ndarray
    probabilities: np.ndarray

    @property
    def right(self) -> np.ndarray:
        """Whether each sentence is judged right, (N,)."""
        return (self.probabilities >= 0.5) == (self.meant == 1)


def judged_negations(layer: ClassLayer, model: Transformer, tokenizer: AnyTokenizer, run: Run) -> JudgedNegations:
    """Judge all sentences of `core.text.negations` under the run's mask; the run's own text is not used."""
    assert layer.praise is not None
    layer = layer.following(layer.praise)
    rows = [list(tokenizer.encode(text).ids) for text, _ in negations()]
    return JudgedNegations(
        layer.sides,
        tuple(text for text, _ in negations()),
        np.array([label for _, label in negations()]),
        probabilities(margins(layer, model, run, rows)),
    )
