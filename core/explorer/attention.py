"""Views of attention: one head, one layer, every head at a glance, and averages through the layers."""

from dataclasses import replace

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from core.analysis.aggregate import rollout as roll_out
from core.analysis.heads import HeadTable, describe
from core.explorer.places import attention_of, layer_keys, mask_of, memory_key, to_numpy, token_rows
from core.explorer.records import HeadRecord, LayerRecord, Mixing, Overview, Place, ScoreParts
from core.model.attention import MultiHeadAttention
from core.model.positions import alibi_bias
from core.model.scores import Additive, General
from core.model.transformer import Transformer
from core.run import Run, execute, prepare
from core.text import Tokenizer

THUMB = 64


def head(model: Transformer, tokenizer: Tokenizer, run: Run, place: Place) -> HeadRecord:
    """Every step of one head: projections, scores, scaling, mask, softmax, mix."""
    inputs = prepare(run, tokenizer)
    sites = ("attn_in", "q", "k", "v", "raw_scores", "scores", "masked_scores", "pattern", "z", "head_out")
    record = [place.prefix + site for site in sites]
    memory = memory_key(place)
    rotary = run.config.positions == "rotary" and not place.cross
    turned = [place.prefix + "q_rotated", place.prefix + "k_rotated"] if rotary else []
    seen = execute(model, run, inputs, [*record, memory, *turned])
    attn = attention_of(model, place)
    here = {
        site: to_numpy(seen[place.prefix + site][0]) for site in ("raw_scores", "scores", "masked_scores", "pattern")
    }
    q, k = (seen[place.prefix + name][0, place.head] for name in ("q", "k"))
    used_q, used_k = (seen[key][0, place.head] for key in turned) if rotary else (q, k)
    queries, keys = token_rows(inputs, place)
    return HeadRecord(
        place,
        queries,
        keys,
        x=to_numpy(seen[place.prefix + "attn_in"][0]),
        memory=to_numpy(seen[memory][0]),
        **_weights(attn, place.head),
        q=to_numpy(q),
        k=to_numpy(k),
        v=to_numpy(seen[place.prefix + "v"][0, place.head]),
        q_rotated=to_numpy(used_q) if rotary else None,
        k_rotated=to_numpy(used_k) if rotary else None,
        parts=_score_parts(attn, place.head, used_q, used_k),
        raw=here["raw_scores"][place.head],
        scores=here["scores"][place.head],
        mask=mask_of(inputs, place),
        masked=here["masked_scores"][place.head],
        pattern=here["pattern"][place.head],
        z=to_numpy(seen[place.prefix + "z"][0, place.head]),
        out=to_numpy(seen[place.prefix + "head_out"][0, place.head]),
    )


def layer(model: Transformer, tokenizer: Tokenizer, run: Run, place: Place) -> LayerRecord:
    """All heads of one attention layer, and how they add up."""
    inputs = prepare(run, tokenizer)
    sites = ("q", "k", "v", "pattern", "z", "head_out", "attn_out")
    seen = execute(model, run, inputs, [place.prefix + site for site in sites])
    attn = attention_of(model, place)
    tensors = {site: to_numpy(seen[place.prefix + site][0]) for site in sites}
    w_o = attn.w_o.weight.detach().unflatten(1, (run.config.heads, -1)).permute(1, 2, 0)  # (H, Ev, D)
    queries, keys = token_rows(inputs, place)
    return LayerRecord(place, queries, keys, **tensors, w_o=to_numpy(w_o), b_o=to_numpy(attn.w_o.bias))


def overview(model: Transformer, tokenizer: Tokenizer, run: Run, place: Place, size: int = THUMB) -> Overview:
    """Every head's pattern as a thumbnail of at most size × size, the largest weight of each tile, and its scores."""
    inputs = prepare(run, tokenizer)
    queries, keys = token_rows(inputs, place)
    ids = None if place.cross else queries.ids
    tables: list[HeadTable] = []

    def keep(pattern: Tensor) -> Tensor:
        tables.append(describe(to_numpy(pattern), ids))
        tile = -(-max(pattern.shape[-2:]) // size)
        small = F.max_pool2d(pattern[0].float(), tile, ceil_mode=True) if tile > 1 else pattern[0].float()
        return (small * 255).round().to(torch.uint8)

    names = layer_keys(run, place, "pattern")
    seen = execute(model, run, inputs, names, {"pattern": keep})
    thumbs = np.stack([seen[name].cpu().numpy() for name in names])
    columns = {
        field: np.ma.concatenate([getattr(table, field) for table in tables])
        for field, value in vars(tables[0]).items()
        if isinstance(value, np.ma.MaskedArray)
    }
    return Overview(queries, keys, thumbs, replace(tables[0], **columns))


def mixing(model: Transformer, tokenizer: Tokenizer, run: Run, place: Place) -> Mixing:
    """The average over heads in every layer, and attention rollout through them (Abnar & Zuidema 2020)."""
    inputs = prepare(run, tokenizer)
    names = layer_keys(run, place, "pattern")
    seen = execute(model, run, inputs, names, {"pattern": lambda pattern: pattern[0].float().mean(0, keepdim=True)})
    averages = np.stack([to_numpy(seen[name]) for name in names])  # (N, 1, Q, K)
    rollout = None if place.cross else roll_out(averages, residual=run.config.residual)
    return Mixing(*token_rows(inputs, place), averages[:, 0], rollout)


def _weights(attn: MultiHeadAttention, number: int) -> dict[str, np.ndarray]:
    """One head's slices of W_Q, W_K, W_V (inputs as rows) and W_O, and the biases of the projections."""
    slices = {}
    for name in ("q", "k", "v"):
        linear = getattr(attn, f"w_{name}")
        slices[f"w_{name}"] = to_numpy(linear.weight.detach().unflatten(0, (attn.config.heads, -1))[number].T)
        slices[f"b_{name}"] = to_numpy(linear.bias.detach().unflatten(0, (attn.config.heads, -1))[number])
    slices["w_o"] = to_numpy(attn.w_o.weight.detach().unflatten(1, (attn.config.heads, -1))[:, number].T)
    return slices


def _score_parts(attn: MultiHeadAttention, number: int, q: Tensor, k: Tensor) -> ScoreParts:
    score, left, right, w, u, v = attn.score, q, k, None, None, None
    if isinstance(score, General):
        left, w = q @ score.weight[number], to_numpy(score.weight[number])
    elif isinstance(score, Additive):
        left, right = q @ score.w[number].T, k @ score.u[number].T
        w, u, v = to_numpy(score.w[number]), to_numpy(score.u[number]), to_numpy(score.v[number, :, 0])
    bias = to_numpy(alibi_bias(attn.config.heads, len(q), len(k))[number]) if attn.alibi else None
    return ScoreParts(attn.config.score, to_numpy(left), to_numpy(right), w, u, v, score.scale, bias)
