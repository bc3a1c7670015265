"""The one frozen record of plain numbers that says what a transformer is.

It is the cache key of a model and travels inside its checkpoint. Two equal configs build bit-equal models.
"""

from dataclasses import dataclass
from math import inf

ARCHITECTURES = ("encoder", "decoder", "encoder-decoder")
ACTIVATIONS = ("relu", "gelu", "swiglu")
NORM_POSITIONS = ("post", "pre", "none")
NORMS = ("layernorm", "rmsnorm")
POSITIONS = ("none", "binary", "sinusoidal", "learned", "rotary", "alibi")
SCORES = ("dot", "scaled_dot", "general", "additive")


@dataclass(frozen=True)
class TransformerConfig:
    """Sizes and choices of one transformer (Vaswani et al. 2017, with the variants that followed).

    d_k and d_v are the widths of one head's queries/keys and values; None means d_model / heads. d_ff of None
    means 4 · d_model. `final_norm`: whether a last norm follows the blocks, in whatever position theirs stand;
    None means only where blocks normalise first ("pre").
    `position_base` is the base of the wave lengths of sinusoidal and rotary positions (10,000 in the paper).
    `max_length` bounds the text and sizes the table of learned positions.

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

    def __post_init__(self) -> None:
        _check_choices(self)
        _check_sizes(self)
        _check_positions(self)

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
    def ends_with_norm(self) -> bool:
        return self.norm_position == "pre" if self.final_norm is None else self.final_norm


def _check_choices(config: TransformerConfig) -> None:
    choices = {
        "architecture": ARCHITECTURES,
        "activation": ACTIVATIONS,
        "norm_position": NORM_POSITIONS,
        "norm": NORMS,
        "positions": POSITIONS,
        "score": SCORES,
    }
    for name, options in choices.items():
        value = getattr(config, name)
        if value not in options:
            raise ValueError(f"{name} {value!r} is not one of {', '.join(options)}")


def _check_sizes(config: TransformerConfig) -> None:
    for name in ("vocab_size", "d_model", "heads", "layers", "d_k", "d_v", "d_ff", "max_length"):
        value = getattr(config, name)
        if value is not None and value < 1:
            raise ValueError(f"{name} must be at least 1, not {value}")
    if (config.d_k is None or config.d_v is None) and config.d_model % config.heads:
        lower = config.d_model - config.d_model % config.heads
        near = " or ".join(str(n) for n in (lower, lower + config.heads) if n)
        raise ValueError(
            f"d_model {config.d_model} is not divisible by {config.heads} heads: "
            f"take d_model {near}, or set d_k and d_v yourself"
        )
    if not 0 <= config.dropout < 1:
        raise ValueError(f"dropout must be at least 0 and below 1, not {config.dropout}")


def _check_positions(config: TransformerConfig) -> None:
    if not 1 < config.position_base < inf:
        raise ValueError(f"position_base must be above 1 and finite, not {config.position_base}")
    if config.positions == "rotary" and config.key_width % 2:
        raise ValueError(f"rotary positions turn pairs of numbers, so d_k must be even, not {config.key_width}")
    bits = (config.max_length - 1).bit_length()
    if config.positions == "binary" and config.d_model < bits:
        raise ValueError(
            f"binary positions up to {config.max_length} need {bits} bits, but d_model is only {config.d_model}"
        )
