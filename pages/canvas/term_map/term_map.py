"""The terms of the glossary as a map of a transformer, with one of them explained."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass

from pages.canvas.runtime.clicks import Settings, sent, store
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

_component = component("term_map")


@dataclass(frozen=True)
class TermMap:
    """Every term in its part of the model. What a term means, the browser fetches once (`modules.GLOSSARY`).

    chosen: the term that is explained. live: by term, what it is in this model and text. sets: the settings that a
    click on a term changes. name: what a screen reader calls the picture.
    """

    chosen: str
    live: Mapping[str, str]
    _: KW_ONLY
    key: str
    name: str
    sets: Callable[[str], Settings]

    def packed(self) -> bytes:
        """The map as bytes for term_map.js."""
        return pack({"name": self.name, "chosen": self.chosen, "live": dict(self.live)}, {})

    def draw(self) -> None:
        """Put the map on the page."""
        _component(data=self.packed(), key=self.key, on_pick_change=self._picked)

    def _picked(self) -> None:
        term = sent(self.key, "pick")
        if isinstance(term, str):
            store(self.sets(term))
