"""All layers and heads as small pictures on one grid, one of which can be picked."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from pages.ui.canvas.assets import ROOT_HTML, script, style
from pages.ui.canvas.pack import pack

_component = st.components.v2.component(
    "head_grid", html=ROOT_HTML, css=style("stage", "head_grid"), js=script("stage", "head_grid")
)


def head_grid(
    thumbs: np.ndarray,
    *,
    key: str,
    name: str,
    selected: tuple[int, int] | None,
    on_pick: Callable[[int, int], None] | None = None,
    hidden: Sequence[tuple[int, int]] = (),
    caption: str = "",
    limit: float = 1.0,
) -> None:
    """Draw one small pattern per head; `on_pick(layer, head)` runs before the rerun that a pick causes.

    thumbs: uint8 (N layers, H heads, h, w), 255 is a weight of `limit`, which the legend says. Layers and heads
    count from 0 here and from 1 on screen. selected: outlined, if there is such a head. hidden: heads drawn crossed
    out. name: the accessible name, and the stem of the saved file.
    Raises ValueError for another shape or type.
    """
    if thumbs.dtype != np.uint8 or thumbs.ndim != 4 or thumbs.size == 0:
        raise ValueError(f"thumbs must be uint8 (layers, heads, h, w), got {thumbs.dtype} {thumbs.shape}")
    shape = (thumbs.shape[0], thumbs.shape[1])
    meta = {
        "name": name,
        "caption": caption,
        "limit": limit,
        "selected": list(selected) if selected and selected[0] < shape[0] and selected[1] < shape[1] else None,
        "hidden": [list(head) for head in hidden],
        "pickable": on_pick is not None,
    }

    def picked() -> None:
        choice = valid_head(st.session_state[key]["pick"], shape)
        if choice and on_pick:
            on_pick(*choice)

    _component(data=pack(meta, {"thumbs": thumbs}), key=key, on_pick_change=picked)


def valid_head(value: Any, shape: tuple[int, int]) -> tuple[int, int] | None:
    """(layer, head) as sent by the browser, or None when there is no such head."""
    if not isinstance(value, dict):
        return None
    layer, head = value.get("layer"), value.get("head")
    if type(layer) is not int or type(head) is not int:
        return None
    return (layer, head) if 0 <= layer < shape[0] and 0 <= head < shape[1] else None
