"""A model's own queries and keys at distances on which it was never trained."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from core.model.attention import repeat_kv
from core.model.positions import alibi_slopes, rotate
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.positions.analysis.encodings import score_by_distance
from core.topics.positions.encodings import ADDED, NO_CROSS, self_attention
from core.topics.shared.labels import Labelled, with_labels
from core.topics.shared.loading import resized, up_to
from core.topics.shared.places import HeadAddress, attention_module, to_numpy, token_rows
from core.tracing.run import Run, execute, prepare
from core.tracing.taps import RecordingTap

MEASURES = ("one pair", "whole text", "surprise")


@dataclass(frozen=True)
class Pair:
    """The scores of one query and one key of the visitor's text against their distance.

    The key is at position 0 and the query `distance` positions behind it.
    query, key: labels.
    layer: the layer whose projections are used, counted from 0.
    limit: the number of positions that the model is made for.
    scores (n,): scaled, with ALiBi's penalty; distances for which the model has no position are left out.
    theory (n,): the values that the formula gives for this query and key. None if positions are added to tokens, the
    score is not a scaled dot product, or there is no formula for the model's kind of positions.
    """

    query: str
    key: str
    layer: int
    limit: int
    scores: np.ndarray
    theory: np.ndarray | None

    @property
    def end(self) -> int:
        """The first distance beyond the model's length, or the last distance measured if none is beyond it."""
        return self.limit - (len(self.scores) <= self.limit)

    @property
    def table(self) -> Labelled:
        """The scores at each distance, and those in theory if there are any, with labels."""
        if self.theory is None:
            return with_labels(self.scores, "score")
        return with_labels(np.stack([self.scores, self.theory]), "score", "theory")


@dataclass(frozen=True)
class RotatedScores:
    """The score of one query and one key at a fixed distance, rotated for every place of the pair in the text.

    scores: q·k with q rotated for position p + k and k for p, for every p.
    theory: the one value that the formula gives for all of them.
    unturned: q·k without rotation.
    """

    query: str
    key: str
    scores: np.ndarray
    theory: float
    unturned: float


@dataclass(frozen=True)
class LongText:
    """The visitor's text, repeated to twice the length that the model was made for, in one forward pass.

    limit: the length that the model was made for.
    period: tokens of one repeat.
    keys (n,): 2^entropy of the head's row for each token, the effective number of keys.
    surprisal (n,): −log2 of the probability of the next token, in bits, NaN for the last; None for an encoder.
    """

    limit: int
    period: int
    keys: np.ndarray
    surprisal: np.ndarray | None


def pair(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress, query: int, key: int, length: int
) -> Pair:
    """Return the scores of one query and one key of the text, placed 0 … length − 1 positions apart.

    If positions are added to the tokens, the first layer is used, because its queries and keys follow from the token
    and its position alone. Raises ValueError for cross-attention.
    """
    added = run.config.positions in ADDED
    place = self_attention(replace(place, layer=0) if added else place)
    labels, query, key = _chosen(tokenizer, run, place, query, key)
    attn, theory = attention_module(model, place), None
    if added:
        q, k = _placed(model, tokenizer, run, place, query, key, length)
    else:
        every_q, every_k = _projected(model, tokenizer, run, place)
        q = every_q[:, :, query : query + 1].expand(-1, -1, length, -1)
        k = every_k[:, :, key : key + 1]
        if run.config.score == "scaled_dot":
            theory = _in_theory(
                run, place, q[0, place.head, 0], k[0, run.config.kv_head_of(place.head), 0], length, attn.score.scale
            )
        turns = model.inner_positions(place.stack, 0, length, q).turns
        q = q if turns is None else attn.turn(q, *turns)
    k = repeat_kv(k, run.config.heads)
    scores = attn.score.raw(q, k)[0, place.head, :, 0] * attn.score.scale  # (n,)
    bias = model.inner_positions(place.stack, length - 1, 1, q).bias  # (H, 1, n) of the last query, nearest key last
    scores = scores if bias is None else scores + bias[place.head, 0].flip(0)
    return Pair(labels[query], labels[key], place.layer, run.config.max_length, to_numpy(scores), theory)


def turned(
    model: Transformer,
    tokenizer: AnyTokenizer,
    run: Run,
    place: HeadAddress,
    tokens: tuple[int, int],
    k: int,
    length: int,
    base: float,
) -> RotatedScores:
    """Return the scores of one query and key at distance k, rotated for every place in the text, in float64.

    Both vectors are taken from the text before any rotation; q is rotated for position p + k, the key for p.
    tokens: the numbers of the query and of the key.
    k: the distance in positions.
    length: positions in all, so p runs over length − k of them.
    Raises ValueError unless 0 < k < length, if d_k is odd, or for cross-attention.
    """
    if not 0 < k < length:
        raise ValueError(f"a shift by {k} needs more than {k} positions, and there are {length}")
    if run.config.key_width % 2:
        raise ValueError(f"rotary positions turn pairs of numbers, so d_k must be even, not {run.config.key_width}")
    place = self_attention(place)
    labels, query, key = _chosen(tokenizer, run, place, *tokens)
    every_q, every_k = _projected(model, tokenizer, run, place)
    q = every_q[0, place.head, query].double()
    key_vector = every_k[0, run.config.kv_head_of(place.head), key].double()
    count = length - k
    behind = rotate(q.expand(count, -1), base, start=k)
    ahead = rotate(key_vector.expand(count, -1), base)
    theory = score_by_distance("rotary", q.cpu().numpy(), key_vector.cpu().numpy(), k + 1, base, 0.0)
    assert theory is not None
    scores = (behind * ahead).sum(-1).cpu().numpy()
    return RotatedScores(labels[query], labels[key], scores, float(theory[k]), float(q @ key_vector))


