"""Small matrices side by side without labels, joined by signs: one stage of a calculation at a glance."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from pages.canvas.runtime.clicks import Settings, sent, store, valid_pick
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

SCALES = ("weight", "signed")
PLAIN_FIELDS = (
    "name",
    "title",
    "shape",
    "part",
    "scale",
    "unit",
    "beyond",
    "tint",
    "before",
    "starts",
    "click",
    "pick",
    "chosen",
)

_component = component("strip")


@dataclass(frozen=True)
class Tile:
    """One small matrix.

    values: (R, C), finite or −inf (drawn as masked).
    shape: the text under it, such as "L × D = 15 × 64".
    part: which part of the matrix is drawn, if not all of it.
    size: the largest height and width, as shares of the strip's unit.
    rows, cols: labels that are shown when a cell is pointed at.
    axes: the names of a row and of a column.
    texts: the texts whose tokens the rows and the columns are, "" for none. A token that is pointed at is framed in
        every tile of its text on the page.
    scale: "weight" has the domain [0, 1], "signed" [-limit, limit].
    limit: without it, the largest |value|.
    beyond: larger numbers get the last colour.
    unit: the kind of the numbers, named in the legend.
    before: the sign to its left.
    starts: begins a new line.
    click: the effect of a click, such as "to open it in Heads"; "" if it has none.
    pick: it is one of several to choose from, whose lines wrap; a click on any other tile leaves the page.

    Raises ValueError for a tile that cannot be drawn.
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
    texts: tuple[str, str] = ("", "")
    scale: str = "signed"
    limit: float | None = None
    beyond: bool = False
    unit: str = ""
    tint: str | None = None
    before: str = ""
    starts: bool = False
    click: str = ""
    pick: bool = False
    chosen: bool = False

    def __post_init__(self) -> None:
        values, where = np.asarray(self.values), f"tile {self.name!r}"
        if values.ndim != 2 or values.size == 0:
            raise ValueError(f"{where} needs a matrix with rows and columns, got shape {values.shape}")
        if np.isnan(values).any() or np.isposinf(values).any():
            raise ValueError(f"{where} holds NaN or +inf; only finite values and −inf can be drawn")
        if self.scale not in SCALES:
            raise ValueError(f"{where}: scale {self.scale!r} is not one of {', '.join(SCALES)}")
        for labels, size in ((self.rows, values.shape[0]), (self.cols, values.shape[1])):
            if labels and len(labels) != size:
                raise ValueError(f"{where} has {size} rows or columns and {len(labels)} labels")


@dataclass(frozen=True)
class Strip(CanvasDrawing):
    """A picture of small matrices ("tiles") in lines that wrap.

    name: the accessible name, and the stem of the saved file.
    sets: returns the settings that a click on (tile, row, col) changes.
    """

    tiles: Sequence[Tile]
    _: KW_ONLY
    key: str
    name: str
    sets: Callable[[str, int, int], Settings] | None = None

    def packed(self) -> bytes:
        """Return the strip as bytes for strip.js.

        They hold one array per tile, named by its position, and each list of labels once.
        """
        arrays = {str(position): np.asarray(tile.values, np.float32) for position, tile in enumerate(self.tiles)}
        labels = list(
            dict.fromkeys(tuple(axis_labels) for tile in self.tiles for axis_labels in (tile.rows, tile.cols))
        )
        described = [_described(tile, labels) for tile in self.tiles]
        return pack(
            {"name": self.name, "labels": [list(axis_labels) for axis_labels in labels], "tiles": described}, arrays
        )

    def picks(self) -> Iterator[tuple[Any, Settings]]:
        if self.sets:
            for tile in self.tiles:
                for row, col in np.ndindex(np.shape(tile.values)) if tile.click else ():
                    yield {"panel": tile.name, "row": row, "col": col}, self.sets(tile.name, row, col)

    def draw(self) -> None:
        """Put the strip on the page."""
        _component(data=self.data(), key=self.key, on_pick_change=self._picked)

    def _picked(self) -> None:
        shapes = {tile.name: np.shape(tile.values) for tile in self.tiles if tile.click}
        choice = valid_pick(sent(self.key, "pick"), shapes)
        if choice and self.sets:
            store(self.sets(*choice))


def _described(tile: Tile, labels: Sequence[tuple[str, ...]]) -> dict[str, Any]:
    values = np.asarray(tile.values)
    largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    limit = 1.0 if tile.scale == "weight" else tile.limit or largest or 1.0
    lists = {field: list(getattr(tile, field)) for field in ("size", "axes", "texts")}
    lists |= {"labels": [labels.index(tuple(axis_labels)) for axis_labels in (tile.rows, tile.cols)]}
    return {field: getattr(tile, field) for field in PLAIN_FIELDS} | lists | {"limit": limit, "largest": largest}
