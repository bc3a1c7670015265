"""Terms of the glossary with their words, from A to Z."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass

from pages.canvas.runtime.clicks import Settings, sent, store
from pages.canvas.runtime.modules import component
from pages.canvas.runtime.pack import pack

_component = component("term_list")


@dataclass(frozen=True)
class TermList:
    """A list to read through. terms: their names; what each means, the browser fetches once (`modules.GLOSSARY`).

    sets: the settings that a click on a term changes. name: what a screen reader calls the list.
    """

    terms: Sequence[str]
    _: KW_ONLY
    key: str
    name: str
    sets: Callable[[str], Settings]

    def packed(self) -> bytes:
        """The list as bytes for term_list.js."""
        return pack({"name": self.name, "terms": list(self.terms)}, {})

    def draw(self) -> None:
        """Put the list on the page."""
        _component(data=self.packed(), key=self.key, on_pick_change=self._picked)

    def _picked(self) -> None:
        term = sent(self.key, "pick")
        if isinstance(term, str):
            store(self.sets(term))
