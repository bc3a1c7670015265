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
) -> Tensor:
    """Return the `count` ids (B, count) after `ids` (B, L), the likeliest each time; no token ends a text early.

    source: the texts that an encoder-decoder translates (B, S).
    cached: whether to keep keys and values. Without, the whole text is read again for each token, and the ids are the
        same except for rounding.

    Raises ValueError for more tokens than the model can read.

    >>> from core.topics.shared.open_run import open_run, run_of_model
    >>> model, tokenizer = open_run(run_of_model("storyteller", ""))
    >>> ids = torch.tensor([tokenizer.encode("Once upon a").ids])
    >>> tokenizer.labels(continuation(model, ids, 4)[0].tolist())
    ('time', 'there', 'was', 'a')
    """
    memory = None if source is None else model.run_stack("encoder", source, None)
    length = ids.shape[1]
    cache = model.cache(len(ids), length + count - 1) if cached else None
    text = torch.cat([ids, ids.new_empty(len(ids), count)], 1)
    read = 0
    for end in range(length, length + count):
        x = model.run_stack("decoder", text[:, read:end], None, memory, cache=cache)
        torch.argmax(model.logits(x[:, -1:])[:, -1], -1, out=text[:, end])
        read = end if cached else 0
    return text[:, length:]
