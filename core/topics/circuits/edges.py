"""Which earlier heads a head reads, in its queries, keys and values, and what changes if one such path is cut.

A head writes a vector for each token to the residual stream; a later head makes its queries, keys and values from the
sum of all that was written. The direct path from one to the other passes norms only (Elhage et al. 2021, "A
mathematical framework for transformer circuits"). Cutting it is path patching (Goldowsky-Dill et al. 2023, "Localizing
model behavior with path patching").
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from core.model.attention import MultiHeadAttention, repeat_kv
from core.model.scores import Additive, General
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.circuits.direct_path import exact, normed, through_norm
from core.topics.shared.places import HeadAddress, attention_module, head_projection, mask_of, unpadded_length
from core.topics.shared.stream_parts import block_parts
from core.tracing.run import Inputs, Run, execute, prepare

INPUTS = ("query", "key", "value")
LETTERS = ("q", "k", "v")
ADDITIVE_SCORES = "Additive scores are no sum of what queries and keys are made from: choose another score."
MAX_NUMBERS = 30_000_000  # heads × tokens × d_model: their vectors are held at once


@dataclass(frozen=True, eq=False)
class HeadPaths:
    """How much of what each head reads comes straight from each earlier head of its stack.

    labels: of the stack's tokens.
    heads: the S heads, in the order in which they are computed.
    shares (3, S, S): by input (`INPUTS`), by the head that reads, and by the head that wrote. For queries and keys: the
        share of the differences among a query's scores that comes from that head; for values: the share of what the
        head writes. The shares of all parts of the model sum to 1; one is negative if it works against the others.
        0 where there is no path.
    """

    labels: tuple[str, ...]
    heads: tuple[HeadAddress, ...]
    shares: np.ndarray


@dataclass(frozen=True, eq=False)
class AttentionInput:
    """What an attention reads, and what every earlier head has to do with it.

    place: the attention, with head 0.
    read (L, D): what its queries are made from, and in self-attention its keys and values.
    parts (S, L, D): what each of the S earlier heads adds to `read`, with the scale of norms held.
    without (S, L, D): what `read` is if the head's own output is taken away on its way here, so that norms react.
    """

    place: HeadAddress
    read: Tensor
    parts: Tensor
    without: Tensor


def head_paths(model: Transformer, tokenizer: AnyTokenizer, run: Run, stack: str) -> HeadPaths:
    """Return the shares of all direct paths between the heads of a stack.

    Raises ValueError for additive scores, which are no sum over what queries and keys are made of, and for a text or a
    model that is too large.
    """
    if run.config.score == "additive":
        raise ValueError(ADDITIVE_SCORES)
    inputs = prepare(run, tokenizer)
    heads = stack_heads(run, stack)
    numbers = len(heads) * len(inputs.rows[stack]) * run.config.d_model
    if numbers > MAX_NUMBERS:
        raise ValueError("This model has too many heads for a text of this length: choose a shorter text.")
    activations = record_heads(model, run, inputs, stack)
    shares = np.zeros((3, len(heads), len(heads)))
    for reading in attention_inputs(model, run, stack, activations):
        first = heads.index(reading.place)
        found = _shares(model, run, inputs, reading, activations)  # (3, H, S)
        shares[:, first : first + run.config.heads, : len(reading.parts)] = found
    return HeadPaths(inputs.rows[stack].labels, tuple(heads), shares)


def stack_heads(run: Run, stack: str) -> list[HeadAddress]:
    """Return the heads of a stack, in the order in which they are computed."""
    crossings = (False, True) if stack == "decoder" and run.config.has_two_stacks else (False,)
    return [
        HeadAddress(stack, layer, head, cross)
        for layer in range(run.config.depth(stack))
        for cross in crossings
        for head in range(run.config.heads)
    ]


def record_heads(model: Transformer, run: Run, inputs: Inputs, stack: str) -> dict[str, Tensor]:
    """Return what the heads of a stack read and write, without the batch axis, in float64."""
    keys: list[str] = []
    for layer in range(run.config.depth(stack)):
        keys.append(f"{stack}.{layer}.resid_pre")
        for name, added, after in block_parts(run, stack):
            keys += [f"{stack}.{layer}.{site}" for site in (added, after)]
            if name != "feed-forward":
                prefix = f"{stack}.{layer}.{added.removesuffix('attn_out')}"
                keys += [prefix + site for site in ("head_out", "q", "k", "v", "scores", "pattern", "z")]
    return {key: exact(tensor[0]) for key, tensor in execute(model, run, inputs, keys).items()}


def attention_inputs(
    model: Transformer, run: Run, stack: str, activations: dict[str, Tensor]
) -> Iterator[AttentionInput]:
    """Go through a stack and yield what each attention reads.

    activations: those of `record_heads`.
    """
    config = run.config
    parts = without = activations[f"{stack}.0.resid_pre"][None][:0]  # (0, L, D)
    for layer in range(config.depth(stack)):
        block, prefix = getattr(model, stack)[layer], f"{stack}.{layer}."
        norms = {"attention": block.norm_attn, "cross-attention": block.norm_cross, "feed-forward": block.norm_ffn}
        stream = activations[prefix + "resid_pre"]
        for name, added, after in block_parts(run, stack):
            norm, out = norms[name], activations[prefix + added]
            summed = stream + out if config.residual else out
            if name != "feed-forward":
                before = norm if config.norm_position == "pre" else nn.Identity()
                place = HeadAddress(stack, layer, cross=name == "cross-attention")
                yield AttentionInput(
                    place, normed(before, stream), through_norm(before, stream, parts), normed(before, without)
                )
            if config.residual:
                without = without + out
            else:  # the part replaces the stream: nothing before it comes through
                parts, without = torch.zeros_like(parts), out.expand_as(without)
            if name != "feed-forward":
                written = activations[prefix + added.replace("attn_out", "head_out")]  # (H, L, D)
                parts, without = torch.cat([parts, written]), torch.cat([without, summed - written])
            if config.norm_position == "post":
                parts, without = through_norm(norm, summed, parts), normed(norm, without)
            stream = activations[prefix + after]


def _shares(
    model: Transformer, run: Run, inputs: Inputs, reading: AttentionInput, activations: dict[str, Tensor]
) -> np.ndarray:
    """Return the shares (3, H, S) of the earlier heads in what one attention reads."""
    place, attn = reading.place, attention_module(model, reading.place)
    found = np.zeros((3, run.config.heads, len(reading.parts)))
    length = unpadded_length(run, inputs, place.stack)
    seen = torch.from_numpy(mask_of(inputs, place))[:length]
    queries, keys = _turned(model, reading, attn, activations)  # (H, L, E), (H, K, E)
    scores = _centred(activations[f"{place.prefix}scores"][:, :length], seen)
    pattern, z = (activations[f"{place.prefix}{site}"] for site in ("pattern", "z"))
    for head in range(run.config.heads):
        at = replace(place, head=head)
        parts = _projected(model, reading, attn, "q", head, activations) @ keys[head].T  # (S, L, K)
        found[0, head] = _share(_centred(parts[:, :length] * attn.score.scale, seen), scores[head])
        if place.cross:
            continue
        parts = queries[head] @ _projected(model, reading, attn, "k", head, activations).transpose(-2, -1)
        found[1, head] = _share(_centred(parts[:, :length] * attn.score.scale, seen), scores[head])
        w_o = exact(attn.w_o.weight).unflatten(1, (run.config.heads, -1))[:, head]  # (D, E)
        mixed = pattern[head, :length] @ _projected(model, reading, attn, "v", at.head, activations)  # (S, L, E)
        found[2, head] = _share(mixed @ w_o.T, z[head, :length] @ w_o.T)
    return found


def _share(parts: Tensor, whole: Tensor) -> np.ndarray:
    """Return the share (S,) that each part (S, …) has in a whole (…): their product divided by the whole's square."""
    square = float(whole.square().sum())
    return ((parts * whole).flatten(1).sum(1) / square).numpy() if square else np.zeros(len(parts))


