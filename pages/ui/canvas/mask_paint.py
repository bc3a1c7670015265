"""A mask that is painted by hand: drag over cells with a mouse or a finger, or use the arrow keys and Space."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages.ui.canvas.assets import ROOT_HTML, script, style
from pages.ui.canvas.pack import pack

Stroke = tuple[list[int], bool]
MOST_STROKES = 1000

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
    on_paint: Callable[[Sequence[Stroke]], None],
    height: int = 420,
    outlined: int | None = None,
    refused: str = "",
) -> None:
    """Draw an (L, L) mask, rows queries, columns keys; `on_paint(strokes)` runs before the rerun that they cause.

    base: the mask under the painting; cells that differ from it bear a dot. A stroke is (cells, may): cells count row
    by row; may: what the stroke makes of them. height: pixels that the matrix may take. outlined: a row to frame.
    refused: why the last stroke was not taken, which is spoken. Raises ValueError for shapes that do not go together.
    """
    data = packed(mask, base, labels, name=name, title=title, height=height, outlined=outlined, refused=refused)

    def painted() -> None:
        sent = st.session_state.get(key)  # gone, if the visitor has just left for a view without this brush
        strokes = valid_strokes(sent["strokes"], len(labels)) if sent is not None else []
        if strokes:
            on_paint(strokes)

    _component(data=data, key=key, on_strokes_change=painted)


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


def valid_strokes(value: Any, length: int) -> list[Stroke]:
    """Strokes as sent by the browser; none at all where one of them is no stroke on a mask of this length."""
    if not isinstance(value, dict) or value.get("length") != length:
        return []
    strokes = value.get("strokes")
    if not isinstance(strokes, list) or len(strokes) > MOST_STROKES:
        return []
    if not all(_is_stroke(each, length * length) for each in strokes):
        return []
    return [(each["cells"], each["may"]) for each in strokes]


def _is_stroke(value: Any, count: int) -> bool:
    if not isinstance(value, dict) or type(value.get("may")) is not bool:
        return False
    cells = value.get("cells")
    if not isinstance(cells, list) or not 0 < len(cells) <= count:
        return False
    return all(type(cell) is int and 0 <= cell < count for cell in cells)
