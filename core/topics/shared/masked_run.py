"""One run under any masks, which act on its last self-attention: that of an encoder or decoder alone, or the decoder's.

The run's pads act on the text of that stack.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from core.model.masks import explicit_mask
from core.model.transformer import Masks, Transformer
from core.text.pieces import AnyTokenizer
from core.topics.shared.loading import up_to
from core.topics.shared.places import HeadAddress, in_window, layer_keys, to_numpy
from core.tracing.edits import Edit
from core.tracing.run import Inputs, Run, TokenRow, execute, prepare, text_limit, token_row


@dataclass(frozen=True)
class MaskedHead:
    """One head under a mask.

    mask (L, L): True = may attend.
    pattern (L, L): the head's weights.
    """

    tokens: TokenRow
    mask: np.ndarray
    pattern: np.ndarray


def inputs_under_mask(run: Run, tokenizer: AnyTokenizer) -> tuple[Inputs, np.ndarray]:
    """Return the run's tokens with its masks on the last self-attention, and that mask alone, (L, L)."""
    stack, several = run.config.stacks[-1], run.config.has_two_stacks
    inputs = prepare(replace(run, masks=(), pads=0 if several else run.pads), tokenizer)
    rows = dict(inputs.rows)
    if several and run.pads:
        limit = text_limit(run.config) - 1 - run.pads
        rows[stack] = token_row(run.target, tokenizer.target, limit, run.pads, begin=True)
    length = len(rows[stack])
    mask = explicit_mask(run.masks, length, length, [length - run.pads]).expand(1, 1, length, length)[0, 0]
    masks = Masks(**{stack: mask.to(run.placement.device)})
    return Inputs(rows, masks, run.config.windows), mask.numpy()


def masked_head(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> MaskedHead:
    """Return one head's weights under the run's masks."""
    inputs, mask = inputs_under_mask(run, tokenizer)
    key = place.prefix + "pattern"
    model, run = up_to(model, run, place)
    pattern = execute(model, run, inputs, [key])[key][0, place.head]
    return MaskedHead(inputs.rows[place.stack], in_window(mask, inputs.windows, place), to_numpy(pattern))


def stream_keys(run: Run) -> list[str]:
    """Return the keys of the last stack's stream as it enters, after each layer, and of its output, N + 2 keys."""
    place = HeadAddress(run.config.stacks[-1])
    return [f"{place.prefix}resid_pre", *layer_keys(run, place, "resid_post"), f"{place.stack}.final"]


def streams(model: Transformer, run: Run, inputs: Inputs, edits: Sequence[Edit] | None = None) -> Tensor:
    """Return the last stack's stream at the keys of `stream_keys`, (N + 2, L, D).

    edits: None for the run's own.
    """
    keys = stream_keys(run)
    activations = execute(model, run, inputs, keys, edits=edits)
    return torch.stack([activations[key][0] for key in keys]).float()


def stream_names(count: int) -> list[str]:
    """Return labels for `count` states of the residual stream: before the first layer, then after each layer."""
    return ["as it enters", *(f"after layer {number}" for number in range(1, count))]
