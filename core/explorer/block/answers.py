"""What a model says of a run: the next piece, a hidden piece, or a class; and the likeliest answers of two runs."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from core.checkpoints.class_layer import ClassLayer
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.tracing.run import Run, TokenRow

SHOWN = 4


@dataclass(frozen=True, eq=False)
class AnswerHead:
    """What stands behind a model's last layer. classes: of a classifier; hidden: whether it learnt to tell what [MASK]
    hides."""

    classes: ClassLayer | None = None
    hidden: bool = False

    def kind(self, run: Run) -> str:
        """What it answers with: "class", "next piece", "hidden piece", or "" for an encoder that answers nothing."""
        if self.classes is not None:
            return "class"
        return "next piece" if "decoder" in run.config.stacks else "hidden piece" if self.hidden else ""

    def labels(self, tokenizer: AnyTokenizer, places: Sequence[int]) -> tuple[str, ...]:
        """The names of answers by their numbers."""
        if self.classes is not None:
            return tuple(self.classes.labels[place] for place in places)
        return tokenizer.labels(places)

    def logits(self, model: Transformer, final: Tensor, at: int, written: int) -> Tensor | None:
        """(B, C): the scores of the answers after a stack's output (B, L, D), read at row `at`, or of a classifier from
        the first `written` rows; None where nothing is answered."""
        if self.classes is not None:
            return self.classes.logits(final[:, :written])
        if self.hidden or "decoder" in model.config.stacks:
            return model.logits(final[:, at]).float().cpu()
        return None


def answer_row(run: Run, rows: dict[str, TokenRow], step: AnswerHead, stack: str, token: int) -> int:
    """The row of the last stack's output in which the answer is read.

    Of a decoder that stands alone the last token before the padding. Behind an encoder the token that is looked at in
    the decoder; where the encoder is looked at, the first, from which the answer begins. Of an encoder the first
    [MASK], else the token that is looked at.
    """
    last = run.config.stacks[-1]
    if run.config.has_two_stacks:
        return token if stack == last else 0
    if last == "decoder":
        return len(rows[last]) - run.pads - 1
    ids = rows[last].ids
    mask = run.special.mask
    return ids.index(mask) if step.hidden and mask is not None and mask in ids else token


def likeliest_of(chances: Sequence[Tensor], most: int = SHOWN) -> list[int]:
    """The numbers of the likeliest answers of each distribution (C,), those of the first first, none twice."""
    best = [each.topk(min(most, len(each))).indices.tolist() for each in chances]
    return list(dict.fromkeys(number for each in best for number in each))


def softmax(logits: Tensor) -> Tensor:
    """Chances in float64, so that they sum to 1 however many there are."""
    return torch.softmax(logits.double(), -1)
