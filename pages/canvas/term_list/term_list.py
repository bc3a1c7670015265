"""Terms of the glossary with their explanations, from A to Z."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

_component = component("term_list")


@dataclass(frozen=True)
class TermList(CanvasDrawing):
    """A list of glossary terms with their explanations; a click on a term opens its card.

    terms: their names; the browser fetches their explanations once (`modules.GLOSSARY`).
    name: the name of the list for screen readers.
    """

    clicks: ClassVar[tuple[str, ...]] = ()

    terms: Sequence[str]
    _: KW_ONLY
    key: str
    name: str

    def packed(self) -> bytes:
        """Return the list as bytes for term_list.js."""
        return pack({"name": self.name, "terms": list(self.terms)}, {})

    def draw(self) -> None:
        """Put the list on the page."""
        _component(data=self.data(), key=self.key)
