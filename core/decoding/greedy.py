"""The likeliest text, token after token, and nothing else: the fastest way through a model."""

import torch
from torch import Tensor

from core.model.packed import packed
from core.model.transformer import Transformer

MANY = 16  # tokens from which on it pays to lay the matrices out anew


@torch.inference_mode()
def continuation(
    model: Transformer, ids: Tensor, count: int, source: Tensor | None = None, cached: bool = True
) -> Tensor:
    """The `count` ids (B, count) that follow `ids` (B, L), the likeliest each time; no token ends a text early.

    source (B, S): what an encoder-decoder translates. cached: keep keys and values; False reads all of the text anew
    for each token and gives the same ids, but for roundings. ValueError for more tokens than the model can read.
    """
    memory = None if source is None else model.run_stack("encoder", source, None)
    length = ids.shape[1]
    cache = model.cache(len(ids), length + count - 1) if cached else None
    text = torch.cat([ids, ids.new_empty(len(ids), count)], 1)
    read, writer = 0, packed(model) if cached and len(ids) == 1 and count >= MANY else model
    for end in range(length, length + count):
        new = text[:, read:end]
        reader = writer if new.numel() == 1 else model
        x = reader.run_stack("decoder", new, None, memory, cache=cache)
        torch.argmax(reader.logits(x[:, -1:])[:, -1], -1, out=text[:, end])
        read = end if cached else 0
    return text[:, length:]
