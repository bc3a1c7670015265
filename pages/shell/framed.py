"""One view without header and menu, for the page of a course that shows it in a frame: `?embed=true`."""

from functools import cache
from pathlib import Path

import streamlit as st

from pages.shell.page import Page
from pages.shell.sharing import shared_address

STYLE = Path(__file__).with_name("framed.css")


def draw_framed(page: Page) -> None:
    """Apply the style sheet of a framed view, and draw the link to the whole page, which opens in a tab of its own."""
    st.html(_styles())
    st.link_button("Open in Attention Explorer", shared_address(page), icon=":material/open_in_new:")


@cache
def _styles() -> str:
    return f"<style>{STYLE.read_text(encoding='utf-8')}</style>"
