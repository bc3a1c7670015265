"""Attention masks: boolean tensors with a row per query and a column per key, True = may attend.

Masks are combined by "and". All masks of the project's transformers are made here. A new kind of mask is one class; if
it is in `MASKS`, it is offered on screen.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import reduce
from typing import Any

import torch
from torch import Tensor


def unmasked(queries: int, keys: int, device: torch.device | None = None) -> Tensor:
    """Return the mask (Q, K) in which every query may attend to every key.

    It turns masking off where causal would be the default.
    """
    return torch.ones(queries, keys, dtype=torch.bool, device=device)


def causal(queries: int, keys: int, device: torch.device | None = None) -> Tensor:
    """Return the causal mask (Q, K), in which query i may attend to keys 0…i.

    If there are more keys than queries, the queries are the last positions.

    >>> causal(2, 3).int()
    tensor([[1, 1, 0],
            [1, 1, 1]], dtype=torch.int32)
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


def combine(*masks: Tensor | None) -> Tensor | None:
    """Return the masks joined by "and", or None if none of them restricts anything."""
    present = [mask for mask in masks if mask is not None]
    return reduce(torch.logical_and, present) if present else None


def size(default: int, help: str, min_value: int = 0, below_length: int = 0) -> Any:
    """Return a field of a mask that a visitor can set; the setting has the field's name.

    help: a sentence that explains it.
    min_value: the smallest value. A mask with a smaller one raises ValueError.
    below_length: by how much the largest value of the setting is smaller than the number of tokens of the longest text.
    """
    return field(default=default, metadata={"help": help, "min_value": min_value, "below_length": below_length})


@dataclass(frozen=True)
class Mask(ABC):
    """A rule that says which keys each query may attend to.

    Each kind of mask is a frozen dataclass, so that it can be part of a cache key and be printed as Python code.
    """

    def __post_init__(self) -> None:
        for each in fields(self):
            value, min_value = getattr(self, each.name), each.metadata.get("min_value")
            if min_value is not None and value < min_value:
                raise ValueError(f"{self.name()}: {each.name} must be at least {min_value}, not {value}")

    @classmethod
    def name(cls) -> str:
        """Return the name on screen, made from that of the class: "sliding window" from `SlidingWindowMask`."""
        return re.sub("(?<!^)(?=[A-Z])", " ", cls.__name__.removesuffix("Mask")).lower()

    @property
    def label(self) -> str:
        """The name and the sizes: "sliding window 2"."""
        return " ".join([self.name(), *map(str, vars(self).values())])

    @abstractmethod
    def build(self, queries: int, keys: int, lengths: Sequence[int] | None = None) -> Tensor | None:
        """Return the mask for Q queries and K keys, broadcastable to (B, H, Q, K), or None if nothing is masked.

        If there are more keys than queries, the queries are the last positions.

        lengths: the number of real tokens of each text; None if no text is padded.
        """


@dataclass(frozen=True)
class CausalMask(Mask):
    """Query i may attend to keys 0…i."""

    def build(self, queries: int, keys: int, lengths: Sequence[int] | None = None) -> Tensor:
        return causal(queries, keys)


@dataclass(frozen=True)
class PaddingMask(Mask):
    """No query may attend to padding tokens."""

    def build(self, queries: int, keys: int, lengths: Sequence[int] | None = None) -> Tensor | None:
        return None if lengths is None else padding(lengths, keys)


@dataclass(frozen=True)
class SlidingWindowMask(Mask):
    """A query may attend to keys at most `window` positions away (Longformer, Beltagy et al. 2020, figure 2b)."""

    window: int = size(2, "How many tokens are seen on each side.", below_length=1)

    def build(self, queries: int, keys: int, lengths: Sequence[int] | None = None) -> Tensor:
        return (_positions(queries, keys) - torch.arange(keys)).abs() <= self.window


@dataclass(frozen=True)
class PrefixMask(Mask):
    """Every query may attend to the first `prefix` keys; the rest is causal (T5, Raffel et al. 2020, figure 4)."""

    prefix: int = size(3, "How many first tokens everyone sees; the rest is causal.")

    def build(self, queries: int, keys: int, lengths: Sequence[int] | None = None) -> Tensor:
        return causal(queries, keys) | (torch.arange(keys) < self.prefix)


@dataclass(frozen=True)
class BlockMask(Mask):
    """Attention stays inside consecutive blocks of `block` tokens."""

    block: int = size(4, "The text is cut into blocks of so many tokens; each sees its own.", min_value=1)

    def build(self, queries: int, keys: int, lengths: Sequence[int] | None = None) -> Tensor:
        return _positions(queries, keys) // self.block == torch.arange(keys) // self.block


# Those that a visitor can choose.
MASKS: tuple[type[Mask], ...] = (CausalMask, PaddingMask, SlidingWindowMask, PrefixMask, BlockMask)


def build_mask(masks: Iterable[Mask], queries: int, keys: int, lengths: Sequence[int] | None = None) -> Tensor | None:
    """Return several masks joined by "and", or None if nothing is masked. Arguments as for `Mask.build`."""
    return combine(*(mask.build(queries, keys, lengths) for mask in masks))


def explicit_mask(masks: Iterable[Mask], queries: int, keys: int, lengths: Sequence[int] | None = None) -> Tensor:
    """Return the mask of `build_mask`, or an all-True mask (Q, K) if nothing is masked."""
    built = build_mask(masks, queries, keys, lengths)
    return unmasked(queries, keys) if built is None else built


def without_padding(masks: Iterable[Mask]) -> tuple[Mask, ...]:
    """Return the masks that hide more than padding tokens."""
    return tuple(mask for mask in masks if not isinstance(mask, PaddingMask))


def _positions(queries: int, keys: int) -> Tensor:
    """Return the positions (Q, 1) of the queries, counted among the keys, if the last query is at the last key."""
    return torch.arange(keys - queries, keys)[:, None]
