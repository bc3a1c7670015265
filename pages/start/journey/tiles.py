"""The small pictures of the journey: for each stage of a record, the tiles that show its tensors."""

from collections.abc import Sequence
from typing import Any

from core.explorer.journey.records import Journey, Stage
from core.explorer.journey.words import scaled_embedding
from core.tracing.run import Run
from pages.canvas import Tile

SHARE = {"D": 1.0, "F": 1.1, "E": 0.6, "Ev": 0.6, "L": 0.8, "Q": 0.8, "K": 0.8}
TINTS = {"q": "q", "q_rotated": "q", "k": "k", "k_rotated": "k", "v": "v"}
LETTER = {"Ev": "E"}


def entering(run: Run, journey: Journey) -> list[Tile]:
    """Embedding, positions where they are added, and what enters the first layer."""
    title = f"embedding × {scaled_embedding(run.config)}" if run.config.scale_embeddings else "embedding"
    if "pos" not in journey.stages:
        return [tile(journey, "embed", f"{title}: what enters")]
    return [
        tile(journey, "embed", title),
        tile(journey, "pos", "position", "+"),
        tile(journey, "entered", "what enters", "="),
    ]


def projecting(journey: Journey) -> list[Tile]:
    """What the head reads, and its queries, keys and values."""
    tiles = [tile(journey, "attn_in", "read")]
    if "memory" in journey.stages:
        tiles.append(tile(journey, "memory", "from the encoder", axes=("K", "D")))
    turned = "q_rotated" in journey.stages
    full = turned or "memory" in journey.stages
    tiles.append(tile(journey, "q", "Q", "" if full else "→", starts=full))
    if turned:
        tiles.append(tile(journey, "q_rotated", "Q turned", "↻"))
    tiles.append(tile(journey, "k", "K", starts=turned))
    if turned:
        tiles.append(tile(journey, "k_rotated", "K turned", "↻"))
    return [*tiles, tile(journey, "v", "V")]


def scoring(run: Run, journey: Journey) -> list[Tile]:
    """Scores, scaled where the score is, with ALiBi's penalty where it acts, masked, and turned into weights."""
    config = run.config
    scaled = "scaled" if config.score == "scaled_dot" else "not scaled"
    if config.positions == "alibi" and not journey.place.cross:
        scaled = "scaled + B" if config.score == "scaled_dot" else "scores + B"
    return [
        tile(journey, "raw_scores", "scores"),
        tile(journey, "scores", scaled, "→"),
        tile(journey, "masked_scores", "masked" if journey.hidden_pairs else "no mask", "→"),
        tile(journey, "pattern", "weights A", "→", scale="weight"),
    ]


def mixing_tiles(journey: Journey) -> list[Tile]:
    """Weights times values."""
    return [
        tile(journey, "pattern", "weights A", scale="weight"),
        tile(journey, "v", "V", "×"),
        tile(journey, "z", "mix z", "="),
    ]


def heads(journey: Journey) -> list[Tile]:
    """Every head's pattern, to be chosen from."""
    size = 0.55 if len(journey.patterns) <= 4 else 0.45
    rows, cols = _labels(journey, "Q", journey.patterns.shape[1]), _labels(journey, "K", journey.patterns.shape[2])
    return [
        Tile(
            str(number),
            f"head {number + 1}" if len(journey.patterns) <= 4 else str(number + 1),
            pattern,
            size=(size, size),
            rows=rows,
            cols=cols,
            axes=("query", "key"),
            scale="weight",
            pick=True,
            chosen=number == journey.place.head,
        )
        for number, pattern in enumerate(journey.patterns)
    ]


def joining(run: Run, journey: Journey) -> list[Tile]:
    """All heads, what they add together, and the stream after that."""
    return [*heads(journey), tile(journey, "attn_out", "heads joined", starts=True), *_added(run, journey)]


def thinking(run: Run, journey: Journey) -> list[Tile]:
    """The feed-forward layer, whose output is added to the stream or takes its place."""
    return [
        tile(journey, "ffn_in", "read"),
        tile(journey, "ffn_hidden", "hidden", "→"),
        tile(journey, "ffn_out", "adds" if run.config.residual else "result", "→"),
        tile(journey, "resid_post", "leaves", "→"),
    ]


def leaving(journey: Journey) -> list[Tile]:
    """What entered the first layer, and the output of the stack."""
    return [tile(journey, "entered", "what entered"), tile(journey, "final", "output", "→")]


def tile(
    journey: Journey, name: str, title: str, before: str = "", axes: tuple[str, ...] | None = None, **options: Any
) -> Tile:
    """One stage's tensor as a tile with its true shape under it."""
    stage = journey.stages[name]
    row, col = axes or stage.axes
    height, width = stage.values.shape
    return Tile(
        name,
        title,
        stage.values,
        shape=shape_words(stage, (row, col)),
        part=drawn(stage),
        size=(SHARE[row], SHARE[col]),
        rows=_labels(journey, row, height),
        cols=_labels(journey, col, width),
        axes=(_said(row), _said(col)),
        tint=TINTS.get(name),
        before=before,
        **options,
    )


def shape_words(stage: Stage, axes: tuple[str, ...]) -> str:
    """The stage's whole shape in letters and numbers: "L × D = 15 × 64"."""
    letters = " × ".join(LETTER.get(axis, axis) for axis in axes)
    return f"{letters} = {' × '.join(str(size) for size in stage.shape)}"


def drawn(stage: Stage) -> str:
    """What of a large tensor the picture shows: "first 64 columns"."""
    rows, columns = stage.values.shape
    if (rows, columns) == stage.shape:
        return ""
    if rows == stage.shape[0]:
        return f"first {columns} columns"
    return f"first {rows} rows" if columns == stage.shape[1] else f"first {rows} × {columns}"


def _added(run: Run, journey: Journey) -> list[Tile]:
    after = tile(journey, "resid_mid", "the new rows", "→" if run.config.norm_position == "post" else "=")
    return [tile(journey, "stream", "what came in", "+"), after] if run.config.residual else [after]


def _labels(journey: Journey, axis: str, count: int) -> Sequence[str]:
    row = {"L": journey.tokens, "Q": journey.tokens, "K": journey.keys}.get(axis)
    return row.labels[:count] if row else ()


def _said(axis: str) -> str:
    return {"Q": "query", "K": "key", "L": "token"}.get(axis, "number")
