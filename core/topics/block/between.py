"""A scale from the answer of one run to that of another."""

import numpy as np
from torch import Tensor

from core.model.transformer import Transformer
from core.topics.block.answers import AnswerHead, likeliest_of, softmax
from core.topics.block.pairs import TextPair

WIDE = 8  # likeliest answers of each run, searched for two to compare if both runs give the same answer


class LogitDifferenceScale:
    """A scale on which the answer of the first run is 0 and that of the second run is 1.

    It measures the difference of two logits, z_second − z_first, for the two answers. If the model gives no answer, it
    measures how far the vector in the row that is read has moved along the direction from the first run's vector to the
    second's.
    """

    def __init__(self, step: AnswerHead, model: Transformer, pair: TextPair, first: Tensor, second: Tensor) -> None:
        """Set both ends of the scale from the last stack's outputs: first (1, L, D) and second (1, L', D)."""
        self.step, self.model, self.pair = step, model, pair
        one, two = self._logits(first, pair.at), self._logits(second, pair.other_at)
        self.ends = (first[0, pair.at].double().cpu(), second[0, pair.other_at].double().cpu())
        self.probabilities = None if one is None or two is None else (softmax(one[0]), softmax(two[0]))
        self.answers = (0, 0)
        self.alike = False
        if one is not None and two is not None:
            self.answers, self.alike = _two_answers(one[0], two[0])
            self.ends = (self._difference(one), self._difference(two))
        self.far = (self.ends[1] - self.ends[0]).norm()

    def _logits(self, final: Tensor, at: int) -> Tensor | None:
        return self.step.logits(self.model, final, at, final.shape[1])

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
            way = self.ends[1] - self.ends[0]
            turn = (final[:, self.pair.at].double().cpu() - self.ends[0]) @ way / way.square().sum()
            return turn.numpy(), np.full(len(turn), np.nan)
        turn = (self._difference(logits) - self.ends[0]) / (self.ends[1] - self.ends[0])
        return turn.numpy(), softmax(logits)[:, self.answers[1]].numpy()


def _two_answers(first: Tensor, second: Tensor) -> tuple[tuple[int, int], bool]:
    """Return the two answers to compare, and whether both runs give the same answer.

    first, second: the logits (C,) of the two runs.

    If both runs give the same answer, the two are chosen among the likeliest: the one that loses most log-probability
    from the first run to the second, and the one that gains most.
    """
    one, two = int(first.argmax()), int(second.argmax())
    if one != two:
        return (one, two), False
    best = likeliest_of([first, second], WIDE)
    gained = second.log_softmax(-1)[best] - first.log_softmax(-1)[best]
    return (best[int(gained.argmin())], best[int(gained.argmax())]), True
