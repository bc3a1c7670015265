"""Compute one attention head with every step of it."""

import numpy as np
from torch import Tensor

from core.model.attention import MultiHeadAttention
from core.model.config import TransformerConfig
from core.model.positions import rotary_periods
from core.model.scores import Additive, General
from core.model.transformer import Transformer
from core.text.pieces import AnyTokenizer
from core.topics.self_attention.records import HeadNorm, HeadRecord, ScoreParts, Turning
from core.topics.shared.places import (
    HeadAddress,
    attention_module,
    head_projection,
    mask_of,
    memory_key,
    to_numpy,
    token_rows,
)
from core.tracing.run import Run, execute, prepare
from core.tracing.sites import scored_site
from core.tracing.trace import Trace


def head(model: Transformer, tokenizer: AnyTokenizer, run: Run, place: HeadAddress) -> HeadRecord:
    """Return every step of one head: projections, scores, scaling, mask, softmax, mix."""
    inputs = prepare(run, tokenizer)
    sites = ("attn_in", "q", "k", "v", "raw_scores", "scores", "masked_scores", "pattern", "z", "head_out")
    record = [place.prefix + site for site in sites]
    memory = memory_key(place)
    config, group = run.config, run.config.kv_head_of(place.head)
    rotary = config.positions == "rotary" and not place.cross
    normed = [place.prefix + f"{letter}_normed" for letter in "qk"] if config.qk_norm else []
    used = [place.prefix + scored_site(config, letter, place.cross) for letter in "qk"]
    trace = execute(model, run, inputs, [*record, memory, *used, *normed])
    attn = attention_module(model, place)

    def own(site: str, number: int = place.head) -> np.ndarray:
        return to_numpy(trace[place.prefix + site][0, number])

    used_q, used_k = trace[used[0]][0, place.head], trace[used[1]][0, group]
    inner = model.inner_positions(place.stack, 0, len(used_q), used_q)
    bias = None if place.cross or inner.bias is None else to_numpy(inner.bias[place.head])
    queries, keys = token_rows(inputs, place)
    return HeadRecord(
        place,
        queries,
        keys,
        x=to_numpy(trace[place.prefix + "attn_in"][0]),
        memory=to_numpy(trace[memory][0]),
        **_weights(attn, place.head),
        q=own("q"),
        k=own("k", group),
        v=own("v", group),
        q_rotated=to_numpy(used_q) if rotary else None,
        k_rotated=to_numpy(used_k) if rotary else None,
        turning=_turning(config) if rotary else None,
        normed=_normed(attn, trace, place, group),
        parts=_score_parts(attn, place.head, used_q, used_k, bias),
        raw=own("raw_scores"),
        scores=own("scores"),
        mask=mask_of(inputs, place),
        masked=own("masked_scores"),
        sink=None if attn.sink is None else float(attn.sink[place.head].detach()),
        pattern=own("pattern"),
        z=own("z"),
        out=own("head_out"),
    )


def _weights(attn: MultiHeadAttention, number: int) -> dict[str, np.ndarray]:
    """Return one head's slices of W_Q, W_K, W_V (inputs as rows) and W_O, and the biases of the projections.

    The biases are zeros if the projections have none.
    """
    slices = {}
    for name in ("q", "k", "v"):
        w, b = head_projection(attn, name, number)
        slices[f"w_{name}"], slices[f"b_{name}"] = to_numpy(w), to_numpy(b)
    slices["w_o"] = to_numpy(attn.w_o.weight.detach().unflatten(1, (attn.config.heads, -1))[:, number].T)
    return slices


def _turning(config: TransformerConfig) -> Turning:
    periods = rotary_periods(config.rotary_dim, config.position_base, config.rotary_scaling).numpy()
    return Turning(periods, config.rotary_pairs, config.position_base, config.plain_rotary)


def _normed(attn: MultiHeadAttention, trace: Trace, place: HeadAddress, group: int) -> HeadNorm | None:
    if attn.q_norm is None or attn.k_norm is None:
        return None
    q, k = trace[f"{place.prefix}q_normed"][0, place.head], trace[f"{place.prefix}k_normed"][0, group]
    gains = to_numpy(attn.q_norm.weight), to_numpy(attn.k_norm.weight)
    return HeadNorm(to_numpy(q), to_numpy(k), *gains, attn.config.norm_eps)


def _score_parts(attn: MultiHeadAttention, number: int, q: Tensor, k: Tensor, bias: np.ndarray | None) -> ScoreParts:
    score, left, right, w, u, v = attn.score, q, k, None, None, None
    if isinstance(score, General):
        left, w = q @ score.weight[number], to_numpy(score.weight[number])
    elif isinstance(score, Additive):
        left, right = q @ score.w[number].T, k @ score.u[number].T
        w, u, v = to_numpy(score.w[number]), to_numpy(score.u[number]), to_numpy(score.v[number, :, 0])
    return ScoreParts(
        attn.config.score, to_numpy(left), to_numpy(right), w, u, v, score.scale, bias, attn.config.positions
    )
