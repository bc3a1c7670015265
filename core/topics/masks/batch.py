"""Two texts of different length in one batch: the effect of padding on the shorter one, hidden and seen."""

from collections.abc import Sequence
from dataclasses import astuple, replace

import numpy as np
import torch
from torch import Tensor

from core.model.masks import PaddingMask, explicit_mask, without_padding
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.text.special import PAD, SPECIAL_LABELS
from core.topics.masks.records import Batched
from core.topics.shared.places import HeadAddress, in_window, to_numpy
from core.tracing.run import Run, TokenRow, prepare, text_limit, token_row
from core.tracing.trace import trace

SourceIds = Sequence[int] | None


def batched(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress, second: str = "") -> Batched:
    """Compare the shorter of two texts alone with itself in a padded batch, its padding hidden and not hidden.

    second: "" means the first half of the run's own text. In an encoder-decoder these are texts of the decoder, and
    both have the run's text as their source.

    The rows of a batch never meet inside the model: the longer text affects the shorter one only through its padding.
    So only the shorter one is run, once alone and, padded, once with the padding hidden and once with it seen.
    Raises ValueError if the model has no padding token, the second text cannot be read, or the numbers overflow.
    """
    pair, source = both(tokenizer, run, second)
    lengths = [len(row) for row in pair]
    short, longest = int(lengths[1] < lengths[0]), max(lengths)
    others = without_padding(run.masks)
    pad = tokenizer.special.pad
    if pad is None:
        raise ValueError("This model has no padding token, so texts of two lengths cannot run together.")
    full = (_padded(pair[0], longest, pad), _padded(pair[1], longest, pad))
    size = lengths[short]
    masks = [explicit_mask((*others, PaddingMask()), longest, longest, [size]), explicit_mask(others, longest, longest)]
    unpadded = explicit_mask(others, size, size)
    alone, output = _carried(model, run, place, [pair[short].ids], source, unpadded)
    patterns, outputs = _carried(model, run, place, [full[short].ids] * 2, source, _stacked(masks, longest))
    moved = np.abs(outputs[:, :size] - output[0]).max(-1)
    bare = [mask.expand(1, 1, *mask.shape[-2:])[0, 0].numpy() for mask in (unpadded, *masks)]
    allowed = [in_window(square, run.config.windows, place) for square in bare]
    return Batched(full, short, alone[0], patterns[0], patterns[1], moved[0], moved[1], allowed)


def both(tokenizer: AnyTokenizer, run: Run, second: str = "") -> tuple[tuple[TokenRow, TokenRow], SourceIds]:
    """Return the tokens of the two texts that `batched` compares, and the ids of their source.

    The source is None unless the model is an encoder-decoder.
    """
    plain = replace(run, pads=0, masks=())
    rows = prepare(plain, tokenizer).rows
    first = rows[run.config.stacks[-1]]
    return (first, _second(plain, tokenizer.target, first, second)), rows["encoder"].ids if len(rows) == 2 else None


def _second(run: Run, tokenizer: AnyTokenizer, first: TokenRow, text: str) -> TokenRow:
    several = run.config.has_two_stacks
    begin, end = (True, False) if several else (run.format.begin, run.format.end)
    limit = text_limit(run.config) - begin - end
    if not text.strip():
        written = [piece for piece in first.ids if piece not in astuple(tokenizer.special)]
        half = tokenizer.decode(written[: max(1, len(written) // 2)])
        text = half if half.strip() else tokenizer.decode(written)
    try:
        return token_row(text, tokenizer, limit, begin=begin, end=end)
    except ValueError as mistake:
        raise ValueError(f"In the second text: {mistake}") from mistake


def _carried(
    model: Transformer,
    run: Run,
    place: HeadAddress,
    texts: Sequence[Sequence[int]],
    source: SourceIds,
    mask: Tensor,
) -> tuple[np.ndarray, np.ndarray]:
    """Return one head's patterns (B, L, L) and the outputs (B, L, D) of texts of one length with one source."""
    device = run.placement.device
    ids = torch.tensor(texts, device=device)  # (B, L)
    memory = None
    if source is not None:
        with torch.inference_mode():
            memory = model.run_stack("encoder", torch.tensor([source], device=device), None)  # (1, S, D)
        memory = memory.expand(len(texts), -1, -1)
    keys = [place.prefix + "pattern", f"{place.stack}.final"]
    activations = trace(
        model.run_stack,
        place.stack,
        ids,
        mask.to(device),
        memory,
        record=keys,
        reduce={keys[0]: lambda x: x[:, place.head]},
    )
    if not activations[keys[1]].isfinite().all():
        raise ValueError("The numbers overflow in this batch: choose a norm, fewer layers or another number format.")
    return to_numpy(activations[keys[0]]), to_numpy(activations[keys[1]])


def _stacked(masks: Sequence[Tensor], size: int) -> Tensor:
    """Join masks that are broadcastable to (1, 1, L, L) into one (B, 1, L, L)."""
    return torch.cat([mask.expand(1, 1, size, size) for mask in masks])


def _padded(row: TokenRow, length: int, pad: int) -> TokenRow:
    more = length - len(row)
    words = range(max(row.words) + 1, max(row.words) + 1 + more)
    pads = (SPECIAL_LABELS[PAD],) * more
    return TokenRow(row.ids + (pad,) * more, row.pieces + pads, (*row.words, *words), row.word_labels + pads, row.note)
