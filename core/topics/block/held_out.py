"""The loss of a model, or of a variant of it, on short texts on which no model was trained."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import Tensor

from core.model.masks import causal, key_padding_mask
from core.model.transformer import Masks, Transformer
from core.text.held_out import LETTERS, PAIRS, REVIEWS, STORY
from core.text.pieces import AnyTokenizer
from core.text.spaced import SpacedTokenizer
from core.text.special import BOS, PAD
from core.text.symbols import SymbolTokenizer
from core.topics.block.answers import AnswerHead
from core.topics.block.passes import CachedPass, changed_pass, keep_pass
from core.topics.shared.loading import estimate_seconds
from core.tracing.run import Run, text_limit

SHORT_PIECES = 63  # pieces of the story that are read if each is hidden once
HIDDEN_STRIDE = 7  # one piece in this many is hidden at a time
LENGTH = 128  # about the number of pieces in the story
# A model that takes over 0.2 s for LENGTH pieces reads only this much.
SLOW_SECONDS, SLOW_PIECES, SLOW_SENTENCES = 0.2, 32, 2
COPIED_LETTERS = slice(2, 7)  # the letters of a row that are repeated after it


@dataclass(frozen=True, eq=False)
class Questions:
    """Texts with their right answers.

    source (B, S), target (B, L): token ids, padded with `pad`; None for a stack that the model lacks.
    gold (B, L): the right answers, −1 at positions without a question; (B,) for a classifier.
    whole: whether these are all the held-out texts for such a model; False for the selection that a slow model gets.
    pad: the id of the padding token.
    """

    source: Tensor | None
    target: Tensor | None
    gold: Tensor
    whole: bool = True
    pad: int = PAD

    @property
    def count(self) -> int:
        """The number of right answers."""
        return int((self.gold >= 0).sum())


def held_out_run(run: Run, tokenizer: AnyTokenizer) -> Run:
    """Return a run of the same model on the first held-out text, without a chosen mask, padding or edits.

    It is the same for every visitor of every page, so its results are shared. A model that knows the tokens of one task
    alone reads a row of it, or the run's own text if its task is not known.
    """
    if isinstance(tokenizer, SpacedTokenizer):
        text, target, batch = run.text, run.target, _task_rows(run)
        if batch is not None:
            texts = batch.get("source", batch["given"]), batch["given"]
            text, target = (tokenizer.decode(ids[0].tolist()) for ids in texts)
    else:
        text = target = LETTERS[0] if isinstance(tokenizer, SymbolTokenizer) else STORY
    target = target if run.config.has_two_stacks else ""
    return replace(run, text=text, target=target, masks=(), pads=0, edits=())


def held_out_pass(
    step: AnswerHead, model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str
) -> tuple[Questions, CachedPass] | None:
    """Run the unchanged model on the held-out texts, and return the pass with the tensors that it stored.

    Returns None if the model gives no answer that could be right.
    """
    questions, device = ask_held_out(step, tokenizer, run), run.placement.device
    if questions is None:
        return None
    source, target = (None if ids is None else ids.to(device) for ids in (questions.source, questions.target))
    return questions, keep_pass(model, source, target, _masks(questions, source, target), stack)


def held_out_loss(
    step: AnswerHead,
    questions: Questions,
    stored_pass: CachedPass,
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    name: str,
) -> float:
    """Return the mean loss, in nats per answer, of one variant on the held-out texts; NaN if its numbers overflow.

    stored_pass: the pass of the unchanged model.
    name: the variant; "" for the unchanged model.
    """
    output = (changed_pass(model, stored_pass, name) if name else stored_pass).output
    with torch.inference_mode():
        scores, gold = _scores(step, model, output, questions)
    loss = F.cross_entropy(scores.float().cpu(), gold)
    return float(loss) if loss.isfinite() else float("nan")


def ask_held_out(step: AnswerHead, tokenizer: AnyTokenizer, run: Run) -> Questions | None:
    """Return the held-out texts as questions for this kind of model.

    None for an encoder that gives no answer, for a classifier whose classes are not praise and blame, and for a model
    that knows the tokens of a task alone, if its task is not known.
    """
    kind = step.kind(run)
    if kind == "class":
        assert step.classes is not None
        praise, pad = step.classes.praise, run.format.special.pad or PAD
        if praise is None:
            return None
        ids = [tokenizer.encode(text).ids for text, _ in REVIEWS]
        gold = torch.tensor([praise if good else 1 - praise for _, good in REVIEWS])
        return Questions(_padded(ids, pad), None, gold, pad=pad)
    if kind == "hidden piece":
        return _hidden(tokenizer, min(SHORT_PIECES, text_limit(run.config)))
    if kind != "next piece":
        return None
    if isinstance(tokenizer, SpacedTokenizer):
        return _of_task(run)
    slow = estimate_seconds(run.config, LENGTH, 1) > SLOW_SECONDS
    return (_pairs if run.config.has_two_stacks else _continued)(tokenizer, run, slow)


def _of_task(run: Run) -> Questions | None:
    """Ask for the answers in rows of the model's task; None if its task is not known."""
    batch = _task_rows(run)
    if batch is None:
        return None
    gold = batch["gold"]
    return Questions(batch.get("source"), batch["given"], gold.masked_fill(gold == PAD, -1))


