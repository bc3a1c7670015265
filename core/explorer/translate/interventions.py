"""What a visitor may force on a translation, in plain words."""

from collections.abc import Sequence

from core.explorer.generation.records import Intervention
from core.model.config import TransformerConfig
from core.tracing.edits import ablate_head, force_row

REACHES = ("this head", "layer", "all")


def force_attention(
    config: TransformerConfig, row: int, source: int, length: int, layer: int, head: int, reach: str
) -> Intervention:
    """Cross-attention of decoder row `row` on source token `source` of `length` alone: by one head, by a layer's heads,
    or by all. ValueError for another reach and for a source token that is not there."""
    if reach not in REACHES:
        raise ValueError(f"attention is forced in {', '.join(REACHES)}, not in {reach!r}")
    if not 0 <= source < length:
        raise ValueError(f"source token {source} cannot be looked at: there are {length}")
    weights = tuple(float(n == source) for n in range(length))
    layers = range(config.layers) if reach == "all" else (layer,)
    heads = (head,) if reach == "this head" else range(config.heads)
    return Intervention(tuple(force_row(n, h, row, weights, "decoder", cross=True) for n in layers for h in heads))


def ablate_heads(layer: int, heads: Sequence[int], stack: str = "decoder", cross: bool = True) -> Intervention:
    """These heads of one attention add nothing, at every step."""
    return Intervention(tuple(ablate_head(layer, head, stack, cross) for head in heads))
