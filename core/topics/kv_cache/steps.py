"""The KV cache at work: one step with it, and checks that neither the earlier keys and values nor the answer change."""

from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from core.model.kv import KVCache
from core.model.masks import unmasked
from core.model.tap import IDENTITY, Tap
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.generate.setup import TextGenerator, text_generator
from core.topics.kv_cache.records import CacheCheck, CacheStep, Unchanged
from core.topics.shared.places import HeadAddress, to_numpy
from core.tracing.run import Run
from core.tracing.sites import head_at, scored_site
from core.tracing.taps import RecordingTap


def cache_step(
    model: Transformer, tokenizer: AnyTokenizer, run: Run, ids: tuple[int, ...], new: int, place: HeadAddress
) -> CacheStep:
    """Record one head while the last `new` of these tokens are read, with those before them in the cache.

    ValueError for tokens that the model cannot read, and for a `new` outside 1 to the number of tokens.
    """
    ready = text_generator(model, tokenizer, run)
    if not 0 < new <= len(ids):
        raise ValueError(f"1 to {len(ids)} tokens can be new, not {new}")
    read, memory = _ids(ready, ids), _memory(ready)
    cache, sites = model.cache(capacity=len(ids)), _sites(run, place)
    at_once, after_cache = RecordingTap(sites.values()), RecordingTap(sites.values())
    next_logits(ready, read, memory, tap=at_once)
    if new < len(ids):
        next_logits(ready, read[:, :-new], memory, cache)
    next_logits(ready, read[:, -new:], memory, cache, after_cache)
    without_cache, with_cache = (
        {name: _head(tap, key, run, place) for name, key in sites.items()} for tap in (at_once, after_cache)
    )
    held = _held(cache, place, run.config.kv_head_of(place.head))
    kept = (len(held["k"]) if new < len(ids) else 0) if place.cross else len(ids) - new
    joined = {
        name: np.concatenate([without_cache[name][:-new], with_cache[name]]) for name in ("q", "scores", "pattern", "z")
    }
    pieces = tokenizer.labels(ids)
    keys = ready.source.pieces if place.cross and ready.source else pieces
    differences = {name: _largest(joined[name][-new:], without_cache[name][-new:]) for name in joined}
    differences |= {name: _largest(held[name][:kept], without_cache[name][:kept]) for name in ("k", "v")}
    return CacheStep(pieces, keys, new, kept, **joined, **held, differences=differences)


def unchanged(model: Transformer, tokenizer: AnyTokenizer, run: Run, ids: tuple[int, ...]) -> Unchanged:
    """Compare the keys and values of all tokens but the last, computed before that one was read and again after it."""
    ready = text_generator(model, tokenizer, run)
    read, memory = _ids(ready, ids), _memory(ready)
    rows = len(ids) - 1
    if not rows:
        nothing = np.zeros((run.config.depth("decoder"), 2))
        return Unchanged(0, nothing, nothing, 0.0)
    differences, size = [], 0.0
    for free in (False, True):
        before, after = (_keys_and_values(ready, part, memory, free) for part in (read[:, :-1], read))
        largest = [(late[:, :, :rows] - early).abs().max() for early, late in zip(before, after, strict=True)]
        differences.append(np.array([float(difference) for difference in largest]).reshape(-1, 2))
        size = size or max(float(tensor.abs().max()) for tensor in before)
    return Unchanged(rows, differences[0], differences[1], size)


def check_cache(model: Transformer, tokenizer: AnyTokenizer, run: Run, ids: tuple[int, ...], start: int) -> CacheCheck:
    """Compare the logits after each token: read one by one with a cache, and all at once without.

    start: number of tokens that are read at once first.
    """
    ready = text_generator(model, tokenizer, run)
    read, memory = _ids(ready, ids), _memory(ready)
    cache = model.cache(capacity=len(ids))
    start = min(start, len(ids))
    with torch.inference_mode():
        x = model.run_stack("decoder", read, ready.masks(len(ids)).decoder, memory)
        plain = model.logits(x)[0, start - 1 :].float()  # (T, V)
    cuts = [0, *range(start, len(ids) + 1)]
    stepped = [next_logits(ready, read[:, a:b], memory, cache) for a, b in pairwise(cuts)]
    cached = torch.cat(stepped).float()  # (T, V)
    likeliest_cached, likeliest_plain = (tokenizer.labels(logits.argmax(-1).tolist()) for logits in (cached, plain))
    differences = (cached - plain).abs().amax(-1).tolist()
    return CacheCheck(tuple(cuts[1:]), tuple(differences), likeliest_cached, likeliest_plain, float(plain.abs().max()))


