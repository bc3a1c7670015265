"""Checks of the text and the model when a visitor comes to a page."""

import streamlit as st

from core.tracing.run import Run
from pages.shell.model_choice import option_label, replace_unreadable_texts
from pages.shell.page import Page
from pages.shell.settings import TEXT
from pages.widgets.session import visit_state


def settle(page: Page) -> None:
    """On arriving at a page, replace a text that does not suit its model. Call before any widget.

    That is a text that the model cannot read, or an example of another model: see `replace_unreadable_texts`.
    """
    visit = visit_state()
    if visit.text_checked_on != page.address and TEXT.key in st.session_state:
        replace_unreadable_texts(page)
    visit.text_checked_on = page.address


def other_model(page: Page, name: str) -> str:
    """Return a sentence if the page shows another model than the last page that showed one; else "".

    It is also "" if the visitor has chosen another model on this page.

    name: the model of this page.
    """
    visit = visit_state()
    if not (page.uses_model and page.shows_model):
        return ""
    at, came, before = visit.shown_models
    if at != page.address:
        at, came, before = page.address, name, visit.last_model or name
        visit.shown_models = at, came, before
    visit.last_model = name
    if name != came or name == before:
        return ""
    now, then = (option_label(page, each) for each in (name, before))
    return f"This page shows another model than before: “{now}” instead of “{then}”."


def page_can_show(page: Page, run: Run) -> bool:
    """Return whether this page can show the model of this run; if not, say so on the page."""
    if run.config.architecture in page.architectures:
        return True
    st.info(f"This page is about {page.kinds}; choose that architecture in the drawer.", icon=":material/swap_horiz:")
    return False
