"""Pages that are about one kind of model, on arriving and where their own model is missing."""

import streamlit as st

from core.tracing.run import Run
from pages.shell.model_choice import option_label, replace_unreadable_texts
from pages.shell.page import Page
from pages.shell.settings import TEXT
from pages.widgets.session import visit_state


def settle(page: Page) -> None:
    """On arriving at a page, a text that the model of this page cannot read, or an example of another model, makes
    place for one of its own. Call before any widget."""
    visit = visit_state()
    if visit.text_checked_on != page.address and TEXT.key in st.session_state:
        replace_unreadable_texts(page)
    visit.text_checked_on = page.address


def other_model(page: Page, name: str) -> str:
    """Say that a page shows another model than the last page that showed one; "" where it does not, and where the
    visitor has chosen it here. name: the model of this page."""
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
    """Whether this page can show the model of this run; where not, say so."""
    if run.config.architecture in page.architectures:
        return True
    st.info(f"This page is about {page.kinds}; choose that architecture in the drawer.", icon=":material/swap_horiz:")
    return False
