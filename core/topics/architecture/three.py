"""Encoder, decoder and encoder-decoder of the same sizes, as small drawings.

Their rows match: a part that one has and another lacks is at the same height in each.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from core.analysis.model_sizes import config_sizes
from core.model.config import ARCHITECTURES, TransformerConfig
from core.topics.architecture.analysis.parts import PartCount, model_parts
from core.topics.architecture.drawn import ANSWER, SUMMED_PARTS, tied_lines
from core.topics.architecture.plan import Box, DrawingPlan, Edge, Pile, Rank
from core.topics.architecture.readings.drawing import (
    ABOUT,
    NO_CROSS,
    NO_FEED_FORWARD,
    NO_UNEMBEDDING,
    SEES,
    tell_part,
    title_part,
)
from core.topics.architecture.whole import WholeModel

BLOCK_PARTS = ("self-attention", "cross-attention", "feed-forward")


@dataclass(frozen=True)
class Outlined:
    """One of the three architectures.

    plan: a drawing of one layer, and the number of layers.
    parameters: the number of parameters of the whole model.
    by_kind: the parameters by kind of part.
    """

    architecture: str
    plan: DrawingPlan
    parameters: int
    by_kind: Mapping[str, int]


def three_models(model: WholeModel) -> tuple[Outlined, ...]:
    """Return the three architectures with the sizes of a run's model."""
    source, target = model.source or model.target, model.target or model.source
    outlines = []
    for architecture in ARCHITECTURES:
        config = _as(model.run.config, architecture)
        parts = model_parts(config, source, target)
        by_kind: dict[str, int] = {}
        for part in parts:
            by_kind[part.kind] = by_kind.get(part.kind, 0) + part.parameters
        outlines.append(Outlined(architecture, _outline(config, parts), sum(by_kind.values()), by_kind))
    return tuple(outlines)


def _as(config: TransformerConfig, architecture: str) -> TransformerConfig:
    """Return the same sizes in another architecture, without options that only the original one can have."""
    if architecture == config.architecture:
        return config
    without: dict[str, Any] = {"decoder_layers": None, "windows": (), "parallel_residual": False}
    return replace(config, architecture=architecture, masked_head=False, output_bias=False, **without)


def _outline(config: TransformerConfig, parts: Sequence[PartCount]) -> DrawingPlan:
    piles = [_pile(config, stack, [part for part in parts if part.stack == stack]) for stack in config.stacks]
    edges: list[Edge] = []
    for pile in piles:
        keys = [box.key for box in pile.boxes if box.kind != "gap"]
        edges += [Edge(source, target, "stream") for source, target in pairwise(keys)]
    if len(piles) == 2:
        end = next(edge.target for edge in reversed(edges) if edge.target.startswith("encoder"))
        edges.append(Edge(end, "decoder.0.cross", "memory"))
    return DrawingPlan(tuple(piles), (*edges, *tied_lines(config_sizes(config))))


def _pile(config: TransformerConfig, stack: str, parts: Sequence[PartCount]) -> Pile:
    """Return one stack, with a dashed gap for each part that it lacks and another stack has."""
    outside = {part.kind: _box(config, part) for part in parts if part.layer is None}  # of the norms, the last one
    start = [_box(config, part) for part in parts if part.kind in SUMMED_PARTS or part.key == f"{stack}.norm_embed"]
    ranks = [Rank((Box(f"{stack}.tokens", "text", "tokens", "", 0, ABOUT["tokens"]),))]
    ranks += [Rank((box,)) for box in start]
    layer = [part for part in parts if part.layer == 0]
    count = f"{config.depth(stack)} layer{'s, each' if config.depth(stack) > 1 else ''}"
    frame = Box(f"{stack}.0", "layer", count, "", sum(part.parameters for part in layer), ABOUT["layers"])
    ranks += [Rank((box,), frame, box.kind == "gap") for box in _inside(config, stack, layer)]
    last = [outside["norm"]] if config.ends_with_norm else []
    if stack == "decoder":
        last += [outside["unembedding"], Box(ANSWER, ANSWER, "next token", "", 0, ABOUT["next"])]
    else:
        last += [outside["masked head"]] if "masked head" in outside else []
        last.append(Box("gap.unembedding", "gap", "no unembedding", NO_UNEMBEDDING[0], 0, NO_UNEMBEDDING[1]))
        if not config.has_two_stacks:
            last.append(Box(ANSWER, ANSWER, "one row a token", "", 0, ABOUT["rows"]))
    ranks += [Rank((box,), branch=box.kind == "gap") for box in last]
    return Pile(stack, stack.capitalize(), tuple(ranks))


def _inside(config: TransformerConfig, stack: str, parts: Sequence[PartCount]) -> Iterator[Box]:
    """Yield the parts of one layer, with its norms in one box."""
    by_kind = {part.kind: part for part in parts}
    gaps = {"cross-attention": ("cross", *NO_CROSS[stack]), "feed-forward": ("ffn", *NO_FEED_FORWARD)}
    for kind in BLOCK_PARTS:
        if kind in by_kind:
            yield _box(config, by_kind[kind])
        else:
            name, note, about = gaps[kind]
            yield Box(f"gap.{stack}.{name}", "gap", f"no {kind}", note, 0, about)
    norms = [part for part in parts if part.kind == "norm"]
    if norms:
        count = sum(part.parameters for part in norms)
        yield Box(f"{stack}.0.norms", "norm", f"{len(norms)} norms", "", count, tell_part("norm", config.norm, False))


def _box(config: TransformerConfig, part: PartCount) -> Box:
    kind = part.kind
    title = title_part(kind, config.norm, config.positions, False)
    title = {"positions": "positions", "norm": "norm" if part.key.endswith("norm_embed") else "last norm"}.get(
        kind, title
    )
    note = SEES[part.stack] if kind == "self-attention" else SEES["cross"] if kind == "cross-attention" else ""
    return Box(part.key, kind, title, note, part.parameters, tell_part(kind, config.norm, part.shared))
