"""The browser's side of the address: steps through its history one at a time, and restores lost settings."""

from collections.abc import Mapping, Sequence

from pages.canvas.runtime.modules import component

_component = component("history", html="<span hidden></span>")


def keep_history(page: str) -> None:
    """Pass on steps in the browser's history one at a time; draw this once on every page."""
    _component(data={"page": page}, key="history")


def write_address(lacks: Mapping[str, Sequence[str]]) -> None:
    """Put lost settings back into the page's address; draw this at the end of every page.

    lacks: the settings that are missing from the address, with their values.
    """
    pairs = [[key, value] for key, values in lacks.items() for value in values]
    _component(data={"lacks": pairs}, key="address")
