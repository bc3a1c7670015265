"""The parts of a transformer block other than attention: norms, the feed-forward layer, and the block itself."""

from collections.abc import Callable
from functools import partial
from zlib import crc32

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from core.model.attention import MultiHeadAttention
from core.model.attention_positions import RotaryOrBias
from core.model.config import TransformerConfig
from core.model.dropout import dropout
from core.model.kv import CrossKV, LayerKV
from core.model.tap import IDENTITY, Check, Tap

EMBEDDING_INITS = ("normal", "xavier")
gelu_tanh = partial(F.gelu, approximate="tanh")  # Hendrycks & Gimpel 2016, section 2
ACTIVATION: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": gelu_tanh,
    "silu": F.silu,
    "swiglu": F.silu,
    "geglu": F.gelu,
    "geglu_tanh": gelu_tanh,
}


def make_norm(config: TransformerConfig) -> nn.Module:
    """Return the norm that a config asks for.

    It is a LayerNorm (Ba et al. 2016; biased deviation, eps inside the root) or an RMSNorm (Zhang & Sennrich 2019).
    """
    if config.norm == "layernorm":
        return nn.LayerNorm(config.d_model, eps=config.norm_eps, bias=config.norm_bias)
    return nn.RMSNorm(config.d_model, eps=config.norm_eps)


class FeedForward(nn.Module):
    """The feed-forward layer W_2 f(W_1 x), the same at every position (Vaswani et al. 2017, equation 2).

    If gated, the hidden layer is f(W_1 x) ⊙ W_3 x: SwiGLU with SiLU, GEGLU with GELU (Shazeer 2020, equation 6).
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.activation = ACTIVATION[config.activation]
        bias = config.ffn_bias
        self.w_1 = nn.Linear(config.d_model, config.hidden_width, bias)
        self.w_2 = nn.Linear(config.hidden_width, config.d_model, bias)
        self.w_3 = nn.Linear(config.d_model, config.hidden_width, bias) if config.gated else None

    def forward(self, x: Tensor, tap: Tap = IDENTITY) -> Tensor:
        hidden = self.activation(self.w_1(x))  # (B, L, F)
        if self.w_3 is not None:
            hidden = hidden * self.w_3(x)
        return tap("ffn_out", self.w_2(tap("ffn_hidden", hidden)))


class MaskedWordHead(nn.Module):
    """The layer between an encoder's output and the logits of masked pieces (Devlin et al. 2019; released code).

    It is a linear layer with its activation, followed by a norm.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.d_model, config.d_model)
        self.activation = ACTIVATION[config.activation]
        self.norm = make_norm(config)

    def forward(self, x: Tensor) -> Tensor:
        """Return the output (B, L, D) of the head for x (B, L, D)."""
        out: Tensor = self.norm(self.activation(self.dense(x)))
        return out


class Block(nn.Module):
    """A transformer block: attention, cross-attention if there is a source, and a feed-forward layer.

    Each part adds its output to the residual stream. Post-norm is the paper's x ← norm(x + f(x)); pre-norm is
    x ← x + f(norm(x)) (Xiong et al. 2020). With a d_ff of 0 there is no feed-forward layer, and no norm of one.

    cross: whether the block has cross-attention.
    window: the window of its self-attention, as in `MultiHeadAttention`.
    """

    def __init__(self, config: TransformerConfig, cross: bool = False, window: int = 0) -> None:
        super().__init__()
        self.config = config
        self.attn = MultiHeadAttention(config, window=window)
        normed = config.norm_position != "none"
        self.norm_attn = make_norm(config) if normed else nn.Identity()
        self.cross = MultiHeadAttention(config, positional=False) if cross else None
        self.norm_cross = make_norm(config) if cross and normed else nn.Identity()
        self.ffn = FeedForward(config) if config.hidden_width else None
        self.norm_ffn = make_norm(config) if self.ffn and normed else nn.Identity()

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None,
        memory: Tensor | None = None,
        cross_mask: Tensor | None = None,
        tap: Tap = IDENTITY,
        kv: LayerKV | None = None,
        cross_kv: CrossKV | None = None,
        inner: RotaryOrBias | None = None,
    ) -> Tensor:
        """Return the block's output (B, L, D) for its input x (B, L, D).

        memory: the encoder's output (B, S, D).
        kv: the cached keys and values of self-attention; x then holds only the new rows.
        cross_kv: the cached keys and values of cross-attention.
        inner: the effect of positions, as in `MultiHeadAttention.forward`.
        """
        x = first = tap("resid_pre", x)
        read = tap("attn_in", self._before(self.norm_attn, x))
        x = tap("resid_mid", self._after(self.norm_attn, x, self.attn(read, read, mask, tap, kv, inner)))
        if self.cross is not None and memory is not None:
            crossing = tap.scope("cross")
            read = crossing("attn_in", self._before(self.norm_cross, x))
            out = self.cross(read, memory, cross_mask, crossing, cross_kv)
            x = crossing("resid_mid", self._after(self.norm_cross, x, out))
        if self.ffn is not None:
            read = tap("ffn_in", self._before(self.norm_ffn, first if self.config.parallel_residual else x))
            x = self._after(self.norm_ffn, x, self.ffn(read, tap))
        return tap("resid_post", x)

    def _before(self, norm: nn.Module, x: Tensor) -> Tensor:
        return norm(x) if self.config.norm_position == "pre" else x

    def _after(self, norm: nn.Module, x: Tensor, out: Tensor) -> Tensor:
        if self.training:
            out = dropout(out, self.config.dropout)
        out = x + out if self.config.residual else out
        return norm(out) if self.config.norm_position == "post" else out


def initialise(module: nn.Module, seed: int, embedding_init: str = "normal", check: Check | None = None) -> None:
    """Fill every parameter from a local generator of its own, so that a seed gives the same model on any thread.

    Matrices: Xavier uniform (Glorot & Bengio 2010, equation 16); embeddings: "normal" with variance 1/D, as the
    paper's √D scaling expects, or "xavier", as for matrices; gains: 1; biases: 0. The random numbers of a parameter
    depend only on the seed and its name, so one more layer leaves the weights of the others unchanged.

    check: called before each parameter; it may cancel by raising an exception.
    """
    embeddings = {id(part.weight) for part in module.modules() if isinstance(part, nn.Embedding)}
    with torch.no_grad():
        for name, value in module.named_parameters():
            if check is not None:
                check()
            if value.dim() == 1:
                value.fill_(1.0 if name.endswith("weight") else 0.0)
                continue
            generator = torch.Generator().manual_seed(crc32(f"{seed} {name}".encode()))
            fan_out, fan_in = value.shape[-2:]
            if embedding_init == "normal" and id(value) in embeddings:
                fresh = torch.randn(value.shape, generator=generator) * fan_in**-0.5
            else:
                bound = (6 / (fan_in + fan_out)) ** 0.5
                fresh = (torch.rand(value.shape, generator=generator) * 2 - 1) * bound
            value.copy_(fresh)
