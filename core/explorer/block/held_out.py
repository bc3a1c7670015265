"""The loss of a model, or of a variant of it, on short texts that no model was trained on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import Tensor

from core.explorer.block.answers import AnswerHead
from core.explorer.block.passes import CachedPass, changed_pass, keep_pass
from core.explorer.shared.loading import estimate_seconds
from core.model.masks import MaskSpec, causal, key_padding_mask
from core.model.transformer import Masks, Transformer
from core.text.held_out import LETTERS, PAIRS, REVIEWS, STORY
from core.text.pieces import AnyTokenizer
from core.text.special import BOS, PAD
from core.text.symbols import SymbolTokenizer
from core.tracing.run import Run, text_limit

SHORT = 63  # pieces of the story where each is hidden once
EVERY = 7  # one piece in so many is hidden at a time
LENGTH = 128  # about as many pieces has the story
SLOW, PIECES, SENTENCES = 0.2, 32, 2  # a model that takes so many seconds for them is asked no more than this
COPIED = slice(2, 7)  # the letters of a row that are repeated behind it


@dataclass(frozen=True, eq=False)
class Questions:
    """Texts with their right answers. source (B, S), target (B, L): ids, padded with `pad`, of the stacks that there
    are; gold (B, L): the right answers, −1 where nothing is asked; of a classifier (B,).
    whole: whether these are all the texts that there are for such models."""

    source: Tensor | None
    target: Tensor | None
    gold: Tensor
    whole: bool = True
    pad: int = PAD

    @property
    def count(self) -> int:
        """How many answers there are."""
        return int((self.gold >= 0).sum())


def held_out_run(run: Run, tokenizer: AnyTokenizer) -> Run:
    """The run of the same model on the first of the held-out texts, which all pages' visitors share."""
    text = LETTERS[0] if isinstance(tokenizer, SymbolTokenizer) else STORY
    target = text if run.config.has_two_stacks else ""
    return replace(run, text=text, target=target, mask=MaskSpec(), pads=0, edits=())


def held_out_pass(
    step: AnswerHead, model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str
) -> tuple[Questions, CachedPass] | None:
    """The model as it is on the held-out texts; None where it gives no answer that could be right."""
    questions, device = ask_held_out(step, tokenizer, run), run.placement.device
    if questions is None:
        return None
    source, target = (None if ids is None else ids.to(device) for ids in (questions.source, questions.target))
    return questions, keep_pass(model, source, target, _masks(questions, source, target), stack)


def held_out_loss(
    step: AnswerHead,
    questions: Questions,
    kept: CachedPass,
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    name: str,
) -> float:
    """The mean loss, in nats for each answer, of the variant of this name ("" for the model as it is); NaN where the
    numbers overflow."""
    output = (changed_pass(model, kept, name) if name else kept).output
    with torch.inference_mode():
        scores, gold = _scores(step, model, output, questions)
    loss = F.cross_entropy(scores.float().cpu(), gold)
    return float(loss) if loss.isfinite() else float("nan")


def ask_held_out(step: AnswerHead, tokenizer: AnyTokenizer, run: Run) -> Questions | None:
    """The held-out texts as a model of this kind is asked for them.

    None for an encoder that answers nothing, and for classes that are neither praise nor blame.
    """
    kind = step.kind(run)
    if kind == "class":
        assert step.classes is not None
        praise, pad = step.classes.praise, run.special.pad or PAD
        if praise is None:
            return None
        ids = [tokenizer.encode(text).ids for text, _ in REVIEWS]
        gold = torch.tensor([praise if good else 1 - praise for _, good in REVIEWS])
        return Questions(_padded(ids, pad), None, gold, pad=pad)
    if kind == "hidden piece":
        return _hidden(tokenizer, min(SHORT, text_limit(run.config)))
    if kind != "next piece":
        return None
    slow = estimate_seconds(run.config, LENGTH, 1) > SLOW
    return (_pairs if run.config.has_two_stacks else _continued)(tokenizer, run, slow)


