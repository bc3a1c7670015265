"""The terms of the glossary as a map of a transformer, with one of them explained."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass

from pages.canvas.runtime.clicks import Settings, sent, store
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

_component = component("term_map")


@dataclass(frozen=True)
class TermMap(CanvasDrawing):
    """A map of a transformer's parts, with each glossary term beside the part that it belongs to.

    The browser fetches the explanations of the terms once (`modules.GLOSSARY`).

    chosen: the term that is explained.
    live: by term, its value in this model and text.
    sets: returns the settings that a click on a term changes.
    name: the name for screen readers.
    """

    chosen: str
    live: Mapping[str, str]
    _: KW_ONLY
    key: str
    name: str
    sets: Callable[[str], Settings]

    def packed(self) -> bytes:
        """Return the map as bytes for term_map.js."""
        return pack({"name": self.name, "chosen": self.chosen, "live": dict(self.live)}, {})

    def draw(self) -> None:
        """Put the map on the page."""
        _component(data=self.data(), key=self.key, on_pick_change=self._picked)

    def _picked(self) -> None:
        term = sent(self.key, "pick")
        if isinstance(term, str):
            store(self.sets(term))
