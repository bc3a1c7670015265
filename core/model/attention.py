"""Attention: the pure function, its fused twin, and the multi-head layer made of them.

Shapes: B batch, Q queries, K keys, H heads, D d_model, E d_k or d_v of one head.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.config import TransformerConfig
from core.model.kv import CrossKV, LayerKV
from core.model.linear import Linear
from core.model.positions import alibi_bias, apply_rotary, rotate
from core.model.scores import Dot, Score, make_score
from core.model.tap import IDENTITY, Tap

INNER_SITES = ("raw_scores", "scores", "masked_scores", "pattern")


def apply_mask(scores: Tensor, mask: Tensor | None) -> Tensor:
    """(…, Q, K) scores with −∞ where the mask, broadcastable to them, is False. True = may attend."""
    return scores if mask is None else scores.masked_fill(~mask, float("-inf"))


def masked_softmax(scores: Tensor, mask: Tensor | None) -> Tensor:
    """Softmax over the keys (the last axis) of scores after `apply_mask`: a cell of −∞ gets exactly 0.

    A row that may attend to nothing is all zeros.
    """
    pattern = torch.softmax(scores, dim=-1)
    empty = _empty_rows(mask)
    return pattern if empty is None else pattern.masked_fill(empty, 0.0)


def attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    *,
    score: Score | None = None,
    bias: Tensor | None = None,
    tap: Tap = IDENTITY,
) -> tuple[Tensor, Tensor]:
    """softmax(q kᵀ / √d_k) v, every step in the open (Vaswani et al. 2017, equation 1).

    q (B, H, Q, E), k (B, H, K, E), v (B, H, K, E); mask boolean, True = may attend; bias is added to the scaled
    scores (ALiBi). Returns z (B, H, Q, E) and the pattern (B, H, Q, K) whose rows sum to 1.
    """
    score = score or Dot(q.shape[-1])
    raw = tap("raw_scores", score.raw(q, k))  # (B, H, Q, K)
    scores = raw * score.scale if score.scale != 1.0 else raw
    scores = tap("scores", scores if bias is None else scores + bias)
    masked = tap("masked_scores", apply_mask(scores, mask))
    pattern = tap("pattern", masked_softmax(masked, mask))
    return pattern @ v, pattern


def fused_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
    *,
    score: Score | None = None,
    bias: Tensor | None = None,
) -> Tensor:
    """The z of `attention` through PyTorch's fused kernel, which never shows its weights.

    A score that no dot product can express (additive) takes the open path.
    """
    score = score or Dot(q.shape[-1])
    query = score.as_dot(q)
    if query is None:
        return attention(q, k, v, mask, score=score, bias=bias)[0]
    allowed, empty = _kernel_mask(mask, bias)
    z = F.scaled_dot_product_attention(query, k, v, attn_mask=allowed, scale=score.scale)
    return z if empty is None else z.masked_fill(empty, 0.0)


def _kernel_mask(mask: Tensor | None, bias: Tensor | None) -> tuple[Tensor | None, Tensor | None]:
    """The mask as the kernel takes it, and the rows that may attend to nothing, as `_empty_rows` gives them.

    Not every kernel is safe from NaN in an empty row, so there it is let attend and its result is thrown away.
    """
    empty = _empty_rows(mask)
    if mask is not None and empty is not None:
        mask = mask | empty
    return (mask if bias is None else apply_mask(bias, mask)), empty


def _empty_rows(mask: Tensor | None) -> Tensor | None:
    """Which rows (…, Q, 1) may attend to nothing; None where there is no such row."""
    if mask is None:
        return None
    empty = ~mask.any(-1, keepdim=True)
    return empty if empty.any() else None


class MultiHeadAttention(nn.Module):
    """Heads side by side, each with its own W_Q, W_K, W_V, joined by W_O (Vaswani et al. 2017, section 3.2.2).

    positional: whether rotary or ALiBi positions act here; they do not in cross-attention, whose queries and keys
    stand in different texts.
    """

    def __init__(self, config: TransformerConfig, positional: bool = True) -> None:
        super().__init__()
        self.config = config
        self.rotary = positional and config.positions == "rotary"
        self.alibi = positional and config.positions == "alibi"
        heads, d_model = config.heads, config.d_model
        self.w_q = Linear(d_model, heads * config.key_width)
        self.w_k = Linear(d_model, heads * config.key_width)
        self.w_v = Linear(d_model, heads * config.value_width)
        self.w_o = Linear(heads * config.value_width, d_model)
        self.score = make_score(config.score, heads, config.key_width)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        mask: Tensor | None,
        tap: Tap = IDENTITY,
        kv: LayerKV | CrossKV | None = None,
    ) -> Tensor:
        """x (B, Q, D) asks, memory (B, K, D) answers; self-attention has memory = x. Returns (B, Q, D).

        kv: the keys and values kept from token to token; x then holds only the rows that are new.
        """
        q = tap("q", self._split(self.w_q(x)))  # (B, H, Q, E)
        if isinstance(kv, CrossKV) and kv.k is not None and kv.v is not None:
            k, v = kv.k, kv.v
        else:
            k, v = self.project_keys_values(memory, tap)
            q, k = self._rotated(q, k, tap, kv) if self.rotary else (q, k)
            k, v = (k, v) if kv is None else kv.extend(k, v)
        bias = alibi_bias(self.config.heads, q.shape[2], k.shape[2]).to(q) if self.alibi else None
        # On a CPU the gradient of the fused kernel takes ten times that of the open path.
        learns = self.training and x.device.type == "cpu"
        if learns or any(tap.touches(site) for site in INNER_SITES):
            z, _ = attention(q, k, v, mask, score=self.score, bias=bias, tap=tap)
        else:
            z = fused_attention(q, k, v, mask, score=self.score, bias=bias)
        return tap("attn_out", self._join(tap("z", z), tap))

    def project_keys_values(self, memory: Tensor, tap: Tap = IDENTITY) -> tuple[Tensor, Tensor]:
        """Keys (B, H, K, E) and values (B, H, K, E) of memory (B, K, D), before any rotation."""
        return tap("k", self._split(self.w_k(memory))), tap("v", self._split(self.w_v(memory)))

    def _rotated(self, q: Tensor, k: Tensor, tap: Tap, kv: LayerKV | CrossKV | None) -> tuple[Tensor, Tensor]:
        """Queries and keys (B, H, L, E) turned by the angles of their positions, both in one step."""
        both = torch.stack([q, k])
        if isinstance(kv, LayerKV):
            q, k = apply_rotary(both, *kv.rotary_cos_sin(q.shape[2]))
        else:
            q, k = rotate(both, self.config.position_base)
        return tap("q_rotated", q), tap("k_rotated", k)

    def _split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.config.heads, -1)).transpose(1, 2)  # (B, L, H·E) → (B, H, L, E)

    def _join(self, z: Tensor, tap: Tap) -> Tensor:
        """(B, H, Q, E) → (B, Q, D): the heads concatenated and sent through W_O, or added up head by head."""
        if not tap.touches("head_out"):
            return self.w_o(z.transpose(1, 2).flatten(2))  # (B, Q, H·E) → (B, Q, D)
        parts = self.w_o.weight.unflatten(1, (self.config.heads, -1))  # (D, H, E)
        head_out = tap("head_out", z @ parts.permute(1, 2, 0))  # (B, H, Q, D)
        return head_out.sum(1) + self.w_o.bias
