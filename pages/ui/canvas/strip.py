"""Small matrices side by side without labels, joined by signs: one stage of a calculation at a glance."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from pages.ui.canvas.assets import ROOT_HTML, script, style
from pages.ui.canvas.pack import pack

SCALES = ("weight", "signed")

_component = st.components.v2.component(
    "strip", html=ROOT_HTML, css=style("stage", "strip"), js=script("stage", "matrix_panel", "strip")
)


@dataclass(frozen=True)
class Tile:
    """One small matrix.

    values: (R, C), finite or −inf (drawn as masked). shape: what is written under it, "L × D = 15 × 64"; part: what
    of it is drawn, where that is not all. size: the height and width it takes at most, as shares of the strip's unit.
    rows, cols: labels said when a cell is pointed at; axes: what a row and a column are called. scale "weight" has
    the domain [0, 1], "signed" that of the largest |value|, written under the tile. before: the sign to its left.
    starts: begins a new line. pick: a click chooses this tile; lines of such tiles wrap.
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


def strip(tiles: Sequence[Tile], *, key: str, name: str, on_pick: Callable[[str], None] | None = None) -> None:
    """Draw the tiles in lines that wrap; `on_pick(tile)` runs before the rerun that a click on a tile causes.

    name: the accessible name, and the stem of the saved file. Raises ValueError for a tile that cannot be drawn.
    """
    pickable = {tile.name for tile in tiles if tile.pick}

    def picked() -> None:
        choice = st.session_state[key]["pick"]
        if on_pick and isinstance(choice, str) and choice in pickable:
            on_pick(choice)

    _component(data=packed(tiles, name), key=key, on_pick_change=picked)


def packed(tiles: Sequence[Tile], name: str) -> bytes:
    """The strip as bytes for strip.js: one array per tile, named by its place."""
    described = [_described(tile) for tile in tiles]
    arrays = {str(place): np.asarray(tile.values, np.float32) for place, tile in enumerate(tiles)}
    return pack({"name": name, "tiles": described}, arrays)


def _described(tile: Tile) -> dict[str, Any]:
    values = np.asarray(tile.values)
    if values.ndim != 2 or values.size == 0:
        raise ValueError(f"tile {tile.name!r} needs a matrix with rows and columns, got shape {values.shape}")
    if np.isnan(values).any() or np.isposinf(values).any():
        raise ValueError(f"tile {tile.name!r} holds NaN or +inf; only finite values and −inf can be drawn")
    if tile.scale not in SCALES:
        raise ValueError(f"tile {tile.name!r}: scale {tile.scale!r} is not one of {', '.join(SCALES)}")
    for labels, size in ((tile.rows, values.shape[0]), (tile.cols, values.shape[1])):
        if labels and len(labels) != size:
            raise ValueError(f"tile {tile.name!r} has {size} rows or columns and {len(labels)} labels")
    largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    plain = {field: getattr(tile, field) for field in ("name", "title", "shape", "part", "scale", "tint", "before")}
    flags = {field: getattr(tile, field) for field in ("starts", "pick", "chosen")}
    lists = {field: list(getattr(tile, field)) for field in ("size", "rows", "cols", "axes")}
    return plain | flags | lists | {"limit": largest or 1.0, "largest": largest}
