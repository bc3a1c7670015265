"""The cost of reading new tokens, term by term, with and without a cache of keys and values, and the cache's size.

An operation is one multiplication and one addition of a matrix product. Norms, activations and the softmax, which are
not matrix products, are left out: they grow with the tokens as the rest does and are far smaller.
"""

from dataclasses import dataclass

from core.analysis.costs import BYTES
from core.analysis.model_sizes import Sizes, config_sizes
from core.model.config import TransformerConfig
from core.model.transformer import parameter_count


@dataclass(frozen=True)
class Reading:
    """One pass of a decoder: `new` rows are computed, and their queries meet `length` keys.

    source: the tokens of the encoder's text, 0 without an encoder.
    crossed: whether the keys and values of these tokens are computed in this pass.

    The encoder itself is not part of it. Raises ValueError unless 0 < new ≤ length.
    """

    new: int
    length: int
    source: int = 0
    crossed: bool = True

    def __post_init__(self) -> None:
        if not 0 < self.new <= self.length:
            raise ValueError(f"a pass computes 1 to {self.length} of {self.length} rows, not {self.new}")


def without_cache(length: int, source: int = 0) -> Reading:
    """Return the pass that computes everything again for the newest token."""
    return Reading(length, length, source)


def with_cache(length: int, source: int = 0, start: int = 1) -> Reading:
    """Return the pass that computes only the newest row.

    The first pass reads the `start` tokens that the text begins with.
    """
    first = length <= start
    return Reading(length if first else 1, length, source, crossed=first)


def operations(config: TransformerConfig, reading: Reading) -> dict[str, int]:
    """Return the multiply-adds of one pass over all layers, by term; logits are those of the last row alone."""
    new, width, layers, sizes = reading.new, config.d_model, config.depth("decoder"), config_sizes(config)
    keys, values = config.heads * config.key_width, config.heads * config.value_width
    kv_width = config.n_kv_heads * (config.key_width + config.value_width)
    wide = 2 + config.gated
    terms = {
        "queries": new * width * keys,
        "keys and values": new * width * kv_width,
        "scores": score_operations(sizes, new, reading.length),
        "mixing values": new * reading.length * values,
        "output W_O": new * values * width,
    }
    if reading.source:
        read = reading.source if reading.crossed else 0
        terms["cross: queries and W_O"] = new * width * (keys + values)
        terms["cross: keys and values"] = read * width * kv_width
        terms["cross: scores and mixing"] = score_operations(sizes, new, reading.source) + new * reading.source * values
    terms["feed-forward"] = wide * new * width * config.hidden_width
    return {name: layers * count for name, count in terms.items()} | {"logits": width * config.vocab_size}


def total(config: TransformerConfig, reading: Reading) -> int:
    """Return all multiply-adds of one pass."""
    return sum(operations(config, reading).values())


def cache_bytes(config: TransformerConfig, length: int, source: int = 0, batch: int = 1, dtype: str = "float32") -> int:
    """Return the bytes of the cached keys and values, for each token of the text and of the source."""
    return batch * kept_numbers(config_sizes(config), length, source) * BYTES[dtype]


def kept_numbers(sizes: Sizes, length: int, source: int = 0) -> int:
    """Return how many numbers the cached keys and values of one text have.

    N · G · (E_k + E_v) for each token of the text that a query may still meet, and for each token of the source;
    G: heads of keys and values.
    """
    row = sizes.depth("decoder") * sizes.kv_heads * (sizes.key_width + sizes.value_width)
    return row * (sizes.keys(length) + source)


def weight_bytes(config: TransformerConfig, dtype: str = "float32") -> int:
    """Return the bytes of the model's own weights."""
    return parameter_count(config) * BYTES[dtype]


def score_operations(sizes: Sizes, queries: int, keys: int) -> int:
    """Return the multiply-adds of one layer's scores: q · k for each pair.

    "general" also multiplies queries by W, and "additive" queries by W and keys by U.
    """
    pairs, square = sizes.heads * queries * keys * sizes.key_width, sizes.heads * sizes.key_width**2
    turned = {"general": queries, "additive": queries + keys}.get(sizes.score, 0)
    return pairs + turned * square