def _centred(scores: Tensor, seen: Tensor) -> Tensor:
    """Return scores (…, Q, K) less their mean over the keys that each query may see; 0 where it may not."""
    scores = torch.where(seen, scores, 0.0)
    return torch.where(seen, scores - scores.sum(-1, keepdim=True) / seen.sum(-1, keepdim=True).clamp(min=1), 0.0)


def _projected(
    model: Transformer,
    reading: AttentionInput,
    attn: MultiHeadAttention,
    letter: str,
    head: int,
    activations: dict[str, Tensor],
) -> Tensor:
    """Return what each earlier head adds to the queries, keys or values of one head, (S, L, E)."""
    weight, _ = head_projection(attn, letter, head)
    parts = reading.parts @ exact(weight)
    if letter == "v":
        return parts
    norm = attn.q_norm if letter == "q" else attn.k_norm
    if norm is not None:
        number = head if letter == "q" else attn.config.kv_head_of(head)
        parts = through_norm(norm, activations[f"{reading.place.prefix}{letter}"][number], parts)
    return as_dot(attn, _rotated(model, attn, reading.place, parts[:, None]), letter, head)[:, 0]


def _turned(
    model: Transformer, reading: AttentionInput, attn: MultiHeadAttention, activations: dict[str, Tensor]
) -> tuple[Tensor, Tensor]:
    """Return the queries (H, L, E) and keys (H, K, E) of an attention whose products are its raw scores."""
    q, k = (activations[f"{reading.place.prefix}{letter}"] for letter in "qk")
    q = q if attn.q_norm is None else normed(attn.q_norm, q)
    k = k if attn.k_norm is None else normed(attn.k_norm, k)
    q, k = (_rotated(model, attn, reading.place, x[None]) for x in (q, k))
    return as_dot(attn, q, "q", None)[0], repeat_kv(k, attn.config.heads)[0]


def _rotated(model: Transformer, attn: MultiHeadAttention, place: HeadAddress, x: Tensor) -> Tensor:
    """Return queries or keys (B, H, L, E), rotated by their positions where the model does so."""
    if not attn.rotary:
        return x
    inner = model.inner_positions(place.stack, 0, x.shape[-2], x)
    assert inner.turns is not None
    return attn.turn(x, *inner.turns)


def as_dot(attn: MultiHeadAttention, x: Tensor, letter: str, head: int | None) -> Tensor:
    """Return queries (…, H, L, E), or those of one head, whose plain product with a key is the raw score.

    letter: "q"; with "k", keys, which stay as they are.
    head: None for all heads.
    """
    assert not isinstance(attn.score, Additive)
    if letter == "k" or not isinstance(attn.score, General):
        return x
    weight = exact(attn.score.weight)
    return x @ (weight if head is None else weight[head])
