"""The configuration of a transformer, a frozen record of plain values.

It is the cache key of a model and is stored in its checkpoint. Two equal configs build bit-equal models.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from core.model.rotary_scaling import RotaryScaling

ARCHITECTURES = ("encoder", "decoder", "encoder-decoder")
GATED = ("swiglu", "geglu", "geglu_tanh")
ACTIVATIONS = ("relu", "gelu", "gelu_tanh", "silu", *GATED)
NORM_POSITIONS = ("post", "pre", "none")
NORMS = ("layernorm", "rmsnorm")
ADDED_POSITIONS = ("binary", "sinusoidal", "learned")
POSITIONS = ("none", *ADDED_POSITIONS, "rotary", "alibi", "relative")
SINUSOIDS = ("interleaved", "halves")
ROTARY_PAIRS = ("adjacent", "halves")
SCORES = ("dot", "scaled_dot", "general", "additive")
_SIZES = ("vocab_size", "d_model", "heads", "layers", "d_k", "d_v", "d_ff", "max_length", "decoder_layers", "kv_heads")
_WHOLE_NUMBERS = (*_SIZES, "token_types", "relative_buckets", "relative_distance", "rotary_width")


@dataclass(frozen=True)
class TransformerConfig:
    """Sizes and choices of one transformer (Vaswani et al. 2017, with the variants that followed).

    Raises ValueError, with the numbers in it, for a combination that cannot be built.
    """

    # "encoder", "decoder" or "encoder-decoder".
    architecture: str = "encoder"
    vocab_size: int = 8000
    d_model: int = 64
    heads: int = 4
    # Number of blocks; in an encoder-decoder, of the encoder's blocks.
    layers: int = 3
    # The width of one head's queries and keys, and of its values; None: d_model / heads.
    d_k: int | None = None
    d_v: int | None = None
    # The width of the feed-forward layer; None: 4 · d_model; 0: blocks have attention only.
    d_ff: int | None = None
    activation: str = "relu"
    # Where each block normalises: after each residual sum ("post"), before each part ("pre"), or nowhere ("none").
    norm_position: str = "post"
    norm: str = "layernorm"
    # Whether a norm follows the last block; None: only with "pre".
    final_norm: bool | None = None
    residual: bool = True
    positions: str = "sinusoidal"
    # The base of the wave lengths of sinusoidal and rotary positions.
    position_base: float = 10000.0
    # The maximum number of tokens in a text; also the number of rows in the table of learned positions.
    max_length: int = 512
    score: str = "scaled_dot"
    # Whether the logits are computed with the embedding table.
    tied: bool = True
    # Whether embeddings are multiplied by √d_model.
    scale_embeddings: bool = True
    dropout: float = 0.0
    seed: int = 0

    # The remaining fields are for models made elsewhere.
    # Number of decoder blocks in an encoder-decoder; None: as many as the encoder has.
    decoder_layers: int | None = None
    # Number of key-value heads, each read by heads / kv_heads query heads (grouped-query attention, Ainslie et al.
    # 2023; 1: Shazeer 2019); None: as many as heads.
    kv_heads: int | None = None
    # Whether W_Q, W_K and W_V, W_O, the feed-forward layer, and LayerNorm have a bias.
    qkv_bias: bool = True
    out_bias: bool = True
    ffn_bias: bool = True
    norm_bias: bool = True
    norm_eps: float = 1e-5
    # A norm on the sum of embeddings and positions (Devlin et al. 2019).
    embedding_norm: bool = False
    # Number of rows of the token-type table, whose first row is added to every embedding; 0: no table (Devlin et al.
    # 2019).
    token_types: int = 0
    # Attention and feed-forward layer read the same vector: x + attn(norm x) + ffn(norm x) (Black et al. 2022).
    parallel_residual: bool = False
    # RMSNorm on each head's queries and keys (Henry et al. 2020).
    qk_norm: bool = False
    # A learned logit for each head that stands in the softmax beside the scores and has no value, so that a row's
    # weights sum to less than 1 (gpt-oss, OpenAI 2025; with a logit of 0: Miller 2023).
    sink_logits: bool = False
    # For each decoder block, the number of tokens, up to and including its own, that a query sees; 0: all (Jiang et al.
    # 2023); (): no windows.
    windows: tuple[int, ...] = ()
    # The number of buckets and the maximum distance of "relative" positions (Raffel et al. 2020, section 2.1).
    relative_buckets: int = 32
    relative_distance: int = 128
    # Sines and cosines of sinusoidal positions: "interleaved", or all sines before all cosines ("halves").
    sinusoids: str = "interleaved"
    # Which two numbers of a head are rotated together: "adjacent" ones, or those of its "halves".
    rotary_pairs: str = "adjacent"
    # How many numbers of a head are rotated; None: all.
    rotary_width: int | None = None
    # A change of the rotary angles for texts longer than those of training.
    rotary_scaling: RotaryScaling | None = None
    # Whether an encoder has a layer with a norm before its logits (Devlin et al. 2019).
    masked_head: bool = False
    # A bias on the logits.
    output_bias: bool = False
    # The factor that multiplies the logits.
    logit_scale: float = 1.0

    def __post_init__(self) -> None:
        for name, options in CHOICES.items():
            if (value := getattr(self, name)) not in options:
                raise ValueError(f"{name} {value!r} is not one of {', '.join(options)}")
        for check in _CHECKS:
            check(self)

    @property
    def key_width(self) -> int:
        """The width d_k of one head's queries and keys."""
        return self.d_k or self.d_model // self.heads

    @property
    def value_width(self) -> int:
        """The width d_v of one head's values."""
        return self.d_v or self.d_model // self.heads

    @property
    def hidden_width(self) -> int:
        """The width d_ff of the feed-forward layer."""
        return 4 * self.d_model if self.d_ff is None else self.d_ff

    @property
    def stacks(self) -> tuple[str, ...]:
        """The stacks of blocks in this model, in the order in which they run."""
        return tuple(self.architecture.split("-"))

    @property
    def has_two_stacks(self) -> bool:
        """Whether the model has an encoder and a decoder that reads its output."""
        return len(self.stacks) == 2

    @property
    def ends_with_norm(self) -> bool:
        return self.norm_position == "pre" if self.final_norm is None else self.final_norm

    @property
    def gated(self) -> bool:
        """Whether the feed-forward layer multiplies its hidden numbers by a second product, W_3 x."""
        return self.activation in GATED

    @property
    def adds_positions(self) -> bool:
        """Whether positions are added to the embeddings."""
        return self.positions in ADDED_POSITIONS

    @property
    def n_kv_heads(self) -> int:
        """The number of key-value heads."""
        return self.kv_heads or self.heads

    def kv_head_of(self, head: int) -> int:
        """Return the key-value head that this query head reads; both are counted from 0."""
        return head * self.n_kv_heads // self.heads

    @property
    def rotary_dim(self) -> int:
        """The number of dimensions of a head that rotary positions rotate."""
        return self.rotary_width or self.key_width

    @property
    def max_layers(self) -> int:
        """The number of blocks in the deeper stack."""
        return max(self.depth(stack) for stack in self.stacks)

    def first_layers(self, count: int) -> "TransformerConfig":
        """Return a copy of this config with at most `count` blocks in each stack."""
        less = None if self.decoder_layers is None else min(count, self.decoder_layers)
        cut = self.windows[: min(count, self.depth("decoder"))]
        return replace(self, layers=min(count, self.layers), decoder_layers=less, windows=cut)

    @property
    def plain_rotary(self) -> bool:
        """Whether rotary positions rotate all dimensions of a head, in adjacent pairs, by unscaled angles."""
        return self.rotary_pairs == "adjacent" and self.rotary_scaling is None and self.rotary_dim == self.key_width

    def depth(self, stack: str) -> int:
        """Return the number of blocks in the "encoder" or the "decoder"."""
        return self.decoder_layers or self.layers if stack == "decoder" else self.layers


