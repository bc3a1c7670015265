"""Two runs side by side: which tokens correspond, and the rows in which the answers are read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch

from core.limits import PATCHED_TOKENS
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.block.answers import AnswerHead, answer_row
from core.tracing.run import Inputs, Run, execute, prepare


@dataclass(frozen=True, eq=False)
class TextPair:
    """A run, and a run of the same model on another text.

    first, second: their inputs; the decoder of an encoder-decoder reads the same in both.
    stack: the stack whose streams are replaced.
    layers: number of layers in that stack.
    partners: for each token of the first text in that stack, the index of its partner in the second, or None.
    at, other_at: the rows of the last stack in which the two answers are read.
    """

    first: Inputs
    second: Inputs
    stack: str
    layers: int
    partners: tuple[int | None, ...]
    at: int
    other_at: int

    @property
    def several(self) -> bool:
        """Whether the model has both an encoder and a decoder."""
        return len(self.first.rows) == 2

    @property
    def last(self) -> str:
        """The key of the last stack's output."""
        return f"{'decoder' if 'decoder' in self.first.rows else 'encoder'}.final"

    @property
    def labels(self) -> tuple[str, ...]:
        """The tokens of the first text that can change the answer; in a decoder, those up to the answer's row."""
        labels = self.first.rows[self.stack].labels
        return labels[: self.at + 1] if self.stack == "decoder" else labels

    def key(self, boundary: int) -> str:
        """Return the trace key of this stack's stream after its first `boundary` layers; 0 means before any layer."""
        return (
            f"{self.stack}.{boundary}.resid_pre"
            if boundary < self.layers
            else f"{self.stack}.{boundary - 1}.resid_post"
        )


def shortened(run: Run, tokenizer: AnyTokenizer) -> Run:
    """Return the run on the first PATCHED_TOKENS tokens of its texts, without padding and edits."""
    limit = PATCHED_TOKENS - run.format.begin - run.format.end
    target = run.target and tokenizer.target.encode(run.target, limit=PATCHED_TOKENS - 1).text
    return replace(run, text=tokenizer.encode(run.text, limit=limit).text, target=target, pads=0, edits=())


def pair_of(
    step: AnswerHead, text: str, model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, token: int
) -> TextPair:
    """Pair a run with a run of the same model on another text.

    text: the other text.
    token: the number of the selected token, if the answer is read at that token.

    With an encoder-decoder, the answer is the next piece of the decoder's text. If that text is complete, the answer is
    read in the row in which the next piece differs most between the two texts.
    """
    other_run = shortened(replace(run, text=text), tokenizer)
    first, second = prepare(run, tokenizer), prepare(other_run, tokenizer)
    ids = [inputs.rows[stack].ids for inputs in (first, second)]
    partners = matched(*ids)
    if run.config.has_two_stacks:
        row = other_row = _parting(model, run, first, second)
    else:
        row, other_row = (
            answer_row(text_run, dict(inputs.rows), step, stack, min(token, len(inputs.rows[stack]) - 1))
            for text_run, inputs in ((run, first), (other_run, second))
        )
        partner = partners[row]
        hidden = step.hidden and all(run.format.special.mask in text_ids for text_ids in ids)
        if step.kind(run) in ("", "hidden piece") and not hidden:
            other_row = other_row if partner is None else partner
    return TextPair(first, second, stack, run.config.depth(stack), partners, row, other_row)


def matched(first: Sequence[int], second: Sequence[int]) -> tuple[int | None, ...]:
    """Return for each token of the first text the index of its partner in the second, or None.

    In the beginning that both texts share, tokens match by index; after it, they match by distance from the end. Texts
    of equal length match index by index.
    """
    alike = 0
    while alike < min(len(first), len(second)) and first[alike] == second[alike]:
        alike += 1
    shift = len(second) - len(first)
    partners = [token if token < alike else token + shift for token in range(len(first))]
    return tuple(partner if n < alike or partner >= alike else None for n, partner in enumerate(partners))


def _parting(model: Transformer, run: Run, first: Inputs, second: Inputs) -> int:
    """Return the row of the decoder in which the answer is read.

    It is the last row unless the first run would end the text there. Then it is the row in which the probabilities of
    the two runs differ most, chosen from rows with different likeliest pieces if there are any.
    """
    with torch.inference_mode():
        logits = [execute(model, run, text, ["logits"], edits=())["logits"][0].float() for text in (first, second)]
    first_probabilities, second_probabilities = (scores.softmax(-1) for scores in logits)
    if int(first_probabilities[-1].argmax()) not in run.format.special.ends:
        return len(first_probabilities) - 1
    parted = first_probabilities.argmax(-1) != second_probabilities.argmax(-1)
    return int(((first_probabilities - second_probabilities).abs().sum(-1) + 2 * parted).argmax())
