"""Changes that a visitor can force on a translation: attention, hidden source tokens and silent heads."""

from core.model.config import TransformerConfig
from core.topics.generate.records import Intervention
from core.tracing.edits import ablate_head, force_row

REACHES = ("this head", "layer", "all")
FORCES = ("attention", "hide a word", "silence heads")


def force_attention(
    config: TransformerConfig, row: int, source: int, length: int, layer: int, head: int, reach: str
) -> Intervention:
    """Force the cross-attention of decoder row `row` onto source token `source` of `length` alone.

    reach: whether this applies to one head, a layer's heads or all heads, one of REACHES.
    Raises ValueError for another reach, and for a source token that does not exist.
    """
    if not 0 <= source < length:
        raise ValueError(f"source token {source} cannot be looked at: there are {length}")
    weights, heads = tuple(float(n == source) for n in range(length)), _heads(config, layer, head, reach)
    return Intervention(tuple(force_row(config, n, h, row, weights, cross=True) for n, h in heads))


def ablate_heads(config: TransformerConfig, layer: int, head: int, reach: str) -> Intervention:
    """Silence one head of cross-attention, a layer's heads or all heads, at every step.

    Raises ValueError for another reach.
    """
    heads = _heads(config, layer, head, reach)
    return Intervention(tuple(ablate_head(config, n, h, cross=True) for n, h in heads))


def hide_token(source: int) -> Intervention:
    """Hide this token of the source from all attention."""
    return Intervention(hidden=(source,))


def intervention(
    config: TransformerConfig, what: str, row: int, source: int, length: int, layer: int, head: int, reach: str
) -> Intervention:
    """Return the intervention of this name, one of FORCES.

    Raises ValueError for another name, and in the cases in which the function for this name does.
    """
    match what:
        case "attention":
            return force_attention(config, row, source, length, layer, head, reach)
        case "hide a word":
            return hide_token(source)
        case "silence heads":
            return ablate_heads(config, layer, head, reach)
    raise ValueError(f"a visitor can force {', '.join(FORCES)}, not {what!r}")


def place_among(wanted: int | None, count: int) -> int:
    """Return the position that a visitor named among `count` tokens, from 0; the last one if there are fewer."""
    return min(wanted or 0, max(0, count - 1))


def _heads(config: TransformerConfig, layer: int, head: int, reach: str) -> list[tuple[int, int]]:
    """Return (layer, head) of every head to which an intervention with this reach, one of REACHES, applies."""
    if reach not in REACHES:
        raise ValueError(f"attention is changed in {', '.join(REACHES)}, not in {reach!r}")
    layers = range(config.depth("decoder")) if reach == "all" else (layer,)
    heads = (head,) if reach == "this head" else range(config.heads)
    return [(n, h) for n in layers for h in heads]