def next_logits(
    ready: TextGenerator, ids: Tensor, memory: Tensor | None, cache: KVCache | None = None, tap: Tap = IDENTITY
) -> Tensor:
    """Return the logits (B, V) of the token after ids (B, L), and of no other row.

    With a cache, ids are the tokens that it has not read.
    memory (B, S, D): the encoder's output, computed before.
    """
    read = 0 if cache is None else cache.length
    mask = ready.masks(ids.shape[1], read).decoder
    with torch.inference_mode():
        x = ready.model.run_stack("decoder", ids, mask, memory, tap=tap, cache=cache)
        return ready.model.logits(x[:, -1])


def _ids(ready: TextGenerator, ids: tuple[int, ...]) -> Tensor:
    if not 0 < len(ids) <= ready.limit:
        raise ValueError(f"the model reads 1 to {ready.limit} tokens, not {len(ids)}")
    return torch.tensor([ids], device=ready.run.placement.device)


def _memory(ready: TextGenerator) -> Tensor | None:
    """Return the encoder's output (1, S, D); None for a decoder alone."""
    source = ready.source_ids(1)
    if source is None:
        return None
    with torch.inference_mode():
        return ready.model.run_stack("encoder", source, None)


def _sites(run: Run, place: HeadAddress) -> dict[str, str]:
    """Return the keys of the tensors to record for one attention, by the names of a `CacheStep`'s fields."""
    q, k = (scored_site(run.config, letter, place.cross) for letter in "qk")
    names = {"q": q, "k": k, "v": "v", "scores": "masked_scores", "pattern": "pattern", "z": "z"}
    return {name: place.prefix + site for name, site in names.items()}


def _head(tap: RecordingTap, key: str, run: Run, place: HeadAddress) -> np.ndarray:
    """Return one head's rows; empty if the cache spared the model from computing them."""
    head = head_at(run.config, key, place.head)
    return to_numpy(tap.seen[key][0, head]) if key in tap.seen else np.empty((0, 0), np.float32)


def _held(cache: KVCache, place: HeadAddress, head: int) -> dict[str, np.ndarray]:
    """Return one head's keys and values as the cache holds them."""
    if place.cross:
        cross = cache.cross[place.layer]
        assert cross.k is not None and cross.v is not None
        k, v = cross.k, cross.v
    else:
        layer = cache.layers[place.layer]
        k, v = layer.k[:, :, : layer.length], layer.v[:, :, : layer.length]
    return {"k": to_numpy(k[0, head]), "v": to_numpy(v[0, head])}


def _keys_and_values(ready: TextGenerator, ids: Tensor, memory: Tensor | None, free: bool) -> list[Tensor]:
    """Return the keys and values (1, H, L, E) of every layer, in turn.

    free: whether to run without any mask.
    """
    config = ready.run.config
    sites = (scored_site(config, "k"), "v")
    names = [f"decoder.{layer}.{site}" for layer in range(config.depth("decoder")) for site in sites]
    length, tap = ids.shape[1], RecordingTap(names)
    mask = unmasked(length, length, ids.device) if free else ready.masks(length).decoder
    with torch.inference_mode():
        ready.model.run_stack("decoder", ids, mask, memory, tap=tap)
    return [tap.seen[name] for name in names]


def _largest(first: np.ndarray, second: np.ndarray) -> float:
    """Return the largest |difference|; equal infinities do not differ."""
    differs = first != second
    return float(np.abs(first[differs] - second[differs]).max(initial=0.0))
