"""The heads of an attention that are switched off, by the short names that a page's address holds: "L1H2"."""

from collections.abc import Iterable, Sequence

from core.model.config import TransformerConfig
from core.topics.shared.places import HeadAddress
from core.tracing.edits import Edit, ablate_head

Heads = Sequence[tuple[int, int]]  # layer and head, from 0


def short_name(layer: int, head: int) -> str:
    """Return the short name of a head, counted from 1 as on screen: "L1H2" is layer 0, head 1."""
    return f"L{layer + 1}H{head + 1}"


def short_names(layers: int, heads: int) -> tuple[str, ...]:
    """Return the names of all heads of a model with this number of layers and heads."""
    return tuple(short_name(layer, head) for layer in range(layers) for head in range(heads))


def heads_named(names: Iterable[str], layers: int, heads: int) -> list[tuple[int, int]]:
    """Return the layers and heads with these names, without those that a model of this size lacks."""
    pairs = [tuple(int(number) - 1 for number in name[1:].split("H")) for name in names]
    return [(layer, head) for layer, head in pairs if layer < layers and head < heads]


def toggled(names: Sequence[str], layer: int, head: int) -> list[str]:
    """Return the names of the heads that are off after one more is switched off, or on again."""
    name = short_name(layer, head)
    return [other for other in names if other != name] if name in names else [*names, name]


def silencing(config: TransformerConfig, place: HeadAddress, heads: Heads) -> tuple[Edit, ...]:
    """Return the edits that switch these heads of the place's attention off."""
    return tuple(ablate_head(config, layer, head, place.stack, place.cross) for layer, head in sorted(heads))
