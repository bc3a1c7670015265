"""One choice of a token, prepared for pictures: some tokens after every stage, and the bar from which one is drawn."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.decoding.sampling import STAGES, Sampling
from core.topics.generate.records import GenerationStep

SHOWN_STAGES = ("logits", "temperature", "top-k", "top-p")


@dataclass(frozen=True, eq=False)
class Choice:
    """C tokens after each of S stages of a choice, the likeliest at the draw first; the chosen token is one of them.

    stages (S,): the names of the stages in `core.decoding.sampling`.
    ids, pieces, ranks, logits (C,): those of the tokens; rank 1 is the likeliest.
    probabilities (S, C): the softmax after each stage.
    kept (S, C): whether the token is still there after each stage.
    left (S,): number of tokens of the whole vocabulary that are still there.
    others (S,): the total probability of all tokens that are not shown.
    chosen: the index of the chosen token among the C.
    """

    stages: tuple[str, ...]
    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    ranks: tuple[int, ...]
    logits: np.ndarray
    probabilities: np.ndarray
    kept: np.ndarray
    left: tuple[int, ...]
    others: np.ndarray
    chosen: int

    @property
    def labels(self) -> list[str]:
        """The C tokens, each with its rank."""
        return [f"{rank} {piece}" for rank, piece in zip(self.ranks, self.pieces, strict=True)]


class DrawSegment(NamedTuple):
    """A segment of [0, 1), as long as the probability of one token, or of several together; a random number picks one.

    piece: the token's piece; "" for several tokens.
    start, end: the ends of the segment.
    chosen: whether the chosen token is in it.
    """

    piece: str
    start: float
    end: float
    chosen: bool


def choice(step: GenerationStep, sampling: Sampling, count: int = 10) -> Choice:
    """Return the `count` likeliest tokens at each stage; if the chosen token is not among them, it replaces the last.

    The stages of the repetition penalty and of min-p are left out if they are off.
    """
    acts = {"repetition penalty": sampling.repetition_penalty != 1, "min-p": sampling.min_p > 0}
    shown = [stage for stage in step.stages if stage.name in SHOWN_STAGES or acts[stage.name]]
    rows = [(rank, i, piece) for rank, (i, piece) in enumerate(step.likely[:count], 1)]
    if step.chosen not in [i for _, i, _ in rows]:
        rows[-1] = (_rank(step), step.chosen, step.piece)
    ids = [i for _, i, _ in rows]
    probabilities = np.stack([stage.probabilities[ids] for stage in shown])
    everything = np.stack([stage.probabilities for stage in shown])
    names, left = tuple(stage.name for stage in shown), tuple(stage.kept for stage in shown)
    return Choice(
        names,
        tuple(ids),
        tuple(piece for _, _, piece in rows),
        tuple(rank for rank, _, _ in rows),
        step.stages[STAGES.index("logits")].logits[ids],
        probabilities,
        np.stack([np.isfinite(stage.logits[ids]) for stage in shown]),
        left,
        np.delete(everything, ids, axis=1).sum(1),
        ids.index(step.chosen),
    )


def draw_segments(step: GenerationStep, count: int = 20) -> tuple[DrawSegment, ...]:
    """Divide the interval [0, 1) among the tokens by their probabilities at the draw, the likeliest first.

    The `count` likeliest tokens and the chosen one have a segment each; the tokens between them share one.
    """
    after = step.stages[-1].probabilities.astype(np.float64)
    order = np.argsort(-after, kind="stable")[: int((after > 0).sum())]
    edges = np.concatenate([[0.0], np.cumsum(after[order]) / after.sum()])
    names = dict(step.likely) | {step.chosen: step.piece}
    named = [n for n, i in enumerate(order) if (n < count and int(i) in names) or i == step.chosen]
    segments, next_rank = [], 0
    for rank in [*named, len(order)]:
        if rank > next_rank:
            segments.append(DrawSegment("", float(edges[next_rank]), float(edges[rank]), False))
        if rank < len(order):
            token = int(order[rank])
            segments.append(DrawSegment(names[token], float(edges[rank]), float(edges[rank + 1]), token == step.chosen))
        next_rank = rank + 1
    return tuple(segments)


def _rank(step: GenerationStep) -> int:
    """Return the rank of the chosen token; 1 is the likeliest.

    Tokens are ranked by probability at the draw and, among equals, by the model's own.
    """
    after, own = step.stages[-1].probabilities, step.stages[0].probabilities
    tied = after == after[step.chosen]
    likelier = (after > after[step.chosen]) | (tied & (own > own[step.chosen]))
    return int(likelier.sum()) + 1
