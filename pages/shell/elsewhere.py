"""Where each trained model can be seen."""

import streamlit as st

from core.readings.models import ELSEWHERE
from pages.queries import models
from pages.shell.models import fit_texts, kind_of
from pages.shell.page import TOPICS, Page
from pages.shell.settings import CHOSEN
from pages.widgets import PAGES, plain

LINKED = "show-model"  # in the address, as long as it takes to follow a link


def pages_for(name: str) -> list[Page]:
    """The pages that can show a trained model, those of its own kind alone before the others."""
    kind, pages = kind_of(name), st.session_state.get(TOPICS, ())
    return sorted((each for each in pages if kind in each.architectures), key=lambda each: len(each.architectures))


def list_elsewhere(page: Page) -> None:
    """The models that this page cannot show, each with a link to a page that can."""
    others = {name: each for name, each in models.listed().items() if each.architecture not in page.architectures}
    if not others:
        return
    with st.expander("Models that this page cannot show", key="elsewhere"):
        nowhere: dict[str, list[str]] = {}
        for name, each in others.items():
            if pages := pages_for(name):
                _link(f"{each.title}: see {pages[0].title}", pages[0], name)
            else:
                nowhere.setdefault(each.family, []).append(f"**{plain(each.title)}**")
        for family, titles in nowhere.items():
            st.caption(f"{'; '.join(titles)}. {plain(ELSEWHERE.get(family, ''))}")


def list_pages(name: str) -> None:
    """The pages that can show a trained model, each a link."""
    if not (pages := pages_for(name)):
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="seen-on"):
        st.caption("See it on", width="content")
        for page in pages:
            _link(page.title, page, name)


def _link(label: str, page: Page, name: str) -> None:
    """A link to a page with a trained model."""
    st.page_link(st.session_state[PAGES][page.address], label=plain(label), query_params={LINKED: name})


def follow_link(page: Page) -> None:
    """Show the model that a link to this page names. Call before the address is read.

    A link cannot give a shared setting itself: what the session holds of it goes before what the address says.
    """
    name = st.query_params.pop(LINKED, "")
    if name in models.model_names() and CHOSEN.key in st.session_state:
        st.session_state[CHOSEN.key] = name
        fit_texts(page)
