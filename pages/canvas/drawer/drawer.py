"""A button that opens the drawer at the left, and may change settings as it does."""

from collections.abc import Callable

from pages.canvas.runtime.clicks import Settings, store
from pages.canvas.runtime.modules import component

_component = component("drawer")


def drawer_button(label: str, key: str, sets: Callable[[], Settings] | None = None) -> None:
    """Draw a button that opens the drawer at the left.

    sets: returns the new values of settings by their keys, when the button is clicked.
    """

    def clicked() -> None:
        if sets:
            store(sets())

    _component(data={"label": label}, key=key, on_open_change=clicked, width="content")
