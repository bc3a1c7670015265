"""What a visitor can set on the page Architecture."""

from pages.widgets import Setting

SETTINGS: tuple[Setting, ...] = ()
