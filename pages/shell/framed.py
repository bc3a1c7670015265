"""One view without header and menu, for a page that shows it in a frame: `?embed=true`."""

from functools import cache
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from core.lessons.lesson import Screen
from core.lessons.words import picked_settings
from core.topics.shared.truth import Truth
from pages.shell.page import Page
from pages.shell.settings import TEXT
from pages.shell.sharing import shared_address

STYLE = Path(__file__).with_name("framed.css")


def draw_framed(page: Page) -> None:
    """Apply the style sheet of a framed view, and draw the link to the whole page, which opens in a tab of its own."""
    st.html(_styles())
    st.link_button("Open in Attention Explorer", shared_address(page), icon=":material/open_in_new:")


def framed_address(page: Page, screen: Screen, truth: Truth, text: str) -> str:
    """Return the address, below that of the app, of the framed view that shows what the question of a screen is about.

    truth: the right answer, at which the view opens.
    text: what the model reads.
    """
    read = {TEXT.key: text} if page.reads_text else {}
    query = {**read, **screen.settings, **picked_settings(screen, truth), "embed": "true"}
    return f"{page.address}?{urlencode(query)}"


@cache
def _styles() -> str:
    return f"<style>{STYLE.read_text(encoding='utf-8')}</style>"
