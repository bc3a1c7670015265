"""Measure the effect of silencing a head on everything after it."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.heads.changes import Ablation, GuessChange, HeadEffects, StackChange
from core.topics.shared.places import HeadAddress, attention_places, layer_keys, reaches, to_numpy, unpadded_length
from core.tracing.edits import Edit, ablate_head
from core.tracing.run import Inputs, Run, execute, prepare
from core.tracing.sites import parse
from core.tracing.trace import Trace

SHOWN_TOKENS = 8
MAX_TRIED_HEADS = 96  # in a model with more, the heads of one layer are tried


def ablate(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress, edits: tuple[Edit, ...]
) -> Ablation:
    """Compare the run with and without `edits` of one attention, such as silenced heads.

    After an edited encoder, the decoder is compared too. ValueError for an edit whose site belongs to no layer.
    """
    inputs = prepare(run, tokenizer)
    stacks = run.config.stacks[run.config.stacks.index(place.stack) :]
    compared = {_name(attention): layer_keys(run, attention, "pattern") for attention in attention_places(run, stacks)}
    patterns = [key for keys in compared.values() for key in keys]
    streams = [
        key for stack in stacks for key in (*layer_keys(run, HeadAddress(stack), "resid_post"), f"{stack}.final")
    ]
    record = [*patterns, *streams, *(["logits"] if "decoder" in stacks else [])]
    before = execute(model, run, inputs, record, edits=())
    compare = {key: partial(_variation, before[key], _written(run, inputs, key)) for key in patterns}
    after = execute(model, run, inputs, record, compare, edits)
    changed = tuple(_stack_change(run, inputs, stack, before, after) for stack in stacks)
    per_head = {
        name: _reached(to_numpy(torch.stack([after[key] for key in keys])), keys, edits)
        for name, keys in compared.items()
    }
    if "decoder" not in stacks:
        return Ablation(changed, per_head, None, ())
    first, second = (
        activations["logits"][0, : _written(run, inputs, "decoder.final")].float() for activations in (before, after)
    )
    bits = _divergence(first, second)
    at = int(bits.argmax())
    pieces = _next_pieces(first[at], second[at], tokenizer)
    return Ablation(changed, per_head, bits, pieces, _turned(first, second, tokenizer), at)


def head_effects(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> HeadEffects:
    """Silence each head of the place's attention by itself, and measure how the decoder's guesses change.

    The change is returned after one token: the one after which the guess changes most, of all heads and tokens.

    place: from `tried_place`. With more than MAX_TRIED_HEADS heads, only those of its layer are tried.
    """
    inputs, config = prepare(run, tokenizer), run.config
    depth, written = config.depth(place.stack), _written(run, inputs, "decoder.final")
    layers = range(depth) if _tries_all(run, place) else [place.layer]

    def guesses(edits: tuple[Edit, ...]) -> Tensor:
        return execute(model, run, inputs, ["logits"], edits=edits)["logits"][0, :written].float()

    before = guesses(())
    bits = np.full((depth, config.heads, written), np.nan)
    for layer in layers:
        for head in range(config.heads):
            edit = ablate_head(config, layer, head, place.stack, place.cross)
            bits[layer, head] = _divergence(before, guesses((edit,)))
    at = int(np.nanmax(bits, axis=(0, 1)).argmax())
    return HeadEffects(np.ma.masked_invalid(bits[:, :, at]), at)


def tried_place(run: Run, place: HeadAddress) -> HeadAddress:
    """Return the place that stands for the heads that are tried: its attention if all are, its layer otherwise."""
    return place.of_stack if _tries_all(run, place) else place.of_layer


def _tries_all(run: Run, place: HeadAddress) -> bool:
    return run.config.depth(place.stack) * run.config.heads <= MAX_TRIED_HEADS


def _name(place: HeadAddress) -> str:
    return "cross" if place.cross else place.stack


def _place(key: str) -> HeadAddress:
    stack, layer, cross, _ = parse(key)
    if stack is None or layer is None:
        raise ValueError(f"{key} belongs to no layer's attention")
    return HeadAddress(stack, layer, cross=cross)


def _written(run: Run, inputs: Inputs, key: str) -> int:
    """Return the number of tokens before the padding in the rows of the tensor at `key`."""
    return unpadded_length(run, inputs, key.partition(".")[0])


def _stack_change(run: Run, inputs: Inputs, stack: str, before: Trace, after: Trace) -> StackChange:
    written = unpadded_length(run, inputs, stack)
    streams, final = layer_keys(run, HeadAddress(stack), "resid_post"), f"{stack}.final"
    layers = [_moved(before[key][0, :written].flatten(), after[key][0, :written].flatten()) for key in streams]
    return StackChange(
        stack,
        inputs.rows[stack].labels[:written],
        to_numpy(torch.stack(layers)),
        to_numpy(_moved(before[final][0, :written], after[final][0, :written])),
    )


def _reached(variation: np.ndarray, keys: Sequence[str], edits: Sequence[Edit]) -> np.ma.MaskedArray:
    """Return numbers (N, H) of the patterns at N keys, masked in the layers that no edit reaches."""
    reached = [any(reaches(_place(edit.key), _place(key)) for edit in edits) for key in keys]
    return np.ma.masked_array(variation, ~np.array(reached)[:, None] & np.ones(variation.shape, dtype=bool))


def _variation(before: Tensor, written: int, after: Tensor) -> Tensor:
    """Return the total variation (H,) between two patterns (1, H, Q, K), over their first `written` rows.

    In each row it is half the sum of the absolute changes; the result is the mean over the rows.
    """
    return (before[0, :, :written] - after[0, :, :written]).float().abs().sum(-1).mean(-1) / 2


def _moved(before: Tensor, after: Tensor) -> Tensor:
    """Return ‖after − before‖ / ‖before‖ along the last axis; 0 if nothing changed."""
    change = (after.float() - before.float()).norm(dim=-1)
    return torch.where(change > 0, change / before.float().norm(dim=-1), change)


def _divergence(before: Tensor, after: Tensor) -> np.ndarray:
    """Return KL(before ‖ after), (L,) in bits, of the next-token distributions with these logits (L, V)."""
    first, second = before.log_softmax(-1), after.log_softmax(-1)
    bits = F.kl_div(second, first, reduction="none", log_target=True).sum(-1) / np.log(2)
    return to_numpy(bits.clamp(min=0))


def _next_pieces(before: Tensor, after: Tensor, tokenizer: AnyTokenizer) -> tuple[tuple[str, float, float], ...]:
    """Return the likeliest pieces before the change and then those after it, with their probabilities in both.

    before, after: logits (V,).
    """
    first, second = before.softmax(-1), after.softmax(-1)
    count = min(SHOWN_TOKENS, len(before))
    ids = list(dict.fromkeys([*first.topk(count).indices.tolist(), *second.topk(count).indices.tolist()]))
    return tuple(zip(tokenizer.labels(ids), first[ids].tolist(), second[ids].tolist(), strict=True))


def _turned(before: Tensor, after: Tensor, tokenizer: AnyTokenizer) -> tuple[GuessChange, ...]:
    """Return the likeliest piece in both runs after each token, from logits (L, V)."""
    likeliest = [logits.softmax(-1).max(-1) for logits in (before, after)]
    (pieces_before, probabilities_before), (pieces_after, probabilities_after) = (
        (tokenizer.labels(top.indices.tolist()), top.values.tolist()) for top in likeliest
    )
    return tuple(map(GuessChange, pieces_before, probabilities_before, pieces_after, probabilities_after))
