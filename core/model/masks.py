"""Attention masks. Boolean, rows are queries, columns are keys, True = may attend; joined by "and".

Nothing else in the project makes a mask.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import reduce

import torch
from torch import Tensor

MASKS = ("causal", "padding", "sliding_window", "prefix", "block", "custom")


def unmasked(queries: int, keys: int, device: torch.device | None = None) -> Tensor:
    """(Q, K): every query may attend to every key. So nothing is masked where causal would be the default."""
    return torch.ones(queries, keys, dtype=torch.bool, device=device)


def causal(queries: int, keys: int, device: torch.device | None = None) -> Tensor:
    """(Q, K): query i may attend to keys 0…i. With more keys than queries the queries are the last ones."""
    return unmasked(queries, keys, device).tril(keys - queries)


def attends_ahead(mask: Tensor) -> bool:
    """Whether any query of a mask (…, L, L) may attend to a key after its own position."""
    return bool(mask.triu(1).any())


def padding(lengths: Sequence[int], keys: int) -> Tensor:
    """(B, 1, 1, K): text b may attend to its own first `lengths[b]` keys, never to the padding behind them."""
    return key_padding_mask(torch.arange(keys) < torch.tensor(list(lengths))[:, None])


def key_padding_mask(real: Tensor) -> Tensor:
    """(B, 1, 1, K): every query of text b may attend to the keys that are tokens, True in `real` (B, K)."""
    return real[:, None, None, :]


def hidden_keys(keys: int, hidden: Collection[int]) -> Tensor:
    """(1, 1, 1, K): no query may attend to these keys."""
    mask = torch.ones(keys, dtype=torch.bool)
    mask[list(hidden)] = False
    return mask[None, None, None]


def sliding_window(queries: int, keys: int, width: int) -> Tensor:
    """(Q, K): keys at most `width` positions away, on either side (Longformer, Beltagy et al. 2020, figure 2b)."""
    if width < 0:
        raise ValueError(f"a sliding window reaches 0 positions or more, not {width}")
    return (_positions(queries, keys) - torch.arange(keys)).abs() <= width


def windowed(
    mask: Tensor | None, queries: int, keys: int, width: int, device: torch.device | None = None
) -> Tensor | None:
    """The mask without the keys that stand `width` positions or more before the query (Jiang et al. 2023); 0: as it is.

    None stays None where every key is near enough.
    """
    if not 0 < width < keys:
        return mask
    near = unmasked(queries, keys, device).triu(keys - queries - width + 1)
    return combine(mask, near)


def prefix(queries: int, keys: int, length: int) -> Tensor:
    """(Q, K): every query sees the first `length` keys; what follows is causal (T5, Raffel et al. 2020, figure 4)."""
    if length < 0:
        raise ValueError(f"a prefix has 0 tokens or more, not {length}")
    return causal(queries, keys) | (torch.arange(keys) < length)


def block(queries: int, keys: int, size: int) -> Tensor:
    """(Q, K): attention only inside consecutive blocks of `size` tokens."""
    if size < 1:
        raise ValueError(f"a block holds at least 1 token, not {size}")
    return _positions(queries, keys) // size == torch.arange(keys) // size


def custom(queries: int, keys: int, blocked: Sequence[tuple[int, int]]) -> Tensor:
    """(Q, K): everything but the named (query, key) cells."""
    mask = unmasked(queries, keys)
    for query, key in blocked:
        if not (0 <= query < queries and 0 <= key < keys):
            raise ValueError(f"cell ({query}, {key}) lies outside a mask of {queries} queries and {keys} keys")
        mask[query, key] = False
    return mask


def combine(*masks: Tensor | None) -> Tensor | None:
    """The masks joined by "and"; None where none of them restricts anything."""
    present = [mask for mask in masks if mask is not None]
    return reduce(torch.logical_and, present) if present else None


@dataclass(frozen=True)
class MaskSpec:
    """Which masks apply, in plain values: a cache key and the words of a URL."""

    kinds: tuple[str, ...] = ()
    window: int = 2
    prefix: int = 3
    block: int = 4
    blocked: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in MASKS:
                raise ValueError(f"mask {kind!r} is not one of {', '.join(MASKS)}")

    def build(self, queries: int, keys: int, lengths: Sequence[int] | None = None) -> Tensor | None:
        """The mask for Q queries and K keys, broadcastable to (B, H, Q, K), or None when nothing is masked.

        lengths: the number of real tokens of each text, used by "padding".
        """
        makers = {
            "causal": lambda: causal(queries, keys),
            "padding": lambda: None if lengths is None else padding(lengths, keys),
            "sliding_window": lambda: sliding_window(queries, keys, self.window),
            "prefix": lambda: prefix(queries, keys, self.prefix),
            "block": lambda: block(queries, keys, self.block),
            "custom": lambda: custom(queries, keys, self.blocked),
        }
        return combine(*(makers[kind]() for kind in self.kinds))

    def explicit(self, queries: int, keys: int, lengths: Sequence[int] | None = None) -> Tensor:
        """The mask as `build` makes it, all True (Q, K) when nothing is masked."""
        built = self.build(queries, keys, lengths)
        return unmasked(queries, keys) if built is None else built


def _positions(queries: int, keys: int) -> Tensor:
    """(Q, 1) positions of the queries among the keys, the last query standing at the last key."""
    return torch.arange(keys - queries, keys)[:, None]
