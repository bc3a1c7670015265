"""What a visitor may force on a translation: where it looks, what it cannot see, which heads are silent."""

from core.explorer.generation.records import Intervention
from core.model.config import TransformerConfig
from core.tracing.edits import ablate_head, force_row

REACHES = ("this head", "layer", "all")
FORCES = ("attention", "hide a word", "silence heads")


def force_attention(
    config: TransformerConfig, row: int, source: int, length: int, layer: int, head: int, reach: str
) -> Intervention:
    """Cross-attention of decoder row `row` on source token `source` of `length` alone: by one head, by a layer's heads,
    or by all. ValueError for another reach and for a source token that is not there."""
    if not 0 <= source < length:
        raise ValueError(f"source token {source} cannot be looked at: there are {length}")
    weights, heads = tuple(float(n == source) for n in range(length)), _heads(config, layer, head, reach)
    return Intervention(tuple(force_row(n, h, row, weights, "decoder", cross=True) for n, h in heads))


def ablate_heads(config: TransformerConfig, layer: int, head: int, reach: str) -> Intervention:
    """One head of cross-attention, a layer's heads or all add nothing, at every step. ValueError for another reach."""
    heads = _heads(config, layer, head, reach)
    return Intervention(tuple(ablate_head(n, h, "decoder", cross=True) for n, h in heads))


def hide_token(source: int) -> Intervention:
    """Nobody may attend to this token of the source."""
    return Intervention(hidden=(source,))


def intervention(
    config: TransformerConfig, what: str, row: int, source: int, length: int, layer: int, head: int, reach: str
) -> Intervention:
    """What a visitor forces, by its name. ValueError for another name, and where the verb behind it raises one."""
    match what:
        case "attention":
            return force_attention(config, row, source, length, layer, head, reach)
        case "hide a word":
            return hide_token(source)
        case "silence heads":
            return ablate_heads(config, layer, head, reach)
    raise ValueError(f"a visitor can force {', '.join(FORCES)}, not {what!r}")


def place_among(wanted: int | None, count: int) -> int:
    """The place that a visitor names among `count` tokens, counted from 0; the last where there are fewer."""
    return min(wanted or 0, max(0, count - 1))


def _heads(config: TransformerConfig, layer: int, head: int, reach: str) -> list[tuple[int, int]]:
    """(layer, head) of all that are meant."""
    if reach not in REACHES:
        raise ValueError(f"attention is changed in {', '.join(REACHES)}, not in {reach!r}")
    layers = range(config.depth("decoder")) if reach == "all" else (layer,)
    heads = (head,) if reach == "this head" else range(config.heads)
    return [(n, h) for n in layers for h in heads]
