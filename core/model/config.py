"""The one frozen record of plain numbers that says what a transformer is.

It is the cache key of a model and travels inside its checkpoint. Two equal configs build bit-equal models.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.model.config_checks import check_config
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


@dataclass(frozen=True)
class TransformerConfig:
    """Sizes and choices of one transformer (Vaswani et al. 2017, with the variants that followed).

    d_k and d_v are the widths of one head's queries/keys and values; None means d_model / heads. d_ff of None
    means 4 · d_model. `final_norm`: whether a last norm follows the blocks, in whatever position theirs stand;
    None means only where blocks normalise first ("pre").
    `position_base` is the base of the wave lengths of sinusoidal and rotary positions (10,000 in the paper).
    `max_length` bounds the text and sizes the table of learned positions.

    The other fields are for models made elsewhere. decoder_layers: of an encoder-decoder, where `layers` are the
    encoder's; None for as many. kv_heads: heads of keys and values, each read by heads / kv_heads heads of queries
    (grouped-query attention, Ainslie et al. 2023; 1: Shazeer 2019); None for as many. qkv_bias, out_bias, ffn_bias,
    norm_bias: whether W_Q, W_K and W_V, W_O, the feed-forward layer and LayerNorm have one. embedding_norm: a norm on
    the sum of embeddings and positions; token_types: rows of a table whose first is added to every embedding; 0 for no
    table; masked_head: a layer with a norm before the logits of an encoder (all three: Devlin et al. 2019).
    parallel_residual: attention and feed-forward layer read the same vector, x + attn(norm x) + ffn(norm x) (Black et
    al. 2022). qk_norm: RMSNorm on each head's queries and keys (Henry et al. 2020). windows: for each block of a
    decoder how many tokens up to its own a query sees, 0 for all (Jiang et al. 2023); () for no windows.
    relative_buckets, relative_distance: of "relative" positions (Raffel et al. 2020, section 2.1). sinusoids: sine and
    cosine "interleaved", or in "halves". rotary_pairs: which two numbers of a head turn together, "adjacent" ones or
    those of its "halves"; rotary_width: how many of its numbers turn, None for all; rotary_scaling: for texts longer
    than those of training. output_bias: on the logits; logit_scale: what they are multiplied by.

    Raises ValueError, with the numbers in it, for a combination that cannot be built.
    """

    architecture: str = "encoder"
    vocab_size: int = 8000
    d_model: int = 64
    heads: int = 4
    layers: int = 3
    d_k: int | None = None
    d_v: int | None = None
    d_ff: int | None = None
    activation: str = "relu"
    norm_position: str = "post"
    norm: str = "layernorm"
    final_norm: bool | None = None
    residual: bool = True
    positions: str = "sinusoidal"
    position_base: float = 10000.0
    max_length: int = 512
    score: str = "scaled_dot"
    tied: bool = True
    scale_embeddings: bool = True
    dropout: float = 0.0
    seed: int = 0
    decoder_layers: int | None = None
    kv_heads: int | None = None
    qkv_bias: bool = True
    out_bias: bool = True
    ffn_bias: bool = True
    norm_bias: bool = True
    norm_eps: float = 1e-5
    embedding_norm: bool = False
    token_types: int = 0
    parallel_residual: bool = False
    qk_norm: bool = False
    windows: tuple[int, ...] = ()
    relative_buckets: int = 32
    relative_distance: int = 128
    sinusoids: str = "interleaved"
    rotary_pairs: str = "adjacent"
    rotary_width: int | None = None
    rotary_scaling: RotaryScaling | None = None
    masked_head: bool = False
    output_bias: bool = False
    logit_scale: float = 1.0

    def __post_init__(self) -> None:
        for name, options in CHOICES.items():
            if (value := getattr(self, name)) not in options:
                raise ValueError(f"{name} {value!r} is not one of {', '.join(options)}")
        check_config(self)

    @property
    def key_width(self) -> int:
        """d_k: the width of one head's queries and keys."""
        return self.d_k or self.d_model // self.heads

    @property
    def value_width(self) -> int:
        """d_v: the width of one head's values."""
        return self.d_v or self.d_model // self.heads

    @property
    def hidden_width(self) -> int:
        """d_ff: the width of the feed-forward layer."""
        return self.d_ff or 4 * self.d_model

    @property
    def stacks(self) -> tuple[str, ...]:
        """The stacks of blocks in this model, in the order in which they run."""
        return tuple(self.architecture.split("-"))

    @property
    def has_two_stacks(self) -> bool:
        """Whether a decoder reads what an encoder has read."""
        return len(self.stacks) == 2

    @property
    def ends_with_norm(self) -> bool:
        return self.norm_position == "pre" if self.final_norm is None else self.final_norm

    @property
    def gated(self) -> bool:
        """Whether the feed-forward layer multiplies its hidden numbers by a second product W_3 x."""
        return self.activation in GATED

    @property
    def adds_positions(self) -> bool:
        """Whether positions are added to the embeddings."""
        return self.positions in ADDED_POSITIONS

    @property
    def n_kv_heads(self) -> int:
        """How many heads of keys and values there are."""
        return self.kv_heads or self.heads

    def kv_head_of(self, head: int) -> int:
        """Which head of keys and values this head of queries reads; both are counted from 0."""
        return head * self.n_kv_heads // self.heads

    @property
    def turned_width(self) -> int:
        """How many numbers of a head rotary positions turn."""
        return self.rotary_width or self.key_width

    @property
    def max_layers(self) -> int:
        """How many blocks the deeper stack has."""
        return max(self.depth(stack) for stack in self.stacks)

    def first_layers(self, count: int) -> "TransformerConfig":
        """The same with at most so many blocks in each stack."""
        less = None if self.decoder_layers is None else min(count, self.decoder_layers)
        cut = self.windows[: min(count, self.depth("decoder"))]
        return replace(self, layers=min(count, self.layers), decoder_layers=less, windows=cut)

    @property
    def plain_rotary(self) -> bool:
        """Whether rotary positions turn all numbers of a head, in adjacent pairs, by angles that nothing scales."""
        return self.rotary_pairs == "adjacent" and self.rotary_scaling is None and self.turned_width == self.key_width

    def depth(self, stack: str) -> int:
        """How many blocks the "encoder" or the "decoder" has."""
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
    """A config from its fields as JSON holds them: lists for tuples, an object for a record.

    TypeError and ValueError where they are no config's.
    """
    fields = dict(values)
    if "windows" in fields:
        fields["windows"] = tuple(fields["windows"])
    if fields.get("rotary_scaling") is not None:
        fields["rotary_scaling"] = RotaryScaling(**fields["rotary_scaling"])
    return TransformerConfig(**fields)
