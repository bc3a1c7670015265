"""The sizes that determine parameters, operations and memory, for models here and models made elsewhere."""

from dataclasses import dataclass

from core.model.config import ADDED_POSITIONS, GATED, TransformerConfig


@dataclass(frozen=True)
class Sizes:
    """The sizes that are needed to count a transformer.

    stacks: "encoder", "decoder" or both.
    kv_heads: heads of keys and values, each shared by heads / kv_heads heads of queries (grouped-query attention,
        Ainslie et al. 2023).
    table: rows of learned positions.
    buckets: the number of buckets of relative positions, 0 without them.
    pooler: whether there is one, as in BERT (Devlin et al. 2019).
    classes: the number of classes of a classifier's last layer, 0 without one.
    window: the most keys that a query meets; None for all.

    The other fields are those of `TransformerConfig`.
    """

    stacks: tuple[str, ...]
    vocab_size: int
    d_model: int
    layers: int
    heads: int
    kv_heads: int
    key_width: int
    value_width: int
    hidden: int
    activation: str = "relu"
    decoder_layers: int | None = None
    qkv_bias: bool = True
    out_bias: bool = True
    ffn_bias: bool = True
    norm_bias: bool = True
    qk_norm: bool = False
    sink_logits: bool = False
    norm: str = "layernorm"
    norm_position: str = "post"
    final_norm: bool = False
    positions: str = "sinusoidal"
    table: int = 0
    buckets: int = 0
    score: str = "scaled_dot"
    tied: bool = True
    dropout: float = 0.0
    token_types: int = 0
    embedding_norm: bool = False
    masked_head: bool = False
    output_bias: bool = False
    pooler: bool = False
    classes: int = 0
    window: int | None = None

    @property
    def gated(self) -> bool:
        """Whether the feed-forward layer has a third matrix, W_3."""
        return self.activation in GATED

    @property
    def added(self) -> bool:
        """Whether positions are added to the embeddings."""
        return self.positions in ADDED_POSITIONS

    def depth(self, stack: str) -> int:
        """Return the number of blocks in a stack."""
        return self.decoder_layers or self.layers if stack == "decoder" else self.layers

    def keys(self, tokens: int) -> int:
        """Return how many of `tokens` keys a query meets."""
        return tokens if self.window is None else min(tokens, self.window)


def config_sizes(config: TransformerConfig) -> Sizes:
    """Return the sizes of a model of this project, which computes and keeps all keys, also those outside a window."""
    return Sizes(
        stacks=config.stacks,
        vocab_size=config.vocab_size,
        d_model=config.d_model,
        layers=config.layers,
        heads=config.heads,
        kv_heads=config.n_kv_heads,
        key_width=config.key_width,
        value_width=config.value_width,
        hidden=config.hidden_width,
        activation=config.activation,
        decoder_layers=config.decoder_layers,
        qkv_bias=config.qkv_bias,
        out_bias=config.out_bias,
        ffn_bias=config.ffn_bias,
        norm_bias=config.norm_bias,
        qk_norm=config.qk_norm,
        sink_logits=config.sink_logits,
        norm=config.norm,
        norm_position=config.norm_position,
        final_norm=config.ends_with_norm,
        positions=config.positions,
        table=config.max_length if config.positions == "learned" else 0,
        buckets=config.relative_buckets if config.positions == "relative" else 0,
        score=config.score,
        tied=config.tied,
        dropout=config.dropout,
        token_types=config.token_types,
        embedding_norm=config.embedding_norm,
        masked_head=config.masked_head,
        output_bias=config.output_bias,
    )
