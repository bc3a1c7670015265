"""Attention: the pure function, its fused version, and the multi-head layer that uses both.

Shapes: B batch, Q queries, K keys, H heads, G key-value heads, D d_model, E d_k or d_v of one head.
"""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.attention_positions import RotaryOrBias, make_positions, make_rotary
from core.model.config import TransformerConfig
from core.model.kv import CrossKV, LayerKV
from core.model.masks import windowed
from core.model.scores import Dot, Score, make_score
from core.model.tap import IDENTITY, Tap

Kernel = Callable[..., Tensor]
INNER_SITES = ("raw_scores", "scores", "masked_scores", "pattern")


def apply_mask(scores: Tensor, mask: Tensor | None) -> Tensor:
    """Return the scores (…, Q, K) with −∞ wherever the mask is False.

    mask: broadcastable to the scores, True = may attend.
    """
    return scores if mask is None else scores.masked_fill(~mask, float("-inf"))


def masked_softmax(scores: Tensor, mask: Tensor | None, sink: Tensor | None = None) -> Tensor:
    """Return the softmax over the keys (the last axis); a score of −∞ gets exactly 0.

    scores: the scores after `apply_mask`.
    mask: the same mask; a row that may attend to nothing becomes all zeros.
    sink: a logit for each head (H,), which takes part in the softmax and is then left out, so that the rows of the
        scores (B, H, Q, K) get weights that sum to less than 1.
    """
    empty = _empty_rows(mask)
    filled = scores if empty is None else scores.masked_fill(empty, 0.0)  # no NaN in the gradient of an empty row
    if sink is None:
        weights = torch.softmax(filled, dim=-1)
    else:
        weights = torch.softmax(torch.cat([filled, _sink_column(sink, filled)], dim=-1), dim=-1)[..., :-1]
    return weights if empty is None else weights.masked_fill(empty, 0.0)


def _sink_column(sink: Tensor, scores: Tensor) -> Tensor:
    """Return the heads' logits (H,) as one more column (…, H, Q, 1) of the scores (…, H, Q, K)."""
    return sink.to(scores)[:, None, None].expand(*scores.shape[:-1], 1)


def repeat_kv(x: Tensor, heads: int) -> Tensor:
    """Repeat keys or values (B, G, K, E) to (B, H, K, E), so that every query head has its own.

    Each key-value head is read by H / G neighbouring query heads.
    """
    return x if x.shape[1] == heads else x.repeat_interleave(heads // x.shape[1], dim=1)


def attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    *,
    score: Score | None = None,
    bias: Tensor | None = None,
    sink: Tensor | None = None,
    tap: Tap = IDENTITY,
) -> tuple[Tensor, Tensor]:
    """Compute softmax(q kᵀ / √d_k) v, showing every step to the tap (Vaswani et al. 2017, equation 1).

    Returns z (B, H, Q, E) and the pattern (B, H, Q, K), whose rows sum to 1, or to less with a sink.

    q, k, v: (B, H, Q, E), (B, G, K, E) and (B, G, K, E).
    mask: boolean, True = may attend.
    score: the score function; None: the scaled dot product.
    bias: added to the scaled scores (ALiBi).
    sink: as in `masked_softmax`.
    """
    score = score or Dot(q.shape[-1])
    k, v = repeat_kv(k, q.shape[1]), repeat_kv(v, q.shape[1])
    raw = tap("raw_scores", score.raw(q, k))  # (B, H, Q, K)
    scores = raw * score.scale if score.scale != 1.0 else raw
    scores = tap("scores", scores if bias is None else scores + bias)
    masked = tap("masked_scores", apply_mask(scores, mask))
    pattern = tap("pattern", masked_softmax(masked, mask, sink))
    return pattern @ v, pattern


