"""Attention masks: boolean tensors with a row per query and a column per key, True = may attend.

Masks are combined by "and". All masks of the project's transformers are made here.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import reduce

import torch
from torch import Tensor

MASKS = ("causal", "padding", "sliding_window", "prefix", "block", "custom")


def unmasked(queries: int, keys: int, device: torch.device | None = None) -> Tensor:
    """Return the mask (Q, K) in which every query may attend to every key.

    It turns masking off where causal would be the default.
    """
    return torch.ones(queries, keys, dtype=torch.bool, device=device)


def causal(queries: int, keys: int, device: torch.device | None = None) -> Tensor:
    """Return the causal mask (Q, K), in which query i may attend to keys 0…i.

    If there are more keys than queries, the queries are the last positions.
    """
    return unmasked(queries, keys, device).tril(keys - queries)


def attends_ahead(mask: Tensor) -> bool:
    """Return whether any query of a mask (…, L, L) may attend to a key after its own position."""
    return bool(mask.triu(1).any())


def padding(lengths: Sequence[int], keys: int) -> Tensor:
    """Return the mask (B, 1, 1, K) in which text b may attend only to its own first `lengths[b]` keys.

    The keys after those are padding.
    """
    return key_padding_mask(torch.arange(keys) < torch.tensor(list(lengths))[:, None])


def key_padding_mask(real: Tensor) -> Tensor:
    """Return the mask (B, 1, 1, K) in which every query of text b may attend only to that text's tokens.

    real: (B, K), True for a token, False for padding.
    """
    return real[:, None, None, :]


def hidden_keys(keys: int, hidden: Collection[int]) -> Tensor:
    """Return the mask (1, 1, 1, K) in which no query may attend to the keys in `hidden`."""
    mask = torch.ones(keys, dtype=torch.bool)
    mask[list(hidden)] = False
    return mask[None, None, None]


def sliding_window(queries: int, keys: int, width: int) -> Tensor:
    """Return the mask (Q, K) that allows keys at most `width` positions away, on either side.

    (Longformer, Beltagy et al. 2020, figure 2b.) Raises ValueError for a width below 0.
    """
    if width < 0:
        raise ValueError(f"a sliding window reaches 0 positions or more, not {width}")
    return (_positions(queries, keys) - torch.arange(keys)).abs() <= width


def windowed(
    mask: Tensor | None, queries: int, keys: int, width: int, device: torch.device | None = None
) -> Tensor | None:
    """Return the mask without the keys that are `width` positions or more before the query (Jiang et al. 2023).

    A width of 0 leaves the mask unchanged, and so does a width that reaches every key: None then stays None.
    """
    if not 0 < width < keys:
        return mask
    near = unmasked(queries, keys, device).triu(keys - queries - width + 1)
    return combine(mask, near)


def prefix(queries: int, keys: int, length: int) -> Tensor:
    """Return the mask (Q, K) in which every query sees the first `length` keys; the other keys are masked causally.

    (T5, Raffel et al. 2020, figure 4.) Raises ValueError for a length below 0.
    """
    if length < 0:
        raise ValueError(f"a prefix has 0 tokens or more, not {length}")
    return causal(queries, keys) | (torch.arange(keys) < length)


def block(queries: int, keys: int, size: int) -> Tensor:
    """Return the mask (Q, K) that allows attention only inside consecutive blocks of `size` tokens.

    Raises ValueError for a size below 1.
    """
    if size < 1:
        raise ValueError(f"a block holds at least 1 token, not {size}")
    return _positions(queries, keys) // size == torch.arange(keys) // size


def custom(queries: int, keys: int, blocked: Sequence[tuple[int, int]]) -> Tensor:
    """Return the mask (Q, K) that blocks the given (query, key) cells and no others.

    Raises ValueError for a cell outside the mask.
    """
    mask = unmasked(queries, keys)
    for query, key in blocked:
        if not (0 <= query < queries and 0 <= key < keys):
            raise ValueError(f"cell ({query}, {key}) lies outside a mask of {queries} queries and {keys} keys")
        mask[query, key] = False
    return mask


def combine(*masks: Tensor | None) -> Tensor | None:
    """Return the masks joined by "and", or None if none of them restricts anything."""
    present = [mask for mask in masks if mask is not None]
    return reduce(torch.logical_and, present) if present else None


@dataclass(frozen=True)
class MaskSpec:
    """The choice of masks in plain values, so that it can be part of a cache key and of a URL.

    kinds: the masks that apply, out of `MASKS`; the other fields are their parameters.

    Raises ValueError for an unknown kind.
    """

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
        """Return the mask for Q queries and K keys, broadcastable to (B, H, Q, K), or None if nothing is masked.

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
        """Return the mask that `build` makes, or an all-True mask (Q, K) if nothing is masked."""
        built = self.build(queries, keys, lengths)
        return unmasked(queries, keys) if built is None else built


def _positions(queries: int, keys: int) -> Tensor:
    """Return the positions (Q, 1) of the queries, counted among the keys, if the last query is at the last key."""
    return torch.arange(keys - queries, keys)[:, None]
