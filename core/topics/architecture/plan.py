"""Plain records of the drawing of a model: its boxes in rows, and the lines between them, without pixels."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """One box of the drawing.

    key: its name in the model, like the names of parts and sites: encoder.embed, decoder.2.attn.q, decoder.2.attn.add.
    kind: selects how it is drawn.
    shape: the shape of its output, in letters and numbers.
    parameters: number of parameters learned in it.
    about: what it does, in one sentence.
    layer: the number of its layer, from 0; None outside the blocks.
    share: its share of the width of its row.
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
    """Boxes drawn side by side.

    frame: the box drawn round this rank and the next ones with the same frame; its parameters are those of the boxes
        inside.
    branch: whether they are drawn beside the residual stream, not on it.
    """

    boxes: tuple[Box, ...]
    frame: Box | None = None
    branch: bool = False


@dataclass(frozen=True)
class Edge:
    """A line from one box, or frame, to another.

    "stream" carries the stream through the boxes on it.
    "skip" carries the stream past a branch, "branch" leads into that branch, and "return" adds its output to the
    stream.
    "inner" is within a branch, or between boxes beside each other.
    "memory" brings the encoder's output to the decoder.
    "tied" joins two uses of one table.
    """

    source: str
    target: str
    kind: str


@dataclass(frozen=True)
class Pile:
    """One stack of the model in the drawing: its boxes from the text to the output."""

    stack: str
    title: str
    ranks: tuple[Rank, ...]

    @property
    def boxes(self) -> tuple[Box, ...]:
        """All boxes, without frames."""
        return tuple(box for rank in self.ranks for box in rank.boxes)


@dataclass(frozen=True)
class DrawingPlan:
    """The whole drawing: one pile for each stack, and the lines."""

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