def _hidden(tokenizer: AnyTokenizer, most: int) -> Questions:
    """Each piece of the story's first so many hidden once: of row r every seventh, from the r-th on."""
    story, mask = tokenizer.encode(STORY, limit=most), tokenizer.special.mask
    assert mask is not None
    rows = torch.tensor(story.ids).repeat(min(EVERY, len(story)), 1)  # (7, L)
    typed = torch.tensor([start < end for start, end in story.spans])  # not what stands around the text
    hidden = (torch.arange(len(story)) % EVERY == torch.arange(len(rows))[:, None]) & typed
    return Questions(rows.masked_fill(hidden, mask), None, rows.masked_fill(~hidden, -1))


def _continued(tokenizer: AnyTokenizer, run: Run, slow: bool) -> Questions:
    """Each piece of a story from those before it; of letters, a stretch of them that comes again."""
    if not isinstance(tokenizer, SymbolTokenizer):
        most = min(PIECES + 1, text_limit(run.config)) if slow else text_limit(run.config)
        ids = torch.tensor([tokenizer.encode(STORY, limit=most).ids])
        return Questions(None, ids[:, :-1], ids[:, 1:], not slow)
    ids = _padded([(BOS, *tokenizer.encode(row + row[COPIED]).ids) for row in LETTERS], PAD)
    gold = ids[:, 1:].clone()
    gold[:, : len(LETTERS[0]) + 1] = -1  # letters are drawn by chance, and so is where the stretch begins
    return Questions(None, ids[:, :-1], gold)


def _pairs(tokenizer: AnyTokenizer, run: Run, slow: bool) -> Questions:
    """Each piece of a translation from the source and those before it; of letters, backwards or in order."""
    pairs: Sequence[tuple[str, str]] = PAIRS[:SENTENCES] if slow else PAIRS
    if isinstance(tokenizer, SymbolTokenizer):
        turned = sorted if run.checkpoint.startswith("toy-sort") else reversed
        pairs = [(row, "".join(turned(row))) for row in LETTERS]
    own = tokenizer.special
    begin, pad = (BOS if own.begin is None else own.begin), (PAD if own.pad is None else own.pad)
    source = _padded([_ended(tokenizer, text) for text, _ in pairs], pad)
    lines = [(begin, *_ended(tokenizer.target, text)) for _, text in pairs]
    written, gold = _padded(lines, pad), _padded(lines, -1)
    return Questions(source, written[:, :-1], gold[:, 1:], not slow, pad)


def _ended(tokenizer: AnyTokenizer, text: str) -> tuple[int, ...]:
    """The ids of a text with that of its end behind it, which some tokenizers put there themselves."""
    ids, end = tokenizer.encode(text).ids, tokenizer.special.end
    return ids if end is None or ids[-1] == end else (*ids, end)


def _masks(questions: Questions, source: Tensor | None, target: Tensor | None) -> Masks:
    reads = None if source is None else key_padding_mask(source != questions.pad)
    seen = None if target is None else causal(target.shape[1], target.shape[1], target.device)
    return Masks(reads, seen, reads)


def _scores(step: AnswerHead, model: Transformer, output: Tensor, questions: Questions) -> tuple[Tensor, Tensor]:
    """(n, C) scores of all that is asked, and (n,) the right answers."""
    if step.classes is not None:
        assert questions.source is not None
        lengths = (questions.source != questions.pad).sum(1).tolist()
        found = [step.classes.logits(row[:length]) for row, length in zip(output, lengths, strict=True)]
        return torch.stack(found), questions.gold
    asked = questions.gold >= 0
    return model.logits(output[asked.to(output.device)]), questions.gold[asked]


def _padded(rows: Sequence[Sequence[int]], pad: int) -> Tensor:
    """(B, L) ids, padded with `pad`."""
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[pad] * (longest - len(row))] for row in rows])
