"""What a classifier makes of many rows of tokens at once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from core.analysis.costs import PeakMemory
from core.checkpoints.class_layer import ClassLayer
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

    words: their labels; ids: the pieces of each; pieces: the labels of all pieces that are read; note: what was cut, if
    any. first, last: the special pieces that a model reads around its text.
    """

    words: tuple[str, ...]
    ids: tuple[tuple[int, ...], ...]
    pieces: tuple[str, ...]
    note: str | None = None
    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()

    @property
    def row(self) -> list[int]:
        """All pieces, as the model reads them."""
        return self._read(self.ids)

    @property
    def typed(self) -> slice:
        """Where in the row the pieces of the words are."""
        return slice(len(self.first), len(self.row) - len(self.last))

    @property
    def owners(self) -> np.ndarray:
        """For each piece of a word the place of that word."""
        return np.repeat(np.arange(len(self.ids)), [len(word) for word in self.ids])

    def before(self, count: int) -> list[int]:
        """The first words, as the model reads them."""
        return self._read(self.ids[:count])

    def without(self, place: int, instead: int | None = None) -> list[int]:
        """All other words, as the model reads them. instead: a piece that stands for each that is gone."""
        gone = () if instead is None else (instead,) * len(self.ids[place])
        return self._read((*self.ids[:place], gone, *self.ids[place + 1 :]))

    def by_word(self, values: np.ndarray) -> np.ndarray:
        """(W,) the sums over the pieces of each word; values (L,), those of special pieces left out."""
        return np.bincount(self.owners, values[self.typed], minlength=len(self.ids))

    def _read(self, words: Sequence[Sequence[int]]) -> list[int]:
        return [*self.first, *(piece for word in words for piece in word), *self.last]


def judging_holds(length: int, texts: int, patterns: int = 3, slopes: bool = False) -> PeakMemory:
    """What is held where so many texts of this length, of which at most `JUDGED_TOKENS` are read, are judged at once.

    patterns: tensors of the size of their weights in one layer. slopes: whether gradients go back through them.
    """
    longest = min(length, JUDGED_TOKENS)
    return PeakMemory(
        batch=longest * min(texts, max(1, BATCH_TOKENS // longest)), longest=longest, patterns=patterns, slopes=slopes
    )


def word_pieces(tokenizer: AnyTokenizer, run: Run) -> WordPieces:
    """The words of a run's text, of at most `JUDGED_TOKENS` tokens. ValueError for a text without any."""
    found = tokenizer.encode(run.text, limit=min(JUDGED_TOKENS, text_limit(run.config)))
    before, after = found.around
    end = len(found) - after
    words = found.word_labels[before : len(found.word_labels) - after]
    ids: list[list[int]] = [[] for _ in words]
    for piece, word in zip(found.ids[before:end], found.words[before:end], strict=True):
        ids[word - before].append(piece)
    return WordPieces(words, tuple(map(tuple, ids)), found.labels, found.note, found.ids[:before], found.ids[end:])


def changed_word(text: WordPieces, tokenizer: AnyTokenizer, place: int, put: str) -> WordPieces:
    """The text with one word, from 0, left out or with others in its place; it keeps its place among the words. The
    text itself where there is no such word, or where nothing would be left."""
    if not 0 <= place < len(text.words):
        return text
    new = tokenizer.encode(put, limit=JUDGED_TOKENS) if put.strip() else None
    if new is None and len(text.words) == 1:
        return text
    kept = slice(0, 0) if new is None else slice(new.around[0], len(new) - new.around[1])
    ids = (*text.ids[:place], () if new is None else new.ids[kept], *text.ids[place + 1 :])
    before = len(text.first) + sum(map(len, text.ids[:place]))
    after = before + len(text.ids[place])
    pieces = (*text.pieces[:before], *(() if new is None else new.labels[kept]), *text.pieces[after:])
    if len(pieces) > JUDGED_TOKENS:
        raise ValueError(f"With this in its place the text has {len(pieces)} tokens; {JUDGED_TOKENS} are the most.")
    words = (*text.words[:place], text.words[place] if new is None else " ".join(put.split()), *text.words[place + 1 :])
    return replace(text, words=words, ids=ids, pieces=pieces)


def follow_likeliest(layer: ClassLayer, model: Transformer, tokenizer: AnyTokenizer, run: Run) -> ClassLayer:
    """The layer, looking at the class that is likeliest for the run's whole text. Of two classes it stays as it is."""
    if len(layer.labels) == 2:
        return layer
    row = word_pieces(tokenizer, run).row
    out = model.run_stack("encoder", torch.tensor([row]), mask_rows(run, len(row)))
    return layer.following(int(layer.logits(out)[0].argmax()))


def margins(layer: ClassLayer, model: Transformer, run: Run, rows: Sequence[Sequence[int]]) -> np.ndarray:
    """(N,) of each row of pieces the log-odds of the followed class."""
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
    """(B,) the log-odds of the followed class, under the run's own mask; ids (B, L), padded.

    Gradients go through it. ValueError where the numbers overflow.
    """
    length, device = ids.shape[1], run.placement.device
    kinds = tuple(sorted({*run.mask.kinds, "padding"}))
    mask = replace(run.mask, kinds=kinds).explicit(length, length, lengths).to(device)
    return margin_of(layer, model.run_stack("encoder", ids.to(device), mask, tap=tap), lengths)


def margin_of(layer: ClassLayer, out: Tensor, lengths: Sequence[int]) -> Tensor:
    """(B,) the log-odds of the followed class, of an encoder's output (B, L, D). ValueError where the numbers
    overflow."""
    logits = layer.logits(out, lengths)  # (B, C)
    if not logits.isfinite().all():
        raise ValueError("The numbers overflow: choose another number format.")
    return layer.margin(logits)


def chances(found: np.ndarray) -> np.ndarray:
    """The chance of the followed class for these log-odds."""
    return 1 / (1 + np.exp(-np.clip(found.astype(np.float64), -700, 700)))


def mask_rows(run: Run, length: int) -> Tensor:
    """(L, L) booleans, True = may attend: the run's own mask over one text."""
    kinds = tuple(kind for kind in run.mask.kinds if kind != "padding")
    spec: MaskSpec = replace(run.mask, kinds=kinds)
    return spec.explicit(length, length)
