"""Pages that are about one kind of model, on arriving and where their own model is missing."""

import streamlit as st

from pages.shell.models import fit_texts
from pages.shell.page import Page
from pages.shell.settings import TEXT


def settle(page: Page) -> None:
    """On arriving at a page, a text that the model of this page cannot read, or an example of another model, makes
    place for one of its own. Call before any widget."""
    state = st.session_state
    if state.get("page") != page.address and TEXT.key in state:
        fit_texts(page)
    state["page"] = page.address


def suited(page: Page) -> bool:
    """Whether this page can show the model; where not, say so."""
    if st.session_state["run"].config.architecture in page.architectures:
        return True
    st.info(f"This page is about {page.kinds}; choose that architecture in the drawer.", icon=":material/swap_horiz:")
    return False
