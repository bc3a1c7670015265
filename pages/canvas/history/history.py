"""The browser's side of the address: steps in its history one at a time, and settings that were lost put back."""

from collections.abc import Mapping, Sequence

from pages.canvas.runtime.modules import component

_component = component("history", html="<span hidden></span>")


def keep_history(page: str, lost: Mapping[str, Sequence[str]]) -> None:
    """Draw this once on every page. lost: settings that belong into its address and are not there, with values."""
    pairs = [[key, value] for key, values in lost.items() for value in values]
    _component(data={"page": page, "lost": pairs}, key="history")
