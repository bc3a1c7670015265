"""Trained translators as `NextLogits` of a search: each source is encoded once, and earlier steps are cached."""

from collections.abc import Sequence

import torch
from torch import Tensor

from core.decoding.beam import NextLogits
from core.model.masks import key_padding_mask, padding
from core.model.recurrent import Recurrent
from core.model.transformer import Transformer
from core.text.special import EOS, PAD


def translator(
    model: Transformer | Recurrent, sources: Sequence[Sequence[int]], max_tokens: int, end: int | None = EOS
) -> NextLogits:
    """Return the `NextLogits` of a trained translator for these sources.

    sources: the ids of each source, with the end of the text.
    max_tokens: the largest number of tokens in a translation.
    end: the id of the piece that ended the sources in training; None if none did.

    Raises ValueError for a source without its end: a model that never read such a text repeats itself.
    """
    for number, source in enumerate(sources):
        if end is not None and (not source or source[-1] != end):
            raise ValueError(
                f"Source {number} does not end with the piece {end}, as all texts did in training: append it."
            )
    if isinstance(model, Recurrent):
        return RecurrentTranslator(model, sources, max_tokens)
    return TransformerTranslator(model, sources, max_tokens)


def pad(texts: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Return texts of ids as one tensor (B, L), padded with <pad> at the end, and its mask (B, L), True for a token."""
    lengths = [len(text) for text in texts]
    ids = torch.full((len(texts), max(lengths)), PAD)
    for row, text in zip(ids, texts, strict=True):
        row[: len(text)] = torch.tensor(text)
    return ids, padding(lengths, ids.shape[1])[:, 0, 0]


class TransformerTranslator:
    """The `NextLogits` of a transformer, with a KV cache."""

    def __init__(self, model: Transformer, sources: Sequence[Sequence[int]], max_tokens: int) -> None:
        self.model, self.device = model, model.embed.weight.device
        source, real = (part.to(self.device) for part in pad(sources))
        self.mask = key_padding_mask(real)
        self.cache = model.cache(len(sources), max_tokens)
        with torch.inference_mode():
            self.memory = model.run_stack("encoder", source, self.mask)

    def __call__(self, prefixes: Tensor, rows: Tensor) -> Tensor:
        cache, rows = self.cache, rows.to(self.device)
        with torch.inference_mode():
            if cache.length:
                cache.select(rows)
                self.mask = self.mask[rows]
            memory = self.memory if cache.memory is None else cache.memory
            new = prefixes[:, cache.length :].to(self.device)
            x = self.model.run_stack("decoder", new, None, memory, self.mask, cache=cache)
            return self.model.logits(x[:, -1])


class RecurrentTranslator:
    """The `NextLogits` of a recurrent translator, with its state."""

    def __init__(self, model: Recurrent, sources: Sequence[Sequence[int]], max_tokens: int) -> None:
        self.model, self.device, self.read = model, model.embed.weight.device, 0
        source, real = (part.to(self.device) for part in pad(sources))
        with torch.inference_mode():
            self.source = model.encode(source, real)
            self.state = model.first_state(self.source)

    def __call__(self, prefixes: Tensor, rows: Tensor) -> Tensor:
        rows = rows.to(self.device)
        with torch.inference_mode():
            if self.read:
                self.source, self.state = self.source.select(rows), self.state[rows]
            for ids in prefixes[:, self.read :].to(self.device).unbind(1):
                hidden, self.state = self.model.step(ids, self.state, self.source)
            self.read = prefixes.shape[1]
            return self.model.logits(hidden)
