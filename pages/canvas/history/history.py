"""The browser's side of the address: steps in its history one at a time, and settings that were lost put back."""

from collections.abc import Mapping, Sequence

from pages.canvas.runtime.modules import component

_component = component("history", html="<span hidden></span>")


def keep_history(page: str) -> None:
    """Draw this once on every page."""
    _component(data={"page": page}, key="history")


def write_address(lacks: Mapping[str, Sequence[str]]) -> None:
    """Draw this at the end of every page. lacks: settings that belong into its address, with their values."""
    pairs = [[key, value] for key, values in lacks.items() for value in values]
    _component(data={"lacks": pairs}, key="address")
