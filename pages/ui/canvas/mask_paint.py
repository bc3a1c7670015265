"""A mask that is painted by hand: drag over cells with a mouse or a finger, or use the arrow keys and Space."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages.ui.canvas.assets import ROOT_HTML, script, style
from pages.ui.canvas.pack import pack

_component = st.components.v2.component(
    "mask_paint",
    html=ROOT_HTML,
    css=style("stage", "matrices", "mask_paint"),
    js=script("stage", "matrix_panel", "mask_paint"),
)


def mask_paint(
    mask: np.ndarray,
    base: np.ndarray,
    labels: Sequence[str],
    *,
    key: str,
    name: str,
    title: str,
    on_paint: Callable[[list[int], bool], None],
    height: int = 420,
    outlined: int | None = None,
    refused: str = "",
) -> None:
    """Draw an (L, L) mask, rows queries, columns keys; `on_paint(cells, may)` runs before the rerun of each stroke.

    base: the mask under the painting; cells that differ from it bear a dot. cells count row by row; may: what the
    stroke makes of them. height: pixels that the matrix may take. outlined: a row to frame. refused: why the last
    stroke was not taken, which is spoken. Raises ValueError for shapes that do not go together.
    """
    data = packed(mask, base, labels, name=name, title=title, height=height, outlined=outlined, refused=refused)

    def painted() -> None:
        stroke = valid_stroke(st.session_state[key]["stroke"], len(labels))
        if stroke:
            on_paint(*stroke)

    _component(data=data, key=key, on_stroke_change=painted)


def packed(
    mask: np.ndarray,
    base: np.ndarray,
    labels: Sequence[str],
    *,
    name: str,
    title: str,
    height: int = 420,
    outlined: int | None = None,
    refused: str = "",
) -> bytes:
    """The picture as bytes for mask_paint.js."""
    square = (len(labels), len(labels))
    if np.shape(mask) != square or np.shape(base) != square or not labels:
        raise ValueError(f"{len(labels)} labels do not fit masks of shape {np.shape(mask)} and {np.shape(base)}")
    meta = {"name": name, "title": title, "labels": list(labels), "height": height}
    meta |= {"outlined": outlined, "refused": refused}
    return pack(meta, {"mask": mask.astype(np.uint8), "base": base.astype(np.uint8)})


def valid_stroke(value: Any, length: int) -> tuple[list[int], bool] | None:
    """(cells, may) as sent by the browser, or None when it is no stroke on a mask of this length."""
    if not isinstance(value, dict) or value.get("length") != length or type(value.get("may")) is not bool:
        return None
    cells = value.get("cells")
    if not isinstance(cells, list) or not 0 < len(cells) <= length * length:
        return None
    if not all(type(cell) is int and 0 <= cell < length * length for cell in cells):
        return None
    return cells, value["may"]