def long_text(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> LongText:
    """Read the text repeated to twice the model's own length; return one head's spread and the model's surprisal.

    Raises ValueError if `why_no_long_text` gives a reason.
    """
    limit = run.config.max_length
    if reason := why_no_long_text(run, place):
        raise ValueError(reason)
    inputs = prepare(replace(run, pads=0), tokenizer)
    first = run.format.begin if place.stack == run.config.stacks[0] else 1
    row = inputs.rows[place.stack].ids
    words = row[first : len(row) - (run.format.end and place.stack == run.config.stacks[0])]
    ids = torch.tensor(
        [(row[:first] + words * (2 * limit // len(words) + 1))[: 2 * limit]], device=run.placement.device
    )
    key = f"{place.prefix}pattern"
    tap = RecordingTap([key], reduce={key: lambda pattern: pattern[0, place.head]})
    causal = place.stack == "decoder"
    longer = resized(model, max_length=2 * limit)
    with torch.inference_mode():
        memory = None
        if run.config.has_two_stacks and causal:
            memory = model.run_stack("encoder", _ids(inputs.rows["encoder"].ids, ids), None)
        out = longer.run_stack(place.stack, ids, None, memory, tap=tap)
        surprisal = _surprisal(longer.logits(out)[0], ids[0]) if causal else None
    return LongText(limit, len(words), _effective_keys(tap.seen[key]), surprisal)


def in_first_layer(run: Run, measure: str) -> bool:
    """Return whether a pair is measured in the first layer, whose queries follow from token and position alone."""
    return measure == "one pair" and run.config.positions in ADDED


def why_no_measure(run: Run, place: HeadAddress, measure: str, trained: Mapping[str, Sequence[str]]) -> str:
    """Return the reason why one of `MEASURES` cannot be taken of this attention, "" if it can.

    trained: titles of trained models by kind of positions, as `trained_kinds` returns them.
    """
    if measure == "one pair":
        return NO_CROSS if place.cross else ""
    if not run.is_trained:
        offer = "; ".join(f"{kind}: {' · '.join(titles)}" for kind, titles in trained.items() if titles)
        return f"Random weights were trained at no length: nothing lies beyond. Choose a trained model. {offer}."
    if measure == "surprise" and place.stack == "encoder":
        return "An encoder predicts no next token. Choose a decoder."
    return why_no_long_text(run, place)


def why_no_long_text(run: Run, place: HeadAddress) -> str:
    """Return the reason why this attention cannot read a text of twice the model's length, "" if it can."""
    if place.cross:
        return NO_CROSS
    if run.config.positions == "learned":
        return f"This model learned {run.config.max_length} positions and has no vector for a position after them."
    return ""


def _chosen(
    tokenizer: AnyTokenizer, run: Run, place: HeadAddress, query: int, key: int
) -> tuple[tuple[str, ...], int, int]:
    labels = token_rows(prepare(run, tokenizer), place)[0].labels
    return labels, min(query, len(labels) - 1), min(key, len(labels) - 1)


def _projected(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> tuple[Tensor, Tensor]:
    """Return the layer's queries (1, H, L, E) and keys (1, G, L, E) of the text, before anything is turned."""
    model, run = up_to(model, run, place)
    normed = "_normed" if run.config.qk_norm else ""
    keys = [f"{place.prefix}{letter}{normed}" for letter in "qk"]
    activations = execute(model, run, prepare(run, tokenizer), keys)
    return activations[keys[0]], activations[keys[1]]


def _in_theory(run: Run, place: HeadAddress, q: Tensor, k: Tensor, length: int, scale: float) -> np.ndarray | None:
    slope = float(alibi_slopes(run.config.heads)[place.head]) / scale
    kind, base = run.config.positions, run.config.position_base
    if kind == "rotary" and not run.config.plain_rotary:
        return None
    theory = score_by_distance(kind, to_numpy(q), to_numpy(k), length, base, slope)
    return None if theory is None else theory * scale


def _placed(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress, query: int, key: int, length: int
) -> tuple[Tensor, Tensor]:
    """Return the first layer's queries (1, H, n, E) of a token at 0 … n − 1, and another's key (1, G, 1, E) at 0."""
    ids = prepare(run, tokenizer).rows[place.stack].ids
    table = model.position_table(length)
    assert table is not None
    block = getattr(model, place.stack)[0]
    with torch.inference_mode():
        tokens = model.embed(torch.tensor([ids[query], ids[key]], device=run.placement.device))
        tokens = tokens * run.config.d_model**0.5 if run.config.scale_embeddings else tokens
        tokens = tokens if model.types is None else tokens + model.types.weight[0]
        added = tokens[:1] + table.to(tokens), tokens[1:] + table[:1].to(tokens)  # (n, D), (1, D)
        streams = [model.embed_norm(x)[None] for x in added]
        read = [block.norm_attn(x) if run.config.norm_position == "pre" else x for x in streams]
        return block.attn.project_queries(read[0]), block.attn.project_keys_values(read[1])[0]


def _ids(row: tuple[int, ...], like: Tensor) -> Tensor:
    return torch.tensor([row], device=like.device)


def _effective_keys(pattern: Tensor) -> np.ndarray:
    weights = pattern.double()
    return to_numpy(torch.exp2(-torch.special.xlogy(weights, weights).sum(-1) / np.log(2)))


def _surprisal(logits: Tensor, ids: Tensor) -> np.ndarray:
    """Return the surprisal (n,) in bits, NaN for the last; row p of logits (n, V) predicts ids[p + 1]."""
    known = logits[:-1].float().log_softmax(-1).gather(1, ids[1:, None])[:, 0]
    return np.append(to_numpy(-known / np.log(2)), np.nan)