def fused_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    *,
    score: Score | None = None,
    bias: Tensor | None = None,
    sink: Tensor | None = None,
    kernel: Kernel = F.scaled_dot_product_attention,
) -> Tensor:
    """Return the z of `attention`, computed by PyTorch's fused kernel, which does not expose the weights.

    A score that no dot product can express (additive) is computed by `attention` instead. The kernel has no sink of
    its own: it gets a key and a value of zeros more, whose score is the head's logit.

    kernel: PyTorch's, or one that takes and returns the same.
    """
    score = score or Dot(q.shape[-1])
    query = score.as_dot(q)
    if query is None:
        return attention(q, k, v, mask, score=score, bias=bias, sink=sink)[0]
    allowed, empty = _kernel_mask(mask, bias)
    if sink is not None:
        allowed = _with_sink(sink, allowed, query, k.shape[2])
        k, v = F.pad(k, (0, 0, 0, 1)), F.pad(v, (0, 0, 0, 1))
    z = kernel(query, k, v, allowed, scale=score.scale, enable_gqa=k.shape[1] < q.shape[1])
    return z if empty is None else z.masked_fill(empty, 0.0)


def _kernel_mask(mask: Tensor | None, bias: Tensor | None) -> tuple[Tensor | None, Tensor | None]:
    """Return the mask as the kernel takes it, and the rows that may attend to nothing, as in `_empty_rows`.

    Not every kernel is safe from NaN in an empty row, so the kernel lets such a row attend to everything, and the
    caller discards its result.
    """
    empty = _empty_rows(mask)
    if mask is not None and empty is not None:
        mask = mask | empty
    return (mask if bias is None else apply_mask(bias, mask)), empty


def _with_sink(sink: Tensor, allowed: Tensor | None, q: Tensor, keys: int) -> Tensor:
    """Return what the kernel adds to the scores (B, H, Q, K + 1): mask and bias, and the sink's logits at the end.

    allowed: the mask or bias of `_kernel_mask`.
    """
    added = q.new_zeros(*q.shape[:3], keys)
    if allowed is not None:
        added = apply_mask(added, allowed) if allowed.dtype == torch.bool else added + allowed
    return torch.cat([added, _sink_column(sink, added)], dim=-1)


def _empty_rows(mask: Tensor | None) -> Tensor | None:
    """Return the rows (…, Q, 1) that may attend to nothing, as booleans; None if there is no such row."""
    if mask is None:
        return None
    empty = ~mask.any(-1, keepdim=True)
    return empty if empty.any() else None


