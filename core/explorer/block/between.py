"""A scale from the answer of one run to that of another."""

import numpy as np
from torch import Tensor

from core.explorer.block.answers import AnswerHead, likeliest_of, softmax
from core.explorer.block.pairs import TextPair
from core.model.transformer import Transformer

WIDE = 8  # likeliest answers of each run, among which two are looked for where both runs answer alike


class LogitDifferenceScale:
    """A scale from the answer of the first run, 0, to that of the second, 1.

    Of logits: their difference z_second − z_first for the two answers. Of a model that answers nothing: how far the
    vector in the row that is read has moved along the way from the first to the second.
    """

    def __init__(self, step: AnswerHead, model: Transformer, pair: TextPair, first: Tensor, second: Tensor) -> None:
        """first (1, L, D), second (1, L', D): the last stack's outputs."""
        self.step, self.model, self.pair = step, model, pair
        one, two = self._logits(first, pair.at), self._logits(second, pair.other_at)
        self.ends = (first[0, pair.at].double().cpu(), second[0, pair.other_at].double().cpu())
        self.chances = None if one is None or two is None else (softmax(one[0]), softmax(two[0]))
        self.answers = (0, 0)
        self.alike = False
        if one is not None and two is not None:
            self.answers, self.alike = _two_answers(one[0], two[0])
            self.ends = (self._difference(one), self._difference(two))
        self.far = (self.ends[1] - self.ends[0]).norm()

    def _logits(self, final: Tensor, at: int) -> Tensor | None:
        return self.step.logits(self.model, final, at, final.shape[1])

    def _difference(self, logits: Tensor) -> Tensor:
        """(B,) z_second − z_first."""
        first, second = self.answers
        return logits[:, second].double() - logits[:, first].double()

    def __call__(self, final: Tensor) -> tuple[np.ndarray, np.ndarray]:
        """(B,) the turn and (B,) the chance of the second answer after the last stack's outputs (B, L, D)."""
        logits = self._logits(final, self.pair.at)
        if logits is None:
            way = self.ends[1] - self.ends[0]
            turn = (final[:, self.pair.at].double().cpu() - self.ends[0]) @ way / way.square().sum()
            return turn.numpy(), np.full(len(turn), np.nan)
        turn = (self._difference(logits) - self.ends[0]) / (self.ends[1] - self.ends[0])
        return turn.numpy(), softmax(logits)[:, self.answers[1]].numpy()


def _two_answers(first: Tensor, second: Tensor) -> tuple[tuple[int, int], bool]:
    """The likeliest answer of logits (C,) and of others; where they are the same, the two among the likeliest that lie
    farthest apart, and True."""
    one, two = int(first.argmax()), int(second.argmax())
    if one != two:
        return (one, two), False
    best = likeliest_of([first, second], WIDE)
    gained = second.log_softmax(-1)[best] - first.log_softmax(-1)[best]
    return (best[int(gained.argmin())], best[int(gained.argmax())]), True
