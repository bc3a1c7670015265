"""Matrices side by side, painted in the browser: labels, numbers, masks, and a cell that can be picked."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from pages.canvas.runtime.clicks import Settings, sent, store, valid_pick
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.opened import Opened
from pages.canvas.runtime.pack import pack

SCALES = ("weight", "signed", "size", "mask")
TINTS = (None, "q", "k", "v")
WEIGHT_TOLERANCE = 1e-4  # how far rounding may carry a weight out of [0, 1]

_component = component("matrices")


@dataclass(frozen=True)
class Panel:
    """One matrix of a picture.

    values: (R, C), finite or −inf (drawn as masked).
    scale: "weight" has the domain [0, 1], or [0, limit] if a limit is given; "signed" has [-limit, limit]; "size" has
        [0, limit], with exact zeros written out; "mask" holds 1 (may attend) and 0.
    limit: by default the largest finite |value|; the legend shows it.
    tint: "q", "k" or "v" colours the title's swatch and the axis names.
    before: the sign that is drawn to the left.
    outlines: (row, None) a row, (None, col) a column, (row, col) a cell. Outlines and a selection outside the matrix,
        such as those of a longer text, are not drawn.
    faded: number of the first rows that are drawn pale, because they are not computed now.
    grey: whether the faded rows are drawn without their hue too.
    absent: the name of −inf if it does not mean masked.
    unit: the kind of the numbers, named in the legend; without it, "weight" on that scale.

    Raises ValueError for values that cannot be drawn truthfully.
    """

    name: str
    title: str
    values: np.ndarray
    rows: Sequence[str] = ()
    cols: Sequence[str] = ()
    row_axis: str = ""
    col_axis: str = ""
    scale: str = "signed"
    limit: float | None = None
    tint: str | None = None
    before: str = ""
    outlines: Sequence[tuple[int | None, int | None]] = ()
    selected: tuple[int, int] | None = None
    faded: int = 0
    grey: bool = False
    absent: str = ""
    unit: str = ""

    @property
    def largest_value(self) -> float:
        """The end of the colour scale: `limit` if given, else 1 for weights, else the largest finite |value|."""
        values = _values(self)
        largest = 1.0 if self.scale == "weight" else float(np.abs(values[np.isfinite(values)]).max(initial=0))
        return largest if self.limit is None else self.limit

    def __post_init__(self) -> None:
        values = _values(self)
        where = f"panel {self.name!r}"
        if values.ndim != 2 or values.size == 0:
            raise ValueError(f"{where} needs a matrix with rows and columns, got shape {values.shape}")
        if np.isnan(values).any() or np.isposinf(values).any():
            raise ValueError(f"{where} holds NaN or +inf; only finite values and -inf can be drawn")
        if self.scale not in SCALES or self.tint not in TINTS:
            raise ValueError(f"{where}: scale {self.scale!r} or tint {self.tint!r} is not one of {SCALES}, {TINTS}")
        for labels, size, axis in ((self.rows, values.shape[0], "row"), (self.cols, values.shape[1], "column")):
            if labels and len(labels) != size:
                raise ValueError(f"{where} has {size} {axis}s and {len(labels)} {axis} labels")
        _check_scale(self, values)


@dataclass(frozen=True)
class Matrices(CanvasDrawing):
    """Panels in a row that wraps.

    name: the accessible name, and the stem of the saved file.
    height: the most pixels of the tallest matrix (420).
    width: the most pixels of the widest, if the page has the room (the same).
    cell: a fixed cell size in pixels; without it, axes of one length get one size, from 1 to 34.
    sets: returns the settings that a click on (panel, row, col) changes.
    opened: in place of `sets`, the cell that settings open, which a click on another cell changes; the panels' outlines
        and selections are those of its values now.

    Raises ValueError for panels with the same name.
    """

    panels: Sequence[Panel]
    _: KW_ONLY
    key: str
    name: str
    height: int | None = None
    width: int | None = None
    cell: int | None = None
    sets: Callable[[str, int, int], Settings] | None = None
    opened: Opened | None = None
    clicks: ClassVar = ("sets", "opened")

    def __post_init__(self) -> None:
        names = [panel.name for panel in self.panels]
        if len(set(names)) < len(names):
            raise ValueError(f"panel names must differ, got {', '.join(names)}")

    def packed(self) -> bytes:
        """Return the picture as bytes for matrices.js: one array per panel, named by its position."""
        arrays = {str(position): _values(panel) for position, panel in enumerate(self.panels)}
        described = [_described(panel, array) for panel, array in zip(self.panels, arrays.values(), strict=True)]
        meta = {"name": self.name, "height": self.height, "width": self.width, "cell": self.cell}
        meta |= {"pickable": self.sets is not None or self.opened is not None}
        opened = {"openCell": self.opened.described()} if self.opened else {}
        return pack(meta | {"panels": described} | opened, arrays)

    @property
    def follows(self) -> frozenset[str]:
        return self.opened.follows if self.opened else frozenset()

    def elsewhere(self) -> Mapping[str, Any]:
        return self.opened.elsewhere() if self.opened else {}

    def token_labels(self) -> Sequence[str]:
        return [label for panel in self.panels for label in (*panel.rows, *panel.cols)]

    def picks(self) -> Iterator[tuple[Any, Settings]]:
        if self.sets:
            for panel in self.panels:
                for row, col in np.ndindex(np.shape(panel.values)):
                    yield {"panel": panel.name, "row": row, "col": col}, self.sets(panel.name, row, col)

    def draw(self) -> None:
        """Put the picture on the page."""
        _component(data=self.data(), key=self.key, on_pick_change=self._picked)

    def _picked(self) -> None:
        shapes = {panel.name: np.shape(panel.values) for panel in self.panels}
        choice = valid_pick(sent(self.key, "pick"), shapes)
        sets = self.opened.sets if self.opened else self.sets
        if choice and sets:
            store(sets(*choice))


def _values(panel: Panel) -> np.ndarray:
    return np.asarray(panel.values, dtype=np.float32)


def _check_scale(panel: Panel, values: np.ndarray) -> None:
    """Raise ValueError if a number does not belong on the panel's scale."""
    where, finite = f"panel {panel.name!r}", values[np.isfinite(values)]
    if (
        panel.scale == "weight"
        and finite.size
        and (finite.min() < -WEIGHT_TOLERANCE or finite.max() > 1 + WEIGHT_TOLERANCE)
    ):
        raise ValueError(f"{where}: weights lie in [0, 1], got {finite.min():.4g} to {finite.max():.4g}")
    if (
        panel.scale == "weight"
        and finite.size
        and panel.limit is not None
        and finite.max() > panel.limit + WEIGHT_TOLERANCE
    ):
        raise ValueError(f"{where}: a weight of {finite.max():.4g} does not fit a scale up to {panel.limit:.4g}")
    if panel.scale == "size" and finite.size and finite.min() < 0:
        raise ValueError(f"{where}: sizes are never negative, got {finite.min():.4g}")
    if panel.scale == "mask" and not np.isin(values, (0, 1)).all():
        raise ValueError(f"{where}: a mask holds only 1 (may attend) and 0 (may not)")


def _described(panel: Panel, values: np.ndarray) -> dict[str, Any]:
    limit = panel.largest_value
    return {
        "name": panel.name,
        "title": panel.title,
        "rows": list(panel.rows),
        "cols": list(panel.cols),
        "rowAxis": panel.row_axis,
        "colAxis": panel.col_axis,
        "scale": panel.scale,
        "limit": limit if limit > 0 else 1.0,
        "tint": panel.tint,
        "before": panel.before,
        "outlines": [list(outline) for outline in panel.outlines if _inside(outline, values.shape)],
        "selected": list(panel.selected) if panel.selected and _inside(panel.selected, values.shape) else None,
        "faded": panel.faded,
        "grey": panel.grey,
        "absent": panel.absent,
        "unit": panel.unit or ("weight" if panel.scale == "weight" else ""),
    }


def _inside(indices: tuple[int | None, int | None], shape: tuple[int, ...]) -> bool:
    return all(index is None or 0 <= index < size for index, size in zip(indices, shape, strict=True))
