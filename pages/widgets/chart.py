"""An Altair chart on a page: its description is built once, data is fed in, and it can be saved and clicked."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pandas as pd
import streamlit as st

from core.charts.style import is_zoomed
from pages.canvas.chart_save.chart_save import chart_save
from pages.canvas.runtime.drawing import Drawing
from pages.widgets.setting import PRESENT

ZOOM_HINT = "Hold Ctrl (or ⌘) and turn the wheel to zoom, drag to move; “Reset view” shows all of it again."
PROJECTOR_TEXT_FACTOR = 1.3  # factor for the text beside bars and points, on a projector
PROJECTOR_LEAST = 16  # pixels: the least size of that text
WORDS: dict[str, Any] = {"labelFontSize": PROJECTOR_LEAST, "titleFontSize": PROJECTOR_LEAST}
# Type for a projector, with little between the words, so that the plot keeps its room.
TYPE: dict[str, Any] = {
    "title": {"fontSize": 18, "offset": 6},
    "text": {"fontSize": 18},
    "axis": WORDS | {"titlePadding": 4, "labelPadding": 4},
    "legend": WORDS | {"offset": 4, "padding": 0, "rowPadding": 2},
    "header": {"labelFontSize": PROJECTOR_LEAST},
}


@lru_cache(maxsize=256)
def spec(builder: Callable[..., dict[str, Any]], *values: Any, **options: Any) -> dict[str, Any]:
    """Return the description that a builder of `core.charts` makes of these values, built once.

    It is cached: do not change it.
    """
    return builder(*values, **options)


def enlarged(description: dict[str, Any]) -> dict[str, Any]:
    """Return the description of the same chart for a projector: larger type, and as high as its place if it may be.

    The style sheet of Present gives its place a height, and the browser fits that to the screen.
    """
    config = description.get("config", {})
    larger = {part: config.get(part, {}) | TYPE.get(part, {}) for part in {**config, **TYPE}}
    fixed = isinstance(description.get("height"), int | float)
    kept = {key: value for key, value in description.items() if not (fixed and key == "height")}
    return _with_larger_marks(kept) | {"config": larger}


def _with_larger_marks(part: Any) -> Any:
    """Return the same part of a description, with text marks `PROJECTOR_TEXT_FACTOR` times as large."""
    if isinstance(part, list):
        return [_with_larger_marks(item) for item in part]
    if not isinstance(part, dict):
        return part
    enlarged = {key: _with_larger_marks(value) for key, value in part.items()}
    mark = enlarged.get("mark")
    if isinstance(mark, dict) and (size := mark.get("fontSize")):
        larger = (
            {"expr": f"max({PROJECTOR_LEAST}, {PROJECTOR_TEXT_FACTOR} * ({size['expr']}))"}
            if isinstance(size, dict)
            else max(PROJECTOR_LEAST, PROJECTOR_TEXT_FACTOR * size)
        )
        enlarged["mark"] = mark | {"fontSize": larger}
    return enlarged


@dataclass(frozen=True, eq=False)
class Chart(Drawing):
    """A chart among a view's pictures, which can be saved as PNG and SVG.

    data: the rows that it draws.
    spec: its constant Vega-Lite description, from `spec`.
    key: the prefix of its keys.
    name: its name for screen readers, and the stem of the saved file.
    sets: returns the values that a click on a mark sets, from the field "place" of the selection "picked"; the spec
        must then have that selection.
    """

    data: pd.DataFrame
    spec: dict[str, Any]
    key: str
    name: str
    sets: Callable[[int], Mapping[str, Any]] | None = None

    def draw(self) -> None:
        presented = bool(st.session_state.get(PRESENT))
        drawn = (enlarged(self.spec) if presented else self.spec) | {"description": self.name}
        fills = presented and "height" not in drawn
        size: dict[str, Any] = {"width": "stretch", "height": "stretch" if fills else "content"}
        with st.container(key=self.key), st.container(key=f"{self.key}-fills") if fills else nullcontext():
            if self.sets is None:
                st.vega_lite_chart(self.data, drawn, **size)
            else:
                st.vega_lite_chart(
                    self.data,
                    drawn,
                    **size,
                    key=f"{self.key}-chart",
                    on_select=self._picked,
                    selection_mode="picked",
                )
        chart_save(self.key, name=self.name, zooms=is_zoomed(self.spec))

    def _picked(self) -> None:
        chosen = st.session_state[f"{self.key}-chart"]["selection"].get("picked")
        if chosen and self.sets is not None:
            st.session_state.update(self.sets(int(chosen[0]["place"])))
