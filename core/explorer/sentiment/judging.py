"""What a classifier of two classes makes of many rows of tokens at once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from core.analysis.costs import Holds
from core.checkpoints.shipped import ClassLayer
from core.limits import JUDGED_TOKENS
from core.model.masks import MaskSpec
from core.model.tap import IDENTITY, Tap
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.text.special import PAD
from core.tracing.run import Run, text_limit

BATCH_TOKENS = 2048


@dataclass(frozen=True)
class WordPieces:
    """A text in words, as a classifier reads it.

    words: their labels; ids: the pieces of each; pieces: their labels, one for each piece; note: what was cut, if any.
    """

    words: tuple[str, ...]
    ids: tuple[tuple[int, ...], ...]
    pieces: tuple[str, ...]
    note: str | None = None

    @property
    def row(self) -> list[int]:
        """The pieces of all words."""
        return [piece for word in self.ids for piece in word]

    @property
    def owners(self) -> np.ndarray:
        """(L,) for each piece the place of its word."""
        return np.repeat(np.arange(len(self.ids)), [len(word) for word in self.ids])

    def before(self, count: int) -> list[int]:
        """The pieces of the first words."""
        return [piece for word in self.ids[:count] for piece in word]

    def without(self, place: int, instead: int | None = None) -> list[int]:
        """The pieces of all other words. instead: a piece that stands for each that is gone."""
        gone = () if instead is None else (instead,) * len(self.ids[place])
        return [piece for at, word in enumerate(self.ids) for piece in (gone if at == place else word)]

    def by_word(self, values: np.ndarray) -> np.ndarray:
        """(W,) the sums over the pieces of each word; values (L,)."""
        return np.bincount(self.owners, values, minlength=len(self.ids))


def judging_holds(length: int, texts: int, patterns: int = 3, slopes: bool = False) -> Holds:
    """What is held where so many texts of this length, of which at most `JUDGED_TOKENS` are read, are judged at once.

    patterns: tensors of the size of their weights in one layer. slopes: whether gradients go back through them.
    """
    longest = min(length, JUDGED_TOKENS)
    return Holds(
        batch=longest * min(texts, max(1, BATCH_TOKENS // longest)), longest=longest, patterns=patterns, slopes=slopes
    )


def word_pieces(tokenizer: AnyTokenizer, run: Run) -> WordPieces:
    """The words of a run's text, of at most `JUDGED_TOKENS` tokens. ValueError for a text without any."""
    found = tokenizer.encode(run.text, limit=min(JUDGED_TOKENS, text_limit(run.config)))
    ids: list[list[int]] = [[] for _ in found.word_labels]
    for piece, word in zip(found.ids, found.words, strict=True):
        ids[word].append(piece)
    return WordPieces(found.word_labels, tuple(map(tuple, ids)), found.labels, found.note)


def changed_word(text: WordPieces, tokenizer: AnyTokenizer, place: int, put: str) -> WordPieces:
    """The text with one word, from 0, left out or with others in its place; it keeps its place among the words. The
    text itself where there is no such word, or where nothing would be left."""
    if not 0 <= place < len(text.words):
        return text
    new = tokenizer.encode(put, limit=JUDGED_TOKENS) if put.strip() else None
    if new is None and len(text.words) == 1:
        return text
    ids = (*text.ids[:place], () if new is None else new.ids, *text.ids[place + 1 :])
    before, after = len(text.before(place)), len(text.before(place + 1))
    pieces = (*text.pieces[:before], *(() if new is None else new.labels), *text.pieces[after:])
    if len(pieces) > JUDGED_TOKENS:
        raise ValueError(f"With this in its place the text has {len(pieces)} tokens; {JUDGED_TOKENS} are the most.")
    words = (*text.words[:place], text.words[place] if new is None else " ".join(put.split()), *text.words[place + 1 :])
    return replace(text, words=words, ids=ids, pieces=pieces)


def margins(layer: ClassLayer, model: Transformer, run: Run, rows: Sequence[Sequence[int]]) -> np.ndarray:
    """(N,) of each row of pieces the logit of the second class less that of the first."""
    found: list[np.ndarray] = []
    many = max(1, BATCH_TOKENS // max(map(len, rows)))
    for start in range(0, len(rows), many):
        part = rows[start : start + many]
        lengths = [len(row) for row in part]
        ids = torch.full((len(part), max(lengths)), PAD)
        for at, row in enumerate(part):
            ids[at, : len(row)] = torch.tensor(row)
        with torch.no_grad():
            found.append(margin(layer, model, run, ids, lengths).numpy())
    return np.concatenate(found)


def margin(
    layer: ClassLayer, model: Transformer, run: Run, ids: Tensor, lengths: Sequence[int], tap: Tap = IDENTITY
) -> Tensor:
    """(B,) the logit of the second class less that of the first, under the run's own mask; ids (B, L), padded.

    Gradients go through it. ValueError where the numbers overflow.
    """
    length, device = ids.shape[1], run.placement.device
    kinds = tuple(sorted({*run.mask.kinds, "padding"}))
    mask = replace(run.mask, kinds=kinds).explicit(length, length, lengths).to(device)
    return margin_of(layer, model.run_stack("encoder", ids.to(device), mask, tap=tap), lengths)


def margin_of(layer: ClassLayer, out: Tensor, lengths: Sequence[int]) -> Tensor:
    """(B,) the logit of the second class less that of the first, of an encoder's output (B, L, D). ValueError where the
    numbers overflow."""
    out, counts = out.float().cpu(), torch.tensor(lengths)[:, None]
    mean = out.masked_fill((torch.arange(out.shape[1]) >= counts)[..., None], 0.0).sum(1) / counts  # (B, D)
    logits = layer.linear(mean)  # (B, 2)
    if not logits.isfinite().all():
        raise ValueError("The numbers overflow: choose another number format.")
    return logits[:, 1] - logits[:, 0]


def chances(found: np.ndarray) -> np.ndarray:
    """The chance of the second class for these differences of the logits: the softmax of two."""
    return 1 / (1 + np.exp(-np.clip(found.astype(np.float64), -700, 700)))


def mask_rows(run: Run, length: int) -> Tensor:
    """(L, L) booleans, True = may attend: the run's own mask over one text."""
    kinds = tuple(kind for kind in run.mask.kinds if kind != "padding")
    spec: MaskSpec = replace(run.mask, kinds=kinds)
    return spec.explicit(length, length)
