"""Terms of the glossary with their explanations, from A to Z."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass

from pages.canvas.runtime.clicks import Settings, sent, store
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

_component = component("term_list")


@dataclass(frozen=True)
class TermList(CanvasDrawing):
    """A list of glossary terms with their explanations.

    terms: their names; the browser fetches their explanations once (`modules.GLOSSARY`).
    sets: returns the settings that a click on a term changes.
    name: the name of the list for screen readers.
    """

    terms: Sequence[str]
    _: KW_ONLY
    key: str
    name: str
    sets: Callable[[str], Settings]

    def packed(self) -> bytes:
        """Return the list as bytes for term_list.js."""
        return pack({"name": self.name, "terms": list(self.terms)}, {})

    def draw(self) -> None:
        """Put the list on the page."""
        _component(data=self.data(), key=self.key, on_pick_change=self._picked)

    def _picked(self) -> None:
        term = sent(self.key, "pick")
        if isinstance(term, str):
            store(self.sets(term))
