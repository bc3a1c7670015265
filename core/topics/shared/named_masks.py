"""The masks that a visitor can choose, by their names on screen, and the settings of their sizes."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any

from core.model.masks import MASKS, CausalMask, Mask, PrefixMask

AS_BUILT_NAME, PADDING = "as built", "padding"
KINDS = {kind.name(): kind for kind in MASKS}
MASK_NAMES = tuple(KINDS)
DEFAULT_SIZES: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True)
class MaskSize:
    """A size of a mask that a visitor can set.

    mask: the name of the mask.
    key: the name of the size, as in addresses.
    help: a sentence that explains it.
    min_value, below_length: as for `core.model.masks.size`.
    """

    mask: str
    key: str
    default: int
    help: str
    min_value: int
    below_length: int


MASK_SIZES = tuple(
    MaskSize(name, each.name, getattr(kind(), each.name), **each.metadata)
    for name, kind in KINDS.items()
    for each in fields(kind)
    if each.metadata
)


def named_masks(names: Collection[str], sizes: Mapping[str, Any] = DEFAULT_SIZES) -> tuple[Mask, ...]:
    """Return the masks of these names, sorted by name, so that the same choice is the same key of a cache.

    sizes: the sizes of the masks, by their keys; others have their defaults.

    Raises ValueError for a name that no mask has.
    """
    for name in names:
        if name not in KINDS:
            raise ValueError(f"mask {name!r} is not one of {', '.join(KINDS)}")
    return tuple(_named(name, sizes) for name in sorted(set(names)))


def _named(name: str, sizes: Mapping[str, Any]) -> Mask:
    own = {size.key for size in MASK_SIZES if size.mask == name} & sizes.keys()
    return replace(KINDS[name](), **{key: sizes[key] for key in own})


def masks_of_settings(chosen: Collection[str], architecture: str, sizes: Mapping[str, Any]) -> tuple[Mask, ...]:
    """Return the masks that a visitor has chosen for a model.

    chosen: names of masks, and `AS_BUILT_NAME`: causal in a model with a decoder, unless a prefix mask is chosen too,
        which replaces it.
    sizes: as for `named_masks`.
    """
    names = {name for name in chosen if name != AS_BUILT_NAME}
    if AS_BUILT_NAME in chosen and architecture != "encoder" and PrefixMask.name() not in names:
        names.add(CausalMask.name())
    return named_masks(names, sizes)


def masks_label(masks: Collection[Mask]) -> str:
    """Return the names of masks with their sizes, "causal and sliding window 2", or "none" if there are none."""
    return " and ".join(mask.label for mask in masks) or "none"