CHOICES = {
    "architecture": ARCHITECTURES,
    "activation": ACTIVATIONS,
    "norm_position": NORM_POSITIONS,
    "norm": NORMS,
    "positions": POSITIONS,
    "sinusoids": SINUSOIDS,
    "rotary_pairs": ROTARY_PAIRS,
    "score": SCORES,
}


def config_from_json(values: Mapping[str, Any]) -> TransformerConfig:
    """Return the config whose fields are given as parsed JSON.

    values: holds lists for the config's tuples, and an object for its `RotaryScaling`.

    Raises TypeError or ValueError if they are not the fields of a config that can be built.
    """
    fields = dict(values)
    if "windows" in fields:
        fields["windows"] = tuple(fields["windows"])
    if fields.get("rotary_scaling") is not None:
        fields["rotary_scaling"] = RotaryScaling(**fields["rotary_scaling"])
    return TransformerConfig(**fields)


def _check_sizes(config: TransformerConfig) -> None:
    for name in _WHOLE_NUMBERS:
        if not isinstance(value := getattr(config, name), int | None):
            raise ValueError(f"{name} must be a whole number, not {value!r}")
    for name in _SIZES:
        value = getattr(config, name)
        min_value = 0 if name == "d_ff" else 1
        if value is not None and value < min_value:
            raise ValueError(f"{name} must be at least {min_value}, not {value}")
    if config.token_types < 0:
        raise ValueError(f"token_types must be at least 0, not {config.token_types}")
    if not 0 <= config.dropout < 1:
        raise ValueError(f"dropout must be at least 0 and below 1, not {config.dropout}")
    for name in ("norm_eps", "logit_scale"):
        if not 0 < (value := getattr(config, name)) < inf:
            raise ValueError(f"{name} must be above 0 and finite, not {value}")


