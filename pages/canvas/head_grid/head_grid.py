"""All layers and heads as small pictures on one grid, one of which can be picked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from pages.canvas.runtime.clicks import Settings, sent, store
from pages.canvas.runtime.drawing import CanvasDrawing, joined
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

_component = component("head_grid")


@dataclass(frozen=True)
class HeadGrid(CanvasDrawing):
    """One small pattern per head.

    shades: uint8 (N layers, H heads, h, w); 255 is a weight of `limit`, which the legend shows. Layers and heads count
        from 0 here and from 1 on screen.
    selected: outlined, if there is such a head.
    sets: returns the settings that a click on (layer, head) changes.
    click: what a click does, said after the caption where something can be clicked.
    hidden: heads that are drawn crossed out.
    masked: (h, w) True for the cells that the mask hides in every head, which are hatched.
    name: the accessible name, and the stem of the saved file.

    Raises ValueError for another shape or type.
    """

    shades: np.ndarray
    _: KW_ONLY
    key: str
    name: str
    selected: tuple[int, int] | None
    sets: Callable[[int, int], Settings] | None = None
    hidden: Sequence[tuple[int, int]] = ()
    caption: str = ""
    click: str = ""
    limit: float = 1.0
    masked: np.ndarray | None = None

    def __post_init__(self) -> None:
        shades, masked = self.shades, self.masked
        if shades.dtype != np.uint8 or shades.ndim != 4 or shades.size == 0:
            raise ValueError(f"shades must be uint8 (layers, heads, h, w), got {shades.dtype} {shades.shape}")
        if masked is not None and masked.shape != shades.shape[2:]:
            raise ValueError(f"a mask {masked.shape} is not of the size of the patterns {shades.shape[2:]}")

    @property
    def _shape(self) -> tuple[int, int]:
        return self.shades.shape[0], self.shades.shape[1]

    def packed(self) -> bytes:
        """Return the grid as bytes for head_grid.js."""
        layers, heads = self._shape
        in_grid = self.selected is not None and self.selected[0] < layers and self.selected[1] < heads
        meta = {
            "name": self.name,
            "caption": joined(self.caption, self.click if self.sets else ""),
            "limit": self.limit,
            "selected": list(self.selected) if self.selected and in_grid else None,
            "hidden": [list(head) for head in self.hidden],
            "pickable": self.sets is not None,
        }
        arrays = {"shades": self.shades}
        if self.masked is not None and self.masked.any():
            arrays["masked"] = self.masked.astype(np.uint8)
        return pack(meta, arrays)

    def picks(self) -> Iterator[tuple[Any, Settings]]:
        if self.sets:
            for layer, head in np.ndindex(self._shape):
                yield {"layer": layer, "head": head}, self.sets(layer, head)

    def draw(self) -> None:
        """Put the grid on the page."""
        _component(data=self.data(), key=self.key, on_pick_change=self._picked)

    def _picked(self) -> None:
        choice = valid_head(sent(self.key, "pick"), self._shape)
        if choice and self.sets:
            store(self.sets(*choice))


def valid_head(value: Any, shape: tuple[int, int]) -> tuple[int, int] | None:
    """Return (layer, head) as sent by the browser; None if there is no such head."""
    if not isinstance(value, dict):
        return None
    layer, head = value.get("layer"), value.get("head")
    if type(layer) is not int or type(head) is not int:
        return None
    return (layer, head) if 0 <= layer < shape[0] and 0 <= head < shape[1] else None
