"""A scale from the answer of one run to that of another."""

import numpy as np
from torch import Tensor

from core.model.transformer import Transformer
from core.topics.block.answers import AnswerHead, likeliest_of, softmax
from core.topics.block.pairs import TextPair

SEARCHED_ANSWERS = 8  # likeliest answers of each run, searched for two to compare if both runs give the same answer


class LogitDifferenceScale:
    """A scale for patched runs: 0 for the answer of the first run, 1 for that of the second.

    It measures the difference of two logits, z_second − z_first, for the two answers. If the model gives no answer, it
    measures how far the vector in the row that is read has moved along the direction from the first run's vector to the
    second's.
    """

    def __init__(self, step: AnswerHead, model: Transformer, pair: TextPair, first: Tensor, second: Tensor) -> None:
        """Set both ends of the scale from the last stack's outputs: first (1, L, D) and second (1, L', D)."""
        self.step, self.model, self.pair = step, model, pair
        first_logits, second_logits = self._logits(first, pair.at), self._logits(second, pair.other_at)
        self.ends = (first[0, pair.at].double().cpu(), second[0, pair.other_at].double().cpu())
        self.probabilities = (
            None
            if first_logits is None or second_logits is None
            else (softmax(first_logits[0]), softmax(second_logits[0]))
        )
        self.answers = (0, 0)
        self.alike = False
        if first_logits is not None and second_logits is not None:
            self.answers, self.alike = _two_answers(first_logits[0], second_logits[0])
            self.ends = (self._difference(first_logits), self._difference(second_logits))
        self.far = (self.ends[1] - self.ends[0]).norm()

    def _logits(self, final: Tensor, row: int) -> Tensor | None:
        return self.step.logits(self.model, final, row, final.shape[1])

    def _difference(self, logits: Tensor) -> Tensor:
        """Return z_second − z_first, (B,)."""
        first, second = self.answers
        return logits[:, second].double() - logits[:, first].double()

    def __call__(self, final: Tensor) -> tuple[np.ndarray, np.ndarray]:
        """Return the position on the scale (B,) and the probability (B,) of the second answer.

        final (B, L, D): the last stack's outputs.

        The probability is NaN if the model gives no answer.
        """
        logits = self._logits(final, self.pair.at)
        if logits is None:
            direction = self.ends[1] - self.ends[0]
            positions = (final[:, self.pair.at].double().cpu() - self.ends[0]) @ direction / direction.square().sum()
            return positions.numpy(), np.full(len(positions), np.nan)
        positions = (self._difference(logits) - self.ends[0]) / (self.ends[1] - self.ends[0])
        return positions.numpy(), softmax(logits)[:, self.answers[1]].numpy()


def _two_answers(first: Tensor, second: Tensor) -> tuple[tuple[int, int], bool]:
    """Return the two answers to compare, and whether both runs give the same answer.

    first, second: the logits (C,) of the two runs.

    If both runs give the same answer, the two are chosen among the likeliest: the one that loses most log-probability
    from the first run to the second, and the one that gains most.
    """
    first_best, second_best = int(first.argmax()), int(second.argmax())
    if first_best != second_best:
        return (first_best, second_best), False
    best = likeliest_of([first, second], SEARCHED_ANSWERS)
    gained = second.log_softmax(-1)[best] - first.log_softmax(-1)[best]
    return (best[int(gained.argmin())], best[int(gained.argmax())]), True
