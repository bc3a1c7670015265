"""The keyboard shortcuts of Present, and the QR code that fills the screen."""

from collections.abc import Callable
from dataclasses import dataclass

from pages.canvas.runtime.modules import component

_component = component("presenter")


@dataclass(frozen=True)
class CodeScreen:
    """A QR code that fills the screen, with the address that it holds.

    code: the picture as a data URI, or "" if there is none.
    address: the address in letters.
    words: the reason if there is no code.
    """

    code: str
    address: str
    words: str = ""


def presenter(on: bool, screen: CodeScreen | None, on_code: Callable[[], None]) -> None:
    """Handle the keyboard shortcuts of Present and show the QR code; draw this once on every page.

    on: whether the page is presented; only then do its keys act.
    screen: shown at once, until a key or a click closes it.
    on_code: called when the visitor asks for the code.
    """
    shown = None if screen is None else {"code": screen.code, "address": screen.address, "words": screen.words}
    _component(data={"on": on, "screen": shown}, key="presenter", on_code_change=on_code, width="content")
