"""A mask that is painted by hand: drag over cells with a mouse or a finger, or use the arrow keys and Space."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from core.limits import PAINTING_STROKES
from pages.canvas.runtime.clicks import Settings, sent, store
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

Stroke = tuple[list[int], bool]

_component = component("mask_paint")


@dataclass(frozen=True)
class MaskPaint(CanvasDrawing):
    """An (L, L) mask to paint on, with queries as rows and keys as columns.

    base: the mask under the painting; cells that differ from it have a dot.
    sets: returns the settings that the strokes change. A stroke is (cells, may): `cells` are numbered row by row, and
        `may` is the value that the stroke gives them.
    height: the most pixels of the matrix.
    outlined: a row to frame.
    refused: why the last stroke was refused; it is read out.

    Raises ValueError for shapes that do not match.
    """

    mask: np.ndarray
    base: np.ndarray
    labels: Sequence[str]
    _: KW_ONLY
    key: str
    name: str
    title: str
    sets: Callable[[Sequence[Stroke]], Settings]
    height: int = 420
    outlined: int | None = None
    refused: str = ""

    def __post_init__(self) -> None:
        square = (len(self.labels), len(self.labels))
        shapes = np.shape(self.mask), np.shape(self.base)
        if shapes != (square, square) or not self.labels:
            raise ValueError(f"{len(self.labels)} labels do not fit masks of shape {shapes[0]} and {shapes[1]}")

    def packed(self) -> bytes:
        """Return the picture as bytes for mask_paint.js."""
        meta = {"name": self.name, "title": self.title, "labels": list(self.labels), "height": self.height}
        meta |= {"outlined": self.outlined, "refused": self.refused}
        return pack(meta, {"mask": self.mask.astype(np.uint8), "base": self.base.astype(np.uint8)})

    def draw(self) -> None:
        """Put the mask on the page."""
        _component(data=self.data(), key=self.key, on_strokes_change=self._painted)

    def _painted(self) -> None:
        strokes = valid_strokes(sent(self.key, "strokes"), len(self.labels))
        if strokes:
            store(self.sets(strokes))


def valid_strokes(value: Any, length: int) -> list[Stroke]:
    """Return the strokes as sent by the browser; none at all if one of them is no stroke on a mask of this length."""
    if not isinstance(value, dict) or value.get("length") != length:
        return []
    strokes = value.get("strokes")
    if not isinstance(strokes, list) or len(strokes) > PAINTING_STROKES:
        return []
    if not all(_is_stroke(stroke, length * length) for stroke in strokes):
        return []
    return [(stroke["cells"], stroke["may"]) for stroke in strokes]


def _is_stroke(value: Any, count: int) -> bool:
    if not isinstance(value, dict) or type(value.get("may")) is not bool:
        return False
    cells = value.get("cells")
    if not isinstance(cells, list) or not 0 < len(cells) <= count:
        return False
    return all(type(cell) is int and 0 <= cell < count for cell in cells)
