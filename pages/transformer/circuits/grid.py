"""The grid of what each part of the model adds to a word, in which a click chooses a part."""

from collections.abc import Sequence

import numpy as np

from core.topics.circuits.parts import Component
from pages.canvas import Matrices, Panel
from pages.transformer.circuits.settings import PART
from pages.transformer.circuits.subject import WrittenWord

OUTSIDE = "before the blocks, and biases"
Cells = dict[tuple[int, int], int]  # the place of a part among all parts, by row and column


def part_grid(word: WrittenWord, heads_only: bool = False) -> Matrices:
    """Return the shares of the parts as panels on one scale: one for each kind, and one for what is in no layer.

    heads_only: whether feed-forward layers and what is in no layer are left out.
    """
    parts, limit = word.attribution.parts, float(np.abs(word.shares).max(initial=0.0))
    kinds = _cells(parts, heads_only)
    selected = word.head_index if heads_only else word.part_index
    against = f", compared with {word.against_name}" if word.against_name else ""
    return Matrices(
        [_panel(word, kind, cells, selected, limit) for kind, cells in kinds.items()],
        key="circuits-parts",
        name=f"What each part adds to “{word.piece}”{against}",
        height=300,
        sets=lambda panel, row, col: {PART.key: kinds[panel][row, col]},
    )


def _cells(parts: Sequence[Component], heads_only: bool) -> dict[str, Cells]:
    """Return the cells of each kind of part, those of parts in no layer last."""
    kinds: dict[str, Cells] = {}
    outside: Cells = {}
    for index, part in enumerate(parts):
        if part.layer < 0:
            outside[len(outside), 0] = index
        elif part.head is not None or not heads_only:
            kinds.setdefault(part.kind, {})[part.layer, part.head or 0] = index
    return kinds if heads_only else kinds | {OUTSIDE: outside}


def _panel(word: WrittenWord, kind: str, cells: Cells, selected: int, limit: float) -> Panel:
    parts = word.attribution.parts
    rows, cols = (max(cell[axis] for cell in cells) + 1 for axis in (0, 1))
    values = np.zeros((rows, cols))
    for cell, index in cells.items():
        values[cell] = word.shares[index]
    first = parts[cells[0, 0]]
    names = [f"layer {row + 1}" if kind != OUTSIDE else parts[cells[row, 0]].kind for row in range(rows)]
    heads = ["all"] if first.head is None else [f"head {col + 1}" for col in range(cols)]
    at = next((cell for cell, index in cells.items() if index == selected), None)
    return Panel(kind, kind, values, names, heads, limit=limit, selected=at, unit="share")
