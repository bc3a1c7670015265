"""Running a classifier on many rows of tokens at once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from core.analysis.costs import PeakMemory
from core.checkpoints.class_layer import ClassLayer
from core.limits import JUDGED_TOKENS
from core.model.masks import PaddingMask, explicit_mask, without_padding
from core.model.tap import IDENTITY, Tap
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.text.special import PAD
from core.tracing.run import Run, text_limit

BATCH_TOKENS = 2048


@dataclass(frozen=True)
class WordPieces:
    """A text split into words, as a classifier reads it.

    words: their labels.
    ids: the pieces of each word.
    pieces: the labels of all pieces that are read.
    note: a note on text that was cut off, None if nothing was.
    first, last: the special pieces that a model reads before and after its text.
    """

    words: tuple[str, ...]
    ids: tuple[tuple[int, ...], ...]
    pieces: tuple[str, ...]
    note: str | None = None
    first: tuple[int, ...] = ()
    last: tuple[int, ...] = ()

    @property
    def row(self) -> list[int]:
        """The ids of all pieces, as the model reads them."""
        return self._read(self.ids)

    @property
    def typed(self) -> slice:
        """The slice of the row that holds the pieces of the words."""
        return slice(len(self.first), len(self.row) - len(self.last))

    @property
    def owners(self) -> np.ndarray:
        """For each piece of a word, the number of that word."""
        return np.repeat(np.arange(len(self.ids)), [len(word) for word in self.ids])

    def before(self, count: int) -> list[int]:
        """Return the row with only the first `count` words."""
        return self._read(self.ids[:count])

    def without(self, word: int, instead: int | None = None) -> list[int]:
        """Return the row without one word.

        instead: a piece that replaces each of the word's pieces; None to leave them out.
        """
        gone = () if instead is None else (instead,) * len(self.ids[word])
        return self._read((*self.ids[:word], gone, *self.ids[word + 1 :]))

    def by_word(self, values: np.ndarray) -> np.ndarray:
        """Return the sums over the pieces of each word, (W,), of values (L,); special pieces are left out."""
        return np.bincount(self.owners, values[self.typed], minlength=len(self.ids))

    def _read(self, words: Sequence[Sequence[int]]) -> list[int]:
        return [*self.first, *(piece for word in words for piece in word), *self.last]


def judging_holds(length: int, texts: int, patterns: int = 3, slopes: bool = False) -> PeakMemory:
    """Return the memory needed to judge `texts` texts of this length at once.

    At most `JUDGED_TOKENS` tokens of each are read.
    patterns: the number of tensors of the size of their weights in one layer.
    slopes: whether gradients go back through them.
    """
    longest = min(length, JUDGED_TOKENS)
    return PeakMemory(
        batch=longest * min(texts, max(1, BATCH_TOKENS // longest)), longest=longest, patterns=patterns, slopes=slopes
    )


def word_pieces(tokenizer: AnyTokenizer, run: Run) -> WordPieces:
    """Return the words of a run's text, up to `JUDGED_TOKENS` tokens.

    Raises ValueError for a text without any words.
    """
    tokens = tokenizer.encode(run.text, limit=min(JUDGED_TOKENS, text_limit(run.config)))
    before, after = tokens.around
    end = len(tokens) - after
    words = tokens.word_labels[before : len(tokens.word_labels) - after]
    ids: list[list[int]] = [[] for _ in words]
    for piece, word in zip(tokens.ids[before:end], tokens.words[before:end], strict=True):
        ids[word - before].append(piece)
    return WordPieces(words, tuple(map(tuple, ids)), tokens.labels, tokens.note, tokens.ids[:before], tokens.ids[end:])


def changed_word(text: WordPieces, tokenizer: AnyTokenizer, word: int, put: str) -> WordPieces:
    """Return the text with one word, counted from 0, replaced by other words or left out.

    The changed word keeps its position among the words. Return the text itself if there is no such word, or if nothing
    would be left. Raises ValueError if the changed text has more than `JUDGED_TOKENS` tokens.
    put: the words in its place; blank to leave it out.
    """
    if not 0 <= word < len(text.words):
        return text
    new = tokenizer.encode(put, limit=JUDGED_TOKENS) if put.strip() else None
    if new is None and len(text.words) == 1:
        return text
    kept = slice(0, 0) if new is None else slice(new.around[0], len(new) - new.around[1])
    ids = (*text.ids[:word], () if new is None else new.ids[kept], *text.ids[word + 1 :])
    before = len(text.first) + sum(map(len, text.ids[:word]))
    after = before + len(text.ids[word])
    pieces = (*text.pieces[:before], *(() if new is None else new.labels[kept]), *text.pieces[after:])
    if len(pieces) > JUDGED_TOKENS:
        raise ValueError(f"With this in its place the text has {len(pieces)} tokens; {JUDGED_TOKENS} are the most.")
    words = (*text.words[:word], text.words[word] if new is None else " ".join(put.split()), *text.words[word + 1 :])
    return replace(text, words=words, ids=ids, pieces=pieces)


def follow_likeliest(layer: ClassLayer, model: Transformer, tokenizer: AnyTokenizer, run: Run) -> ClassLayer:
    """Return a copy of the layer whose `followed` class is the likeliest one for the run's whole text.

    A layer with two classes is returned as it is.
    """
    if len(layer.labels) == 2:
        return layer
    row = word_pieces(tokenizer, run).row
    out = model.run_stack("encoder", torch.tensor([row]), mask_rows(run, len(row)))
    return layer.following(int(layer.logits(out)[0].argmax()))


def margins(layer: ClassLayer, model: Transformer, run: Run, rows: Sequence[Sequence[int]]) -> np.ndarray:
    """Return the log-odds of the followed class for each row of pieces, (N,)."""
    log_odds: list[np.ndarray] = []
    many = max(1, BATCH_TOKENS // max(map(len, rows)))
    for start in range(0, len(rows), many):
        part = rows[start : start + many]
        lengths = [len(row) for row in part]
        ids = torch.full((len(part), max(lengths)), PAD)
        for index, row in enumerate(part):
            ids[index, : len(row)] = torch.tensor(row)
        with torch.no_grad():
            log_odds.append(margin(layer, model, run, ids, lengths).numpy())
    return np.concatenate(log_odds)


def margin(
    layer: ClassLayer, model: Transformer, run: Run, ids: Tensor, lengths: Sequence[int], tap: Tap = IDENTITY
) -> Tensor:
    """Return the log-odds of the followed class, (B,), under the run's own mask; ids (B, L), padded.

    Gradients go through it. Raises ValueError if the numbers overflow.
    """
    length, device = ids.shape[1], run.placement.device
    mask = explicit_mask((*run.masks, PaddingMask()), length, length, lengths).to(device)
    return margin_of(layer, model.run_stack("encoder", ids.to(device), mask, tap=tap), lengths)


def margin_of(layer: ClassLayer, out: Tensor, lengths: Sequence[int]) -> Tensor:
    """Return the log-odds of the followed class, (B,), from an encoder's output (B, L, D).

    Raises ValueError if the numbers overflow.
    """
    logits = layer.logits(out, lengths)  # (B, C)
    if not logits.isfinite().all():
        raise ValueError("The numbers overflow: choose another number format.")
    return layer.margin(logits)


def probabilities(log_odds: np.ndarray) -> np.ndarray:
    """Return the probability of the followed class for these log-odds."""
    return 1 / (1 + np.exp(-np.clip(log_odds.astype(np.float64), -700, 700)))


def mask_rows(run: Run, length: int) -> Tensor:
    """Return the run's own mask over one text as booleans (L, L), True = may attend."""
    return explicit_mask(without_padding(run.masks), length, length)
