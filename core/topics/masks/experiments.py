"""Experiments with masks on the last self-attention of a run: that of an encoder or decoder alone, or the decoder's.

A run's masks and pads act on that text, and so does a painting, the cells of the mask that were changed by hand
(`core.topics.masks.analysis.painting`).
"""

from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from core.model.masks import causal
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.masks.analysis.masks import NAIVE_WAY, RIGHT_WAY, WAYS, empty_rows, weights
from core.topics.masks.analysis.painting import paint
from core.topics.masks.painting import under_painting
from core.topics.masks.presets import under
from core.topics.masks.records import Emptied, Painted, Ways
from core.topics.shared.loading import up_to
from core.topics.shared.masked_run import MaskedHead, inputs_under_mask, masked_head, stream_keys
from core.topics.shared.places import HeadAddress, in_window, require_no_sink, to_numpy
from core.topics.shared.token_change import TokenChange, change_token
from core.tracing.edits import Edit
from core.tracing.run import Inputs, Run, execute
from core.tracing.trace import trace


def painted(tokenizer: AnyTokenizer, run: Run, painting: str = "") -> Painted:
    """Return the run's mask before and after a painting changes its cells, without running the model."""
    inputs, base = inputs_under_mask(run, tokenizer)
    return Painted(inputs.rows[run.config.stacks[-1]], base, paint(base, painting))


def masked(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress, painting: str = "") -> MaskedHead:
    """Return one head's weights under the run's masks, changed by a painting."""
    return masked_head(model, tokenizer, under_painting(run, painting), place)


def masked_place(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> HeadAddress:
    """Return the head of the first layer from which a causal mask takes the most weight.

    The first layer reads the same input with and without a mask, so only the mask itself changes its weights.
    """
    place = replace(place, stack=run.config.stacks[-1], layer=0)
    key = place.prefix + "pattern"
    first, run = up_to(model, under(run, "none"), place)
    pattern = execute(first, run, inputs_under_mask(run, tokenizer)[0], [key])[key][0]  # (H, Q, K)
    queries, keys = pattern.shape[-2:]
    taken = pattern.masked_fill(causal(queries, keys, pattern.device), 0)
    return replace(place, head=int(taken.sum((-2, -1)).argmax()))


def ways(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress, painting: str = "") -> Ways:
    """Return one head's weights as they are, and as they would be if the mask were applied in wrong ways.

    Raises ValueError as `require_no_sink` does.
    """
    require_no_sink(run)
    inputs, mask = inputs_under_mask(under_painting(run, painting), tokenizer)
    mask, key = in_window(mask, inputs.windows, place), place.prefix + "scores"
    model, run = up_to(model, run, place)
    scores = execute(model, run, inputs, [key])[key][0, place.head].float().cpu()
    made = {way: to_numpy(weights(scores, torch.from_numpy(mask), way)) for way in WAYS}
    return Ways(inputs.rows[place.stack], mask, to_numpy(scores), made)


def leak(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    painting: str,
    position: int,
    word: str = "",
    way: str = RIGHT_WAY,
) -> TokenChange:
    """Replace one token and return how far every position's vector moves, to test what a mask lets through.

    position, word: as for `change_token`.
    way: how every masked attention makes its weights.
    """
    run = under_painting(run, painting)
    edits = None if way == RIGHT_WAY else _in_another_way(run, inputs_under_mask(run, tokenizer)[0], way)
    return change_token(model, tokenizer, run, position, word, edits)


def emptied(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress, painting: str = "") -> Emptied:
    """Find the queries that may attend to nothing, and trace the NaN that a plain softmax would spread from them."""
    inputs, unwindowed = inputs_under_mask(under_painting(run, painting), tokenizer)
    mask = in_window(unwindowed, inputs.windows, place)
    broken = _broken(model, run, inputs).cpu().numpy()
    keys = [place.prefix + "scores", f"{place.stack}.final"]
    activations = execute(model, run, inputs, keys)
    scores, largest = activations[keys[0]][0, place.head].float().cpu(), float(activations[keys[1]].abs().max())
    pattern, naive = (to_numpy(weights(scores, torch.from_numpy(mask), way)) for way in (RIGHT_WAY, NAIVE_WAY))
    return Emptied(inputs.rows[place.stack], mask, empty_rows(mask), pattern, naive, broken, largest)


def _broken(model: Transformer, run: Run, inputs: Inputs) -> Tensor:
    """Return where the last stack's stream holds NaN with a plain softmax, as it enters and after layers (N + 1, L)."""
    *keys, _ = stream_keys(run)
    ids = [inputs.ids(stack, run.placement.device) for stack in ("encoder", "decoder")]
    activations = trace(model, *ids, inputs.masks, record=keys, edits=_in_another_way(run, inputs, NAIVE_WAY))
    return torch.stack([activations[key][0].isnan().any(-1) for key in keys])


def _in_another_way(run: Run, inputs: Inputs, way: str) -> list[Edit]:
    """Return edits that compute the weights of every masked self-attention of the last stack in another way.

    Raises ValueError as `require_no_sink` does.
    """
    require_no_sink(run)
    place = HeadAddress(run.config.stacks[-1])
    unwindowed = getattr(inputs.masks, place.stack)
    edits = []
    for layer in range(run.config.depth(place.stack)):
        held: list[Tensor] = []
        place_of_layer = replace(place, layer=layer)
        mask, prefix = (
            torch.from_numpy(in_window(unwindowed.cpu().numpy(), inputs.windows, place_of_layer)).to(unwindowed.device),
            place_of_layer.prefix,
        )
        edits += [
            Edit(prefix + "scores", "replace", partial(_hold, held)),
            Edit(prefix + "pattern", "replace", partial(_reweighted, held, mask, way)),
        ]
    return edits


def _hold(held: list[Tensor], scores: Tensor) -> Tensor:
    held.append(scores)
    return scores


def _reweighted(held: list[Tensor], mask: Tensor, way: str, pattern: Tensor) -> Tensor:
    return weights(held.pop(), mask, way)
