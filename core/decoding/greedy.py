"""Greedy decoding, which takes the likeliest token each time and records nothing else: the fastest way to write."""

import torch
from torch import Tensor

from core.model.packed import packed
from core.model.transformer import Transformer

MANY = 16  # with this many tokens or more, it pays to pack the matrices first


@torch.inference_mode()
def continuation(
    model: Transformer,
    ids: Tensor,
    count: int,
    source: Tensor | None = None,
    cached: bool = True,
    writer: Transformer | None = None,
) -> Tensor:
    """Return the `count` ids (B, count) after `ids` (B, L), the likeliest each time; no token ends a text early.

    source: the texts that an encoder-decoder translates (B, S).
    cached: whether to keep keys and values. Without, the whole text is read again for each token, and the ids are the
        same except for rounding.
    writer: `packed(model)`, for a caller that writes several texts, one at a time and cached. If None, the model is
        packed here for a single cached text of `MANY` new tokens or more, which has an effect in bfloat16 on a CPU.

    Raises ValueError for more tokens than the model can read, and if a packed writer gets several texts at once or no
    cache.
    """
    if writer is None:
        writer = packed(model) if cached and len(ids) == 1 and count >= MANY else model
    memory = None if source is None else model.run_stack("encoder", source, None)
    length = ids.shape[1]
    kept = None if writer is model else torch.float32
    cache = model.cache(len(ids), length + count - 1, kept) if cached else None
    text = torch.cat([ids, ids.new_empty(len(ids), count)], 1)
    read = 0
    for end in range(length, length + count):
        x = writer.run_stack("decoder", text[:, read:end], None, memory, cache=cache)
        torch.argmax(writer.logits(x[:, -1:])[:, -1], -1, out=text[:, end])
        read = end if cached else 0
    return text[:, length:]
