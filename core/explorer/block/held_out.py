"""The loss of a model, or of a variant of it, on short texts that no model was trained on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import Tensor

from core.explorer.block.answers import LastStep
from core.explorer.block.variants import changed_model
from core.explorer.shared.endings import class_logits
from core.model.masks import MaskSpec, causal, real_keys
from core.model.transformer import Masks, Transformer
from core.text.held_out import LETTERS, PAIRS, REVIEWS, STORY
from core.text.pieces import AnyTokenizer
from core.text.special import BOS, EOS, MASK, PAD
from core.text.symbols import SymbolTokenizer
from core.tracing.run import Run, text_limit
from core.tracing.trace import trace

SHORT = 63  # pieces of the story where each is hidden once
EVERY = 7  # one piece in so many is hidden at a time
COPIED = slice(2, 7)  # the letters of a row that are repeated behind it


@dataclass(frozen=True, eq=False)
class Questions:
    """Texts with their right answers. source (B, S), target (B, L): ids, padded with 0, of the stacks that there are;
    gold (B, L): the right answers, −1 where nothing is asked; of a classifier (B,)."""

    source: Tensor | None
    target: Tensor | None
    gold: Tensor


def held_out_run(run: Run, tokenizer: AnyTokenizer) -> Run:
    """The run of the same model on the first of the held-out texts, which all pages' visitors share."""
    text = LETTERS[0] if isinstance(tokenizer, SymbolTokenizer) else STORY
    target = text if len(run.config.stacks) == 2 else ""
    return replace(run, text=text, target=target, mask=MaskSpec(), pads=0, edits=())


def held_out_loss(
    step: LastStep, model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str, name: str
) -> float | None:
    """The mean loss, in nats for each answer, of the variant of this name ("" for the model as it is).

    NaN where the numbers overflow; None where the model gives no answer that could be right.
    """
    questions = ask_held_out(step, tokenizer, run)
    if questions is None:
        return None
    other, edits = changed_model(model, stack, name) if name else (model, ())
    device = run.placement.device
    source, target = (None if ids is None else ids.to(device) for ids in (questions.source, questions.target))
    output = trace(other, source, target, _masks(source, target), record=(), edits=edits).output
    with torch.inference_mode():
        scores, gold = _scores(step, other, output, questions)
    loss = F.cross_entropy(scores.float().cpu(), gold)
    return float(loss) if loss.isfinite() else float("nan")


def ask_held_out(step: LastStep, tokenizer: AnyTokenizer, run: Run) -> Questions | None:
    """The held-out texts as a model of this kind is asked for them; None for an encoder that answers nothing."""
    kind = step.kind(run)
    if kind == "class":
        assert step.classes is not None
        ids = [tokenizer.encode(text).ids for text, _ in REVIEWS]
        return Questions(_padded(ids), None, torch.tensor([int(good) for _, good in REVIEWS]))
    if kind == "hidden piece":
        return _hidden(tokenizer.encode(STORY, limit=min(SHORT, text_limit(run.config))).ids)
    if kind != "next piece":
        return None
    return _pairs(tokenizer, run) if len(run.config.stacks) == 2 else _continued(tokenizer, run)


def _hidden(ids: tuple[int, ...]) -> Questions:
    """Each piece hidden once: of row r every seventh, from the r-th on."""
    rows = torch.tensor(ids).repeat(min(EVERY, len(ids)), 1)  # (7, L)
    hidden = torch.arange(len(ids)) % EVERY == torch.arange(len(rows))[:, None]
    return Questions(rows.masked_fill(hidden, MASK), None, rows.masked_fill(~hidden, -1))


def _continued(tokenizer: AnyTokenizer, run: Run) -> Questions:
    """Each piece of a story from those before it; of letters, a stretch of them that comes again."""
    if not isinstance(tokenizer, SymbolTokenizer):
        ids = torch.tensor([tokenizer.encode(STORY, limit=text_limit(run.config)).ids])
        return Questions(None, ids[:, :-1], ids[:, 1:])
    ids = _padded([(BOS, *tokenizer.encode(row + row[COPIED]).ids) for row in LETTERS])
    gold = ids[:, 1:].clone()
    gold[:, : len(LETTERS[0]) + 1] = -1  # letters are drawn by chance, and so is where the stretch begins
    return Questions(None, ids[:, :-1], gold)


def _pairs(tokenizer: AnyTokenizer, run: Run) -> Questions:
    """Each piece of a translation from the source and those before it; of letters, backwards or in order."""
    pairs: Sequence[tuple[str, str]] = PAIRS
    if isinstance(tokenizer, SymbolTokenizer):
        turned = sorted if run.checkpoint.startswith("toy-sort") else reversed
        pairs = [(row, "".join(turned(row))) for row in LETTERS]
    source = _padded([(*tokenizer.encode(text).ids, EOS) for text, _ in pairs])
    written = _padded([(BOS, *tokenizer.encode(text).ids, EOS) for _, text in pairs])
    gold = written[:, 1:]
    return Questions(source, written[:, :-1], gold.masked_fill(gold == PAD, -1))


def _masks(source: Tensor | None, target: Tensor | None) -> Masks:
    reads = None if source is None else real_keys(source != PAD)
    seen = None if target is None else causal(target.shape[1], target.shape[1], target.device)
    return Masks(reads, seen, reads)


def _scores(step: LastStep, model: Transformer, output: Tensor, questions: Questions) -> tuple[Tensor, Tensor]:
    """(n, C) scores of all that is asked, and (n,) the right answers."""
    if step.classes is not None:
        assert questions.source is not None
        lengths = (questions.source != PAD).sum(1).tolist()
        found = [class_logits(step.classes, row[:length]) for row, length in zip(output, lengths, strict=True)]
        return torch.stack(found), questions.gold
    asked = questions.gold >= 0
    rows = output[asked.to(output.device)]
    return (rows if "decoder" in model.config.stacks else model.logits(rows)), questions.gold[asked]


def _padded(rows: Sequence[Sequence[int]]) -> Tensor:
    """(B, L) ids, padded with 0."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[PAD] * (longest - len(row))] for row in rows])
