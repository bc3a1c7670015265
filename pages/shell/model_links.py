"""Links to the pages that can show each trained model."""

import streamlit as st

from core.readings.models import ELSEWHERE
from pages.compute import cache
from pages.shell.default_head import keep_place
from pages.shell.model_choice import effective_model, kind_of, replace_unreadable_texts, requested_kind, requested_model
from pages.shell.page import Page
from pages.shell.settings import MODEL, RANDOM_WEIGHTS
from pages.shell.url_params import fits
from pages.widgets import PLACE, SAME_RUN, plain
from pages.widgets.session import visit_state

LINKED = "show-model"  # in the URL, until the link has been followed


def pages_for(name: str) -> list[Page]:
    """Return the pages that can show a trained model, those for the fewest architectures first."""
    kind, pages = kind_of(name), visit_state().all_pages
    return sorted((each for each in pages if kind in each.architectures), key=lambda each: len(each.architectures))


def list_elsewhere(page: Page) -> None:
    """List the models that this page cannot show, each with a link to a page that can.

    Models that no page can show are named by family, without a link.
    """
    others = {name: each for name, each in cache.listed().items() if each.architecture not in page.architectures}
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
    """Draw a link to each page that can show a trained model."""
    if not (pages := pages_for(name)):
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="seen-on"):
        st.caption("See it on", width="content")
        for page in pages:
            _link(page.title, page, name)


def _link(label: str, page: Page, name: str) -> None:
    """Draw a link to a page that is to show this trained model."""
    st.page_link(visit_state().entries[page.address], label=plain(label), query_params={LINKED: name})


def follow_link(page: Page) -> None:
    """Apply the model that a link to this page names, or keep the run of the page that the link was on.

    Call before the URL is read. A link cannot give a shared setting itself, because the session's value of it comes
    before the one in the URL.
    """
    name = st.query_params.pop(LINKED, "")
    if st.query_params.pop(SAME_RUN, ""):
        _keep_run(page)
    elif name in cache.model_names() and MODEL.key in st.session_state:
        st.session_state[MODEL.key] = name
        replace_unreadable_texts(page)


def _keep_run(page: Page) -> None:
    """Keep the model, text, layer and head of the previous page if this page can show such a model."""
    state = st.session_state
    run = visit_state().run
    if run is None or not page.uses_model or run.config.architecture not in page.architectures:
        return
    name = run.model_name or RANDOM_WEIGHTS
    if name != effective_model(page, requested_model(), requested_kind()):
        state[MODEL.key] = name
    visit_state().text_checked_on = page.address  # the text stays, even an example of another page
    asked = {each.key: st.query_params[each.key] for each in PLACE if each.key in st.query_params}
    if asked:
        state.update({each.key: asked[each.key] for each in PLACE if fits(each, asked.get(each.key, ""))})
        keep_place(page, run)
