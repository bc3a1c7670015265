"""Which tensors each stage of the journey shows, in which order, and what is written at them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.explorer.journey.records import Journey
from core.explorer.journey.words import scaled_embedding
from core.tracing.run import Run

SHARE = {"D": 1.0, "F": 1.1, "E": 0.6, "Ev": 0.6, "L": 0.8, "Q": 0.8, "K": 0.8}
TINTS = {"q": "q", "q_rotated": "q", "k": "k", "k_rotated": "k", "v": "v"}
LETTER = {"Ev": "E"}
SAID = {"Q": "query", "K": "key", "L": "token"}


@dataclass(frozen=True, eq=False)
class Picture:
    """One small matrix (R, C) of a stage.

    shape: its whole shape in letters and numbers, "L × D = 15 × 64"; part: what of it is drawn where that is not all.
    size: its height and width as shares of a stage's. axes: what a row and a column are. tint: whose colour its name
    has. before: the sign to its left. starts: it begins a new line. pick: a click chooses it; chosen: it is.
    """

    name: str
    title: str
    values: np.ndarray
    shape: str = ""
    part: str = ""
    size: tuple[float, float] = (1.0, 1.0)
    rows: Sequence[str] = ()
    cols: Sequence[str] = ()
    axes: tuple[str, str] = ("row", "column")
    scale: str = "signed"
    tint: str | None = None
    before: str = ""
    starts: bool = False
    pick: bool = False
    chosen: bool = False


def entering(run: Run, journey: Journey) -> list[Picture]:
    """Embedding, positions where they are added, and what enters the first layer."""
    title = f"embedding × {scaled_embedding(run.config)}" if run.config.scale_embeddings else "embedding"
    if "pos" not in journey.stages:
        return [picture(journey, "embed", f"{title}: what enters")]
    return [
        picture(journey, "embed", title),
        picture(journey, "pos", "position", "+"),
        picture(journey, "entered", "what enters", "="),
    ]


def projecting(journey: Journey) -> list[Picture]:
    """What the head reads, and its queries, keys and values."""
    shown = [picture(journey, "attn_in", "read")]
    if "memory" in journey.stages:
        shown.append(picture(journey, "memory", "from the encoder", axes=("K", "D")))
    turned = "q_rotated" in journey.stages
    full = turned or "memory" in journey.stages
    shown.append(picture(journey, "q", "Q", "" if full else "→", starts=full))
    if turned:
        shown.append(picture(journey, "q_rotated", "Q turned", "↻"))
    shown.append(picture(journey, "k", "K", starts=turned))
    if turned:
        shown.append(picture(journey, "k_rotated", "K turned", "↻"))
    return [*shown, picture(journey, "v", "V")]


def scoring(run: Run, journey: Journey) -> list[Picture]:
    """Scores, scaled where the score is, with ALiBi's penalty where it acts, masked, and turned into weights."""
    config = run.config
    scaled = "scaled" if config.score == "scaled_dot" else "not scaled"
    if config.positions == "alibi" and not journey.place.cross:
        scaled = "scaled + B" if config.score == "scaled_dot" else "scores + B"
    return [
        picture(journey, "raw_scores", "scores"),
        picture(journey, "scores", scaled, "→"),
        picture(journey, "masked_scores", "masked" if journey.hidden_pairs else "no mask", "→"),
        picture(journey, "pattern", "weights A", "→", scale="weight"),
    ]


def mixed(journey: Journey) -> list[Picture]:
    """Weights times values."""
    return [
        picture(journey, "pattern", "weights A", scale="weight"),
        picture(journey, "v", "V", "×"),
        picture(journey, "z", "mix z", "="),
    ]


def joining(run: Run, journey: Journey) -> list[Picture]:
    """Every head's pattern, to be chosen from; what they add together, and the stream after that."""
    after = picture(journey, "resid_mid", "the new rows", "→" if run.config.norm_position == "post" else "=")
    added = [picture(journey, "stream", "what came in", "+"), after] if run.config.residual else [after]
    return [*_heads(journey), picture(journey, "attn_out", "heads joined", starts=True), *added]


def thinking(run: Run, journey: Journey) -> list[Picture]:
    """The feed-forward layer, whose output is added to the stream or takes its place."""
    return [
        picture(journey, "ffn_in", "read"),
        picture(journey, "ffn_hidden", "hidden", "→"),
        picture(journey, "ffn_out", "adds" if run.config.residual else "result", "→"),
        picture(journey, "resid_post", "leaves", "→"),
    ]


def leaving(journey: Journey) -> list[Picture]:
    """What entered the first layer, and the output of the stack."""
    return [picture(journey, "entered", "what entered"), picture(journey, "final", "output", "→")]


def picture(
    journey: Journey,
    name: str,
    title: str = "",
    before: str = "",
    axes: tuple[str, ...] | None = None,
    starts: bool = False,
    scale: str = "signed",
) -> Picture:
    """One stage's tensor with its true shape."""
    stage = journey.stages[name]
    row, col = axes or stage.axes
    height, width = stage.values.shape
    letters = " × ".join(LETTER.get(axis, axis) for axis in (row, col))
    return Picture(
        name,
        title or name,
        stage.values,
        shape=f"{letters} = {' × '.join(str(size) for size in stage.shape)}",
        part=stage.part,
        size=(SHARE[row], SHARE[col]),
        rows=journey.labels(row, height),
        cols=journey.labels(col, width),
        axes=(SAID.get(row, "number"), SAID.get(col, "number")),
        tint=TINTS.get(name),
        before=before,
        starts=starts,
        scale=scale,
    )


def _heads(journey: Journey) -> list[Picture]:
    count, queries, keys = journey.patterns.shape
    few = count <= 4
    rows, cols = journey.labels("Q", queries), journey.labels("K", keys)
    return [
        Picture(
            str(number),
            f"head {number + 1}" if few else str(number + 1),
            pattern,
            size=(0.55, 0.55) if few else (0.45, 0.45),
            rows=rows,
            cols=cols,
            axes=("query", "key"),
            scale="weight",
            pick=True,
            chosen=number == journey.place.head,
        )
        for number, pattern in enumerate(journey.patterns)
    ]
