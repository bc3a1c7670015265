"""The Present mode for a projector: its switch, its keys, and the QR code that fills the screen."""

from functools import cache
from pathlib import Path

import streamlit as st

from pages.canvas.presenter.presenter import CodeScreen, presenter
from pages.session.visit import take, visit_state
from pages.shell.page import Page
from pages.shell.sharing import code_of, shared_address
from pages.widgets import PRESENT

STYLE = Path(__file__).with_name("presenting.css")
HELP = "For a projector: larger type, and the picture fits the screen. Keys: ← → and Page Up, Page Down; Q; Esc."


def present(page: Page) -> None:
    """Draw the switch for Present, the mode for projectors, and apply its style sheet if it is on.

    The switch is never in the URL: a shared link opens the page as it is read, not presented.
    """
    on = st.toggle("Present", key=PRESENT, persist_state="session", help=HELP)
    if on:
        st.html(present_styles(page.file))
    code_asked = take(visit := visit_state(), "shows_code")
    presenter(on, _screen(page) if on and code_asked else None, lambda: setattr(visit, "shows_code", True))


@cache
def present_styles(page_file: str) -> str:
    """Return the style sheet of Present, followed by the one beside the page's file if there is one."""
    sheets = (STYLE, Path(page_file).with_name(STYLE.name))
    return f"<style>{''.join(sheet.read_text(encoding='utf-8') for sheet in sheets if sheet.exists())}</style>"


def _screen(page: Page) -> CodeScreen:
    code, address, why = code_of(shared_address(page))
    return CodeScreen(code.svg_data_uri(border=2, light="white") if code else "", address, why)