def _task_rows(run: Run) -> Mapping[str, Tensor] | None:
    return run.source.probe_batch() if run.source else None


def _hidden(tokenizer: AnyTokenizer, max_pieces: int) -> Questions:
    """Return the first `max_pieces` of the story with each piece hidden once.

    Row r hides every seventh piece, starting with the r-th.
    """
    story, mask = tokenizer.encode(STORY, limit=max_pieces), tokenizer.special.mask
    assert mask is not None
    rows = torch.tensor(story.ids).repeat(min(HIDDEN_STRIDE, len(story)), 1)  # (7, L)
    typed = torch.tensor([start < end for start, end in story.spans])  # not the special tokens around the text
    hidden = (torch.arange(len(story)) % HIDDEN_STRIDE == torch.arange(len(rows))[:, None]) & typed
    return Questions(rows.masked_fill(hidden, mask), None, rows.masked_fill(~hidden, -1))


def _continued(tokenizer: AnyTokenizer, run: Run, slow: bool) -> Questions:
    """Ask for each piece of a story after those before it; for letters, ask for the repeated letters."""
    if not isinstance(tokenizer, SymbolTokenizer):
        max_pieces = min(SLOW_PIECES + 1, text_limit(run.config)) if slow else text_limit(run.config)
        ids = torch.tensor([tokenizer.encode(STORY, limit=max_pieces).ids])
        return Questions(None, ids[:, :-1], ids[:, 1:], not slow)
    ids = _padded([(BOS, *tokenizer.encode(row + row[COPIED_LETTERS]).ids) for row in LETTERS], PAD)
    gold = ids[:, 1:].clone()
    gold[:, : len(LETTERS[0]) + 1] = -1  # neither random letters nor the start of the repeated ones can be predicted
    return Questions(None, ids[:, :-1], gold)


def _pairs(tokenizer: AnyTokenizer, run: Run, slow: bool) -> Questions:
    """Ask for each piece of a translation, given the source and the pieces before it.

    For letters, the translation is the row sorted (toy-sort) or backwards.
    """
    pairs: Sequence[tuple[str, str]] = PAIRS[:SLOW_SENTENCES] if slow else PAIRS
    if isinstance(tokenizer, SymbolTokenizer):
        turned = sorted if run.model_name == "toy-sort" else reversed
        pairs = [(row, "".join(turned(row))) for row in LETTERS]
    special = tokenizer.special
    begin, pad = (BOS if special.begin is None else special.begin), (PAD if special.pad is None else special.pad)
    source = _padded([_ended(tokenizer, text) for text, _ in pairs], pad)
    lines = [(begin, *_ended(tokenizer.target, text)) for _, text in pairs]
    written, gold = _padded(lines, pad), _padded(lines, -1)
    return Questions(source, written[:, :-1], gold[:, 1:], not slow, pad)


def _ended(tokenizer: AnyTokenizer, text: str) -> tuple[int, ...]:
    """Return the ids of a text, ending with the end token; some tokenizers already add it."""
    ids, end = tokenizer.encode(text).ids, tokenizer.special.end
    return ids if end is None or ids[-1] == end else (*ids, end)


def _masks(questions: Questions, source: Tensor | None, target: Tensor | None) -> Masks:
    source_mask = None if source is None else key_padding_mask(source != questions.pad)
    target_mask = None if target is None else causal(target.shape[1], target.shape[1], target.device)
    return Masks(source_mask, target_mask, source_mask)


def _scores(step: AnswerHead, model: Transformer, output: Tensor, questions: Questions) -> tuple[Tensor, Tensor]:
    """Return the scores (n, C) of the answers to all questions, and the right answers (n,).

    output: the output of the model's last stack.
    """
    if step.classes is not None:
        assert questions.source is not None
        lengths = (questions.source != questions.pad).sum(1).tolist()
        scores = [step.classes.logits(row[:length]) for row, length in zip(output, lengths, strict=True)]
        return torch.stack(scores), questions.gold
    is_asked = questions.gold >= 0
    return model.logits(output[is_asked.to(output.device)]), questions.gold[is_asked]


def _padded(rows: Sequence[Sequence[int]], pad: int) -> Tensor:
    """Return the ids (B, L), padded with `pad`."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[pad] * (longest - len(row))] for row in rows])
