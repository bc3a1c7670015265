"""The likeliest text, token after token, and nothing else: the fastest way through a model."""

import torch
from torch import Tensor

from core.model.packed import packed
from core.model.transformer import Transformer

MANY = 16  # tokens from which on it pays to lay the matrices out anew


@torch.inference_mode()
def continuation(
    model: Transformer,
    ids: Tensor,
    count: int,
    source: Tensor | None = None,
    cached: bool = True,
    writer: Transformer | None = None,
) -> Tensor:
    """The `count` ids (B, count) that follow `ids` (B, L), the likeliest each time; no token ends a text early.

    source (B, S): what an encoder-decoder translates. cached: keep keys and values; False reads all of the text anew
    for each token and gives the same ids, but for roundings. writer: `packed(model)`, for whoever writes several texts,
    each of them alone and cached; without it a single long text in bfloat16 is packed for. ValueError for more tokens
    than the model can read, and for a packed writer of several texts at once or without a cache.
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