class MultiHeadAttention(nn.Module):
    """Multi-head attention: parallel heads, each with its own W_Q, W_K and W_V, joined by W_O.

    (Vaswani et al. 2017, section 3.2.2.)

    positional: whether rotary, ALiBi or relative positions act here; they do not in cross-attention, whose queries and
        keys belong to different texts.
    window: the number of keys, up to and including its own position, that a query sees; 0: all.
    """

    def __init__(self, config: TransformerConfig, positional: bool = True, window: int = 0) -> None:
        super().__init__()
        self.config = config
        self.window = window
        self.rotary = positional and config.positions == "rotary"
        self.inner, self.turn = make_positions(config if positional else None), make_rotary(config)
        heads, groups, d_model, bias = config.heads, config.n_kv_heads, config.d_model, config.qkv_bias
        self.w_q = nn.Linear(d_model, heads * config.key_width, bias)
        self.w_k = nn.Linear(d_model, groups * config.key_width, bias)
        self.w_v = nn.Linear(d_model, groups * config.value_width, bias)
        self.w_o = nn.Linear(heads * config.value_width, d_model, config.out_bias)
        self.q_norm = nn.RMSNorm(config.key_width, config.norm_eps) if config.qk_norm else None
        self.k_norm = nn.RMSNorm(config.key_width, config.norm_eps) if config.qk_norm else None
        self.score = make_score(config.score, heads, config.key_width)
        self.sink = nn.Parameter(torch.empty(heads)) if config.sink_logits else None
        self.kernel: Kernel = F.scaled_dot_product_attention  # `core.model.fast.optimize` sets a faster one

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        mask: Tensor | None,
        tap: Tap = IDENTITY,
        kv: LayerKV | CrossKV | None = None,
        inner: RotaryOrBias | None = None,
    ) -> Tensor:
        """Return the attention (B, Q, D) of x over memory.

        x: the vectors (B, Q, D) that the queries are made from.
        memory: the vectors (B, K, D) that keys and values are made from; in self-attention the same as x.
        kv: the cached keys and values; for self-attention x then holds only the new rows.
        inner: the effect of positions, the same for all layers; None computes it for these rows, without a relative
            bias, whose table belongs to the stack.
        """
        if inner is None:
            inner = self.inner(kv.length if isinstance(kv, LayerKV) else 0, x.shape[1], x)
        q = self.project_queries(x, tap)
        if isinstance(kv, CrossKV) and kv.k is not None and kv.v is not None:
            k, v = kv.k, kv.v
        else:
            k, v = self.project_keys_values(memory, tap)
            q, k = self._rotated(q, k, inner, tap) if self.rotary else (q, k)
            k, v = (k, v) if kv is None else (part.to(x.dtype) for part in kv.extend(k, v))
        mask = windowed(mask, q.shape[2], k.shape[2], self.window, x.device)
        # On a CPU the gradient of the fused kernel takes ten times that of the open path, and is NaN or wrong in its
        # first digit where scores reach 10⁸.
        goes_back = x.device.type == "cpu" and any(tensor.requires_grad for tensor in (q, k, v))
        if goes_back or any(tap.touches(site) for site in INNER_SITES):
            z, _ = attention(q, k, v, mask, score=self.score, bias=inner.bias, sink=self.sink, tap=tap)
        else:
            z = fused_attention(q, k, v, mask, score=self.score, bias=inner.bias, sink=self.sink, kernel=self.kernel)
        return tap("attn_out", self._join(tap("z", z), tap))

    def project_queries(self, x: Tensor, tap: Tap = IDENTITY) -> Tensor:
        """Return the queries (B, H, Q, E) of x (B, Q, D), before any rotation."""
        return self._split(self.w_q(x), self.config.heads, "q", self.q_norm, tap)

    def project_keys_values(self, memory: Tensor, tap: Tap = IDENTITY) -> tuple[Tensor, Tensor]:
        """Return the keys (B, G, K, E) and values (B, G, K, E) of memory (B, K, D), before any rotation."""
        groups = self.config.n_kv_heads
        k = self._split(self.w_k(memory), groups, "k", self.k_norm, tap)
        return k, self._split(self.w_v(memory), groups, "v", None, tap)

    def _rotated(self, q: Tensor, k: Tensor, inner: RotaryOrBias, tap: Tap) -> tuple[Tensor, Tensor]:
        """Rotate queries (B, H, L, E) and keys (B, G, L, E) by the angles of their positions, both in one step."""
        assert inner.turns is not None
        both = self.turn(torch.cat([q, k], dim=1), *inner.turns).to(q.dtype)
        q, k = both.split((q.shape[1], k.shape[1]), dim=1)
        return tap("q_rotated", q), tap("k_rotated", k)

    def _split(self, x: Tensor, heads: int, name: str, norm: nn.Module | None, tap: Tap) -> Tensor:
        """Reshape (B, L, H·E) to (B, H, L, E), and normalise each head if there is a norm."""
        x = tap(name, x.unflatten(-1, (heads, -1)).transpose(1, 2))
        return x if norm is None else tap(f"{name}_normed", norm(x))

    def _join(self, z: Tensor, tap: Tap) -> Tensor:
        """Join the heads (B, H, Q, E) to (B, Q, D): concatenated and multiplied by W_O, or added up head by head."""
        if not tap.touches("head_out"):
            return self.w_o(z.transpose(1, 2).flatten(2))  # (B, Q, H·E) → (B, Q, D)
        parts = self.w_o.weight.unflatten(1, (self.config.heads, -1))  # (D, H, E)
        joined = tap("head_out", z @ parts.permute(1, 2, 0)).sum(1)  # (B, H, Q, D) → (B, Q, D)
        return joined if self.w_o.bias is None else joined + self.w_o.bias
