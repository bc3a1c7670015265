"""Greedy decoding, which takes the likeliest token each time and records nothing else: the fastest way to write."""

import torch
from torch import Tensor

from core.model.transformer import Transformer


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
    writer: `core.model.fast.packed.packed(model)`, which writes one cached text at a time, in bfloat16 on a CPU faster
        than the model; packing pays from about 16 tokens. None: the model itself.

    Raises ValueError for more tokens than the model can read, and if a packed writer gets several texts at once or no
    cache.
    """
    writer = model if writer is None else writer
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
