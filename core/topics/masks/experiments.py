"""Experiments with masks on the last self-attention of a run: that of an encoder or decoder alone, or the decoder's.

A run's mask and pads act on that text, and a painting (see `core.topics.masks.analysis.painting`) on top of the mask.
"""

from dataclasses import replace
from functools import partial

import numpy as np
import torch
from torch import Tensor

from core.model.masks import causal, explicit_mask
from core.model.transformer import Masks, Transformer
from core.text.pieces import AnyTokenizer
from core.topics.masks.analysis.masks import NAIVE, RIGHT, WAYS, empty_rows, reach, weights
from core.topics.masks.analysis.painting import paint
from core.topics.masks.presets import under
from core.topics.masks.records import Emptied, Leak, MaskedHead, Painted, Ways
from core.topics.masks.replaced import most_unlike
from core.topics.shared.loading import up_to
from core.topics.shared.places import Place, in_window, layer_keys, to_numpy
from core.tracing.edits import Edit
from core.tracing.run import Inputs, Run, TokenRow, execute, prepare, text_limit, token_row
from core.tracing.trace import trace

Laid = tuple[Inputs, np.ndarray, np.ndarray]


def laid_out(run: Run, tokenizer: AnyTokenizer, painting: str = "") -> Laid:
    """Return the run's tokens with the mask on its last self-attention, and that mask alone.

    The mask is returned twice, (L, L) each: before the painting and after it.
    """
    stack, several = run.config.stacks[-1], run.config.has_two_stacks
    inputs = prepare(replace(run, masks=(), pads=0 if several else run.pads), tokenizer)
    rows = dict(inputs.rows)
    if several and run.pads:
        limit = text_limit(run.config) - 1 - run.pads
        rows[stack] = token_row(run.target, tokenizer.target, limit, run.pads, begin=True)
    length = len(rows[stack])
    built = explicit_mask(run.masks, length, length, [length - run.pads])
    base = built.expand(1, 1, length, length)[0, 0].numpy()
    mask = paint(base, painting)
    masks = Masks(**{stack: torch.from_numpy(mask).to(run.placement.device)})
    return Inputs(rows, masks, run.config.windows), base, mask


def painted(tokenizer: AnyTokenizer, run: Run, painting: str = "") -> Painted:
    """Return the run's mask and a painting on it, without running the model."""
    inputs, base, mask = laid_out(run, tokenizer, painting)
    return Painted(inputs.rows[run.config.stacks[-1]], base, mask)


def masked(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: Place, painting: str = "") -> MaskedHead:
    """Return one head's weights under the run's mask and a painting on it."""
    inputs, base, mask = laid_out(run, tokenizer, painting)
    key = place.prefix + "pattern"
    model, run = up_to(model, run, place)
    pattern = execute(model, run, inputs, [key])[key][0, place.head]
    base, mask = (in_window(square, inputs.windows, place) for square in (base, mask))
    return MaskedHead(inputs.rows[place.stack], base, mask, to_numpy(pattern))


def masked_place(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: Place) -> Place:
    """Return the head of the first layer from which a causal mask takes the most weight.

    The first layer reads the same input with and without a mask, so only the mask itself changes its weights.
    """
    place = replace(place, stack=run.config.stacks[-1], layer=0)
    key = place.prefix + "pattern"
    first, run = up_to(model, under(run, "none"), place)
    pattern = execute(first, run, laid_out(run, tokenizer)[0], [key])[key][0]  # (H, Q, K)
    queries, keys = pattern.shape[-2:]
    taken = pattern.masked_fill(causal(queries, keys, pattern.device), 0)
    return replace(place, head=int(taken.sum((-2, -1)).argmax()))


def ways(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: Place, painting: str = "") -> Ways:
    """Return one head's weights as they are, and as wrong ways to mask would make them from the same scores."""
    inputs, _, mask = laid_out(run, tokenizer, painting)
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
    way: str = RIGHT,
) -> Leak:
    """Change one token and return how far every position's vector moves.

    position: the token to change.
    word: its first token is put in place of token `position`; "" for the token of the text that is most unlike it.
    way: how every masked attention makes its weights.
    Raises ValueError if there is no token `position` or nothing would change.
    """
    inputs, _, mask = laid_out(run, tokenizer, painting)
    stack = run.config.stacks[-1]
    row = inputs.rows[stack]
    if not 0 <= position < len(row):
        raise ValueError(f"There is no token {position}: the last of the {len(row)} is token {len(row) - 1}.")
    new = _replacement(model, row, tokenizer, position, word)
    ids = (*row.ids[:position], new, *row.ids[position + 1 :])
    changed = Inputs({**inputs.rows, stack: replace(row, ids=ids)}, inputs.masks, inputs.windows)
    moved = _streams(model, run, changed, way) - _streams(model, run, inputs, way)  # (N + 2, L, D)
    largest = to_numpy(moved.abs().amax(-1))
    masks = [in_window(mask, inputs.windows, Place(stack, layer)) for layer in range(run.config.depth(stack))]
    return Leak(row, position, tokenizer.labels([new])[0], largest[:-1], largest[-1], reach(masks, position))


def emptied(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: Place, painting: str = "") -> Emptied:
    """Return the rows that may attend to nothing, which are zeros here, and NaN that spreads with a plain softmax."""
    inputs, _, unwindowed = laid_out(run, tokenizer, painting)
    mask = in_window(unwindowed, inputs.windows, place)
    broken = _streams(model, run, inputs, NAIVE).isnan().any(-1)[:-1].cpu().numpy()
    keys = [place.prefix + "scores", f"{place.stack}.final"]
    activations = execute(model, run, inputs, keys)
    scores, largest = activations[keys[0]][0, place.head].float().cpu(), float(activations[keys[1]].abs().max())
    pattern, naive = (to_numpy(weights(scores, torch.from_numpy(mask), way)) for way in (RIGHT, NAIVE))
    return Emptied(inputs.rows[place.stack], mask, empty_rows(mask), pattern, naive, broken, largest)


def _replacement(model: Transformer, row: TokenRow, tokenizer: AnyTokenizer, position: int, word: str) -> int:
    old = row.ids[position]
    if not word.strip():
        unlike = most_unlike(model, row, position)
        return tokenizer.vocab_size - 1 - (old == tokenizer.vocab_size - 1) if unlike is None else unlike
    encoded = tokenizer.target.encode(word)
    new = encoded.ids[encoded.around[0]]
    if new == old:
        raise ValueError(f"“{tokenizer.labels([new])[0]}” already is token {position}: nothing would change.")
    return new


def _streams(model: Transformer, run: Run, inputs: Inputs, way: str) -> Tensor:
    """Return the last stack's stream as it enters, after each layer, and its output, (N + 2, L, D)."""
    place = Place(run.config.stacks[-1])
    keys = [f"{place.prefix}resid_pre", *layer_keys(run, place, "resid_post"), f"{place.stack}.final"]
    if way == RIGHT:
        activations = execute(model, run, inputs, keys)
    else:
        ids = [inputs.ids(stack, run.placement.device) for stack in ("encoder", "decoder")]
        activations = trace(model, *ids, inputs.masks, record=keys, edits=_in_another_way(run, inputs, way))
    return torch.stack([activations[key][0] for key in keys]).float()


def _in_another_way(run: Run, inputs: Inputs, way: str) -> list[Edit]:
    """Return edits that make the weights of every self-attention of the last stack, the masked ones, in another way."""
    place = Place(run.config.stacks[-1])
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
