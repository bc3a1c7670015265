"""The drawing of a model, as plain records: its boxes in rows, and the lines between them. No pixels."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """One box of the drawing.

    key: its name in the model, as parts and sites are called: encoder.embed, decoder.2.attn.q, decoder.2.attn.add.
    kind: what it is drawn as. shape: of what it hands on, in letters and numbers. parameters: that are learned in it.
    about: what it does, in one sentence. layer: from 0; None outside the blocks. share: of the width of its row.
    """

    key: str
    kind: str
    title: str
    shape: str = ""
    parameters: int = 0
    about: str = ""
    layer: int | None = None
    share: float = 1.0


@dataclass(frozen=True)
class Rank:
    """Boxes side by side. frame: the box drawn round this rank and the next ones of the same frame; its parameters are
    theirs. branch: whether they stand beside the stream, and not on it."""

    boxes: tuple[Box, ...]
    frame: Box | None = None
    branch: bool = False


@dataclass(frozen=True)
class Edge:
    """A line from one box, or frame, to another. kind: "stream" carries the stream through what stands on it; "skip"
    carries it past a branch, which reads it ("branch") and is added to it ("return"); "inner" is within a branch, or
    between boxes beside each other;
    "memory" brings the encoder's output to the decoder; "tied" joins two uses of one table."""

    source: str
    target: str
    kind: str


@dataclass(frozen=True)
class Pile:
    """One stack of the model, from its text to its output."""

    stack: str
    title: str
    ranks: tuple[Rank, ...]

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Without frames."""
        return tuple(box for rank in self.ranks for box in rank.boxes)


@dataclass(frozen=True)
class Plan:
    """All of the drawing: one pile for each stack, and the lines."""

    piles: tuple[Pile, ...]
    edges: tuple[Edge, ...]

    @property
    def boxes(self) -> tuple[Box, ...]:
        return tuple(box for pile in self.piles for box in pile.boxes)

    @property
    def named(self) -> Mapping[str, Box]:
        """Every box and every frame, by its key."""
        frames = (rank.frame for pile in self.piles for rank in pile.ranks if rank.frame)
        return {box.key: box for box in (*self.boxes, *frames)}

    @property
    def parameters(self) -> int:
        return sum(box.parameters for box in self.boxes)
