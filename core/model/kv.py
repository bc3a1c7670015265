"""The KV cache: the keys and values of the tokens a decoder has read, so that they are not computed again.

A cache belongs to one text (or one batch of texts) that is being written; nothing of it is stored on the model.
Shapes: B texts, G key-value heads, C capacity, E d_k or d_v of one head.
"""

from dataclasses import dataclass, field

from torch import Tensor

from core.model.attention_positions import RotaryAngles
from core.model.config import TransformerConfig


@dataclass(eq=False)
class LayerKV:
    """The keys and values of one self-attention, in buffers (B, G, C, E) whose first `length` rows are filled."""

    k: Tensor
    v: Tensor
    length: int = 0

    def extend(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Append the new rows (B, G, L, E) and return all rows so far, without copying the old ones."""
        end = self.length + k.shape[2]
        self.k.narrow(2, self.length, k.shape[2]).copy_(k)
        self.v.narrow(2, self.length, v.shape[2]).copy_(v)
        self.length = end
        return self.k.narrow(2, 0, end), self.v.narrow(2, 0, end)


@dataclass(eq=False)
class CrossKV:
    """The keys and values (B, G, S, E) of one cross-attention.

    They are computed at the first token and stay the same for all later ones.
    """

    k: Tensor | None = None
    v: Tensor | None = None

    def extend(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Store the keys and values of the whole source, and return them."""
        self.k, self.v = k, v
        return k, v


@dataclass(eq=False)
class KVCache:
    """The cached keys and values of all layers of one decoder; make it with `Transformer.cache`.

    source: the encoder's ids (B, S), once they are known.
    memory: the encoder's output (B, S, D), once it is known.
    table: the positions (C, D) that are added to the embeddings; None if there are none.
    turns: cos and sin (C, W/2) of the rotary angles; None without rotary positions.
    """

    layers: list[LayerKV]
    cross: list[CrossKV]
    capacity: int
    table: Tensor | None = None
    turns: tuple[Tensor, Tensor] | None = None
    source: Tensor | None = field(default=None, repr=False)
    memory: Tensor | None = field(default=None, repr=False)

    @property
    def batch(self) -> int:
        """The number of texts that are read at once."""
        return self.layers[0].k.shape[0]

    @property
    def length(self) -> int:
        """The number of tokens read so far."""
        return self.layers[0].length

    @property
    def bytes(self) -> int:
        """The number of bytes that the filled rows take, including those of cross-attention."""
        self_bytes = sum(
            part[:, :, : layer.length].numel() * part.element_size()
            for layer in self.layers
            for part in (layer.k, layer.v)
        )
        parts = (part for cross in self.cross for part in (cross.k, cross.v) if part is not None)
        return self_bytes + sum(part.numel() * part.element_size() for part in parts)

    def check_source(self, source: Tensor | None) -> None:
        """Raise ValueError if the ids `source` (B, S) differ from those that the cache read first.

        Nothing is checked if either is None.
        """
        if source is not None and self.source is not None and not source.equal(self.source):
            raise ValueError("this cache has read another source; take a new one")

    def take(self, ids: Tensor, memory: Tensor | None) -> None:
        """Check that the next tokens fit into this cache, and store the encoder's output that they attend to.

        ids: the tokens (B, L) to be read.
        memory: the encoder's output (B, S, D), or None.

        Raises ValueError for a batch of another size, for more tokens than there is room for, and for a memory that
        differs from the stored one.
        """
        if ids.shape[0] != self.batch:
            raise ValueError(f"a batch of {ids.shape[0]} does not fit a cache for {self.batch}")
        if (length := self.length + ids.shape[1]) > self.capacity:
            raise ValueError(f"{length} tokens are more than the cache's capacity of {self.capacity}")
        if self.memory is None:
            self.memory = memory
        elif memory is not None and memory is not self.memory and not memory.equal(self.memory):
            raise ValueError("this cache has read another source; take a new one")

    def select(self, rows: Tensor) -> None:
        """Keep only the texts `rows`, in this order; a text may occur more than once (the beams of a search)."""
        for layer in self.layers:
            layer.k, layer.v = (_selected(part, rows, layer.length) for part in (layer.k, layer.v))
        for cross in self.cross:
            if cross.k is not None and cross.v is not None:
                cross.k, cross.v = cross.k[rows], cross.v[rows]
        if self.source is not None:
            self.source = self.source[rows]
        if self.memory is not None:
            self.memory = self.memory[rows]

    def truncate(self, length: int) -> None:
        """Go back to the first `length` tokens.

        Raises ValueError if fewer tokens have been read, or `length` is negative.
        """
        if not 0 <= length <= self.length:
            raise ValueError(f"{self.length} tokens have been read; the cache cannot go back to {length}")
        for layer in self.layers:
            layer.length = length


def _selected(buffer: Tensor, rows: Tensor, length: int) -> Tensor:
    """Return these rows of a buffer (B, G, C, E), copying only the first `length` positions of each text."""
    fresh = buffer.new_empty(len(rows), *buffer.shape[1:])
    fresh[:, :, :length] = buffer[:, :, :length][rows]
    return fresh


def make_cache(
    config: TransformerConfig, batch: int, capacity: int, like: Tensor, table: Tensor | None = None
) -> KVCache:
    """Return an empty cache for `batch` texts of at most `capacity` tokens.

    like: a tensor whose number format and device the cache takes.
    table: the positions that are added to the embeddings, if any; the cache keeps `capacity` rows of it.
    """

    def buffer(width: int) -> Tensor:
        return like.new_empty(batch, config.n_kv_heads, capacity, width)

    depth = config.depth("decoder")
    layers = [LayerKV(buffer(config.key_width), buffer(config.value_width)) for _ in range(depth)]
    cross = [CrossKV() for _ in range(depth if config.architecture == "encoder-decoder" else 0)]
    turns = RotaryAngles(config)(0, capacity, like).turns if config.positions == "rotary" else None
    return KVCache(layers, cross, capacity, None if table is None else table[:capacity].to(like), turns)
