"""Two texts of different length in one batch: what padding does to the shorter one, hidden and seen."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from core.explorer.mask_records import Batched
from core.explorer.places import to_numpy
from core.explorer.records import Place
from core.model.masks import MaskSpec
from core.model.transformer import Masks, Transformer
from core.run import PAD, TEXT_LIMIT, Run, TokenRow, prepare, token_row
from core.tokens import FIRST_BYTE, AnyTokenizer
from core.trace import trace


def batched(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: Place, second: str = "") -> Batched:
    """The run's text and `second` in one batch, under the run's mask; whether padding is hidden too is what is tested.

    second: "" means the first half of the run's own text. In an encoder-decoder these are texts of the decoder, and
    both have the run's text as their source.
    """
    plain = replace(run, pads=0, mask=MaskSpec())
    rows = prepare(plain, tokenizer).rows
    first = rows[place.stack]
    pair = (first, _second(plain, tokenizer, first, second))
    lengths = [len(row) for row in pair]
    short, longest = int(lengths[1] < lengths[0]), max(lengths)
    kinds = tuple(kind for kind in run.mask.kinds if kind != "padding")
    open_spec, hiding = replace(run.mask, kinds=kinds), replace(run.mask, kinds=(*kinds, "padding"))
    padded = [(*row.ids, *[PAD] * (longest - len(row))) for row in pair]
    source = rows["encoder"].ids if len(rows) == 2 else None
    size = lengths[short]

    def carried(texts: Sequence[Sequence[int]], mask: Tensor | None, which: int) -> tuple[np.ndarray, np.ndarray]:
        pattern, final = _carried(model, run, place, texts, source, mask)
        return to_numpy(pattern[which, place.head]), to_numpy(final[which, :size])

    alone, output = carried([pair[short].ids], open_spec.build(size, size), 0)
    hidden, safe = carried(padded, hiding.build(longest, longest, lengths), short)
    seen, unsafe = carried(padded, open_spec.build(longest, longest), short)
    moved = [np.abs(each - output).max(-1) for each in (safe, unsafe)]
    return Batched(
        (_padded(pair[0], longest), _padded(pair[1], longest)), short, alone, hidden, seen, moved[0], moved[1]
    )


def _second(run: Run, tokenizer: AnyTokenizer, first: TokenRow, text: str) -> TokenRow:
    several = len(run.config.stacks) == 2
    begin, end = (True, False) if several else (run.begin, run.end)
    limit = min(TEXT_LIMIT, run.config.max_length) - begin - end
    if not text.strip():
        written = [each for each in first.ids if each >= FIRST_BYTE]
        text = tokenizer.decode(written[: max(1, len(written) // 2)])
    try:
        return token_row(text, tokenizer, limit, begin=begin, end=end)
    except ValueError as mistake:
        raise ValueError(f"In the second text: {mistake}") from mistake


def _carried(
    model: Transformer,
    run: Run,
    place: Place,
    texts: Sequence[Sequence[int]],
    source: Sequence[int] | None,
    mask: Tensor | None,
) -> tuple[Tensor, Tensor]:
    """The patterns (B, H, L, L) at the place and the outputs (B, L, D) of a batch of texts of one length."""
    device = run.placement.device
    ids = torch.tensor(texts, device=device)  # (B, L)
    masks = Masks(**{place.stack: None if mask is None else mask.to(device)})
    texts_of: tuple[Tensor | None, Tensor | None]
    if source is None:
        texts_of = (ids, None) if place.stack == "encoder" else (None, ids)
    else:
        texts_of = (torch.tensor([source], device=device).expand(len(texts), -1), ids)  # (B, S), (B, L)
    keys = [place.prefix + "pattern", f"{place.stack}.final"]
    seen = trace(model, *texts_of, masks, record=keys)
    if not seen[keys[1]].isfinite().all():
        raise ValueError("The numbers overflow in this batch: choose a norm, fewer layers or another number format.")
    return seen[keys[0]], seen[keys[1]]


def _padded(row: TokenRow, length: int) -> TokenRow:
    more = length - len(row)
    words = range(max(row.words) + 1, max(row.words) + 1 + more)
    pads = ("<pad>",) * more
    return TokenRow(row.ids + (PAD,) * more, row.pieces + pads, (*row.words, *words), row.word_labels + pads, row.note)