def _check_heads(config: TransformerConfig) -> None:
    if (config.d_k is None or config.d_v is None) and config.d_model % config.heads:
        lower = config.d_model - config.d_model % config.heads
        near = " or ".join(str(n) for n in (lower, lower + config.heads) if n)
        raise ValueError(
            f"d_model {config.d_model} is not divisible by {config.heads} heads: "
            f"take d_model {near}, or set d_k and d_v yourself"
        )
    if config.heads % config.n_kv_heads:
        raise ValueError(f"{config.heads} heads cannot share {config.kv_heads} heads of keys and values evenly")


def _check_positions(config: TransformerConfig) -> None:
    if not 1 < config.position_base < inf:
        raise ValueError(f"position_base must be above 1 and finite, not {config.position_base}")
    bits = (config.max_length - 1).bit_length()
    if config.positions == "binary" and config.d_model < bits:
        raise ValueError(
            f"binary positions up to {config.max_length} need {bits} bits, but d_model is only {config.d_model}"
        )
    buckets, distance = config.relative_buckets, config.relative_distance
    if buckets < 4 or buckets % 2:
        raise ValueError(f"relative_buckets must be an even number from 4 on, not {buckets}")
    if distance <= buckets // 2:
        raise ValueError(f"relative_distance must be above half of {buckets} relative_buckets, not {distance}")


def _check_rotary(config: TransformerConfig) -> None:
    width = config.rotary_width
    if width is not None and not 1 <= width <= config.key_width:
        raise ValueError(f"rotary_width must be 1 to {config.key_width}, a head's d_k, not {width}")
    if config.positions != "rotary":
        return
    if config.rotary_dim % 2:
        name = "d_k" if width is None else "rotary_width"
        raise ValueError(f"rotary positions turn pairs of numbers, so {name} must be even, not {config.rotary_dim}")
    if config.rotary_scaling and config.rotary_scaling.kind == "ntk" and config.rotary_dim < 4:
        raise ValueError(f"NTK scaling needs at least 4 numbers that turn, not {config.rotary_dim}")


def _check_windows(config: TransformerConfig) -> None:
    if not config.windows:
        return
    if "decoder" not in config.stacks:
        raise ValueError(f"windows are for the blocks of a decoder, not of an {config.architecture}")
    if len(config.windows) != config.depth("decoder"):
        raise ValueError(f"{len(config.windows)} windows do not fit {config.depth('decoder')} blocks of the decoder")
    if min(config.windows) < 0:
        raise ValueError(f"a window is 0 (all tokens) or more, not {min(config.windows)}")


def _check_blocks(config: TransformerConfig) -> None:
    if config.decoder_layers is not None and not config.has_two_stacks:
        raise ValueError(
            f"decoder_layers ({config.decoder_layers}) are for an encoder-decoder; "
            f"this {config.architecture} has layers ({config.layers})"
        )
    if not config.parallel_residual:
        return
    if config.norm_position == "post" or not config.residual:
        raise ValueError("parallel_residual adds to the residual stream: take pre-norm or no norm, and residual on")
    if config.has_two_stacks:
        raise ValueError("parallel_residual is for an encoder or a decoder: cross-attention has no place in it")


def _check_logits(config: TransformerConfig) -> None:
    if config.masked_head and config.architecture != "encoder":
        raise ValueError(f"masked_head is for an encoder, not for architecture {config.architecture!r}")
    if config.output_bias and not (config.tied or config.masked_head or "decoder" in config.stacks):
        raise ValueError("output_bias needs logits, and an encoder has them with tied embeddings or masked_head only")


_CHECKS = (_check_sizes, _check_heads, _check_positions, _check_rotary, _check_windows, _check_blocks, _check_logits)
