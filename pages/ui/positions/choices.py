"""What a visitor can set on this page."""

from pages.ui.settings import Setting

POSITIONS: tuple[Setting, ...] = ()
