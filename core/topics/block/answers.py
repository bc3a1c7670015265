"""A model's answer in a run (the next piece, a hidden piece or a class), and the likeliest answers of two runs."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.checkpoints.class_layer import ClassLayer
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run, TokenRow

SHOWN_ANSWERS = 4


@dataclass(frozen=True, eq=False)
class AnswerHead:
    """The last step of a model, which turns its final vector into scores of the possible answers.

    classes: the layers of a classifier after its encoder; None for other models.
    hidden: whether the model learnt to predict the piece that [MASK] hides.
    """

    classes: ClassLayer | None = None
    hidden: bool = False

    def kind(self, run: Run) -> str:
        """Return the kind of answer: "class", "next piece", "hidden piece", or "" for an encoder without an answer."""
        if self.classes is not None:
            return "class"
        return "next piece" if "decoder" in run.config.stacks else "hidden piece" if self.hidden else ""

    def labels(self, tokenizer: AnyTokenizer, indices: Sequence[int]) -> tuple[str, ...]:
        """Return the names of the answers with these indices."""
        if self.classes is not None:
            return tuple(self.classes.labels[index] for index in indices)
        return tokenizer.labels(indices)

    def logits(self, model: Transformer, final: Tensor, row: int, written: int) -> Tensor | None:
        """Return the scores (B, C) of the answers, or None if the model gives no answer.

        final (B, L, D): a stack's output.
        row: the row in which the answer is read.
        written: number of rows, from the first, that a classifier reads.
        """
        if self.classes is not None:
            return self.classes.logits(final[:, :written])
        if self.hidden or "decoder" in model.config.stacks:
            return model.logits(final[:, row]).float().cpu()
        return None


def answer_row(run: Run, rows: dict[str, TokenRow], step: AnswerHead, stack: str, token: int) -> int:
    """Return the row of the last stack's output in which the answer is read.

    A decoder without an encoder: the last token before the padding.
    An encoder-decoder: `token` if `stack` is the decoder; otherwise row 0, from which the answer begins.
    An encoder without a decoder: the first [MASK] if the model learnt to predict hidden pieces, otherwise `token`.

    token: the number of the selected token.
    """
    last = run.config.stacks[-1]
    if run.config.has_two_stacks:
        return token if stack == last else 0
    if last == "decoder":
        return len(rows[last]) - run.pads - 1
    ids = rows[last].ids
    mask = run.format.special.mask
    return ids.index(mask) if step.hidden and mask is not None and mask in ids else token


def likeliest_of(probabilities: Sequence[Tensor], max_answers: int = SHOWN_ANSWERS) -> list[int]:
    """Return the indices of the `max_answers` likeliest answers of each distribution (C,), without repeats.

    Those of the first distribution come first.
    """
    best = [distribution.topk(min(max_answers, len(distribution))).indices.tolist() for distribution in probabilities]
    return list(dict.fromkeys(index for indices in best for index in indices))


def softmax(logits: Tensor) -> Tensor:
    """Return the probabilities in float64, so that they sum to 1 however many there are."""
    return torch.softmax(logits.double(), -1)
