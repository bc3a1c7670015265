"""Links to the pages that can show each trained model."""

from collections.abc import Collection

import streamlit as st

from core.readings.models import OTHER_PAGES
from pages.compute import cache
from pages.session.visit import visit_state
from pages.shell.default_head import keep_place
from pages.shell.model_choice import effective_model, kind_of, replace_unreadable_texts, requested_kind, requested_model
from pages.shell.page import Page
from pages.shell.settings import MODEL, model_value
from pages.shell.url_params import LINK_MARK, set_from
from pages.widgets import PLACE, SAME_RUN, plain


def pages_for(name: str) -> list[Page]:
    """Return the pages that can show a trained model, those for the fewest architectures first."""
    kind, pages = kind_of(name), visit_state().all_pages
    return sorted((page for page in pages if kind in page.architectures), key=lambda page: len(page.architectures))


def list_elsewhere(page: Page) -> None:
    """List the models that this page cannot show, each with a link to a page that can.

    Models that no page can show are named by family, without a link.
    """
    others = {name: entry for name, entry in cache.listed().items() if entry.architecture not in page.architectures}
    if not others:
        return
    with st.expander("Models that this page cannot show", key="elsewhere"):
        nowhere: dict[str, list[str]] = {}
        for name, entry in others.items():
            if pages := pages_for(name):
                _link(f"{entry.title}: see {pages[0].title}", pages[0], name)
            else:
                nowhere.setdefault(entry.family, []).append(f"**{plain(entry.title)}**")
        for family, titles in nowhere.items():
            st.caption(f"{'; '.join(titles)}. {plain(OTHER_PAGES.get(family, ''))}")


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
    st.page_link(
        visit_state().entries[page.address], label=plain(label), query_params={LINK_MARK: "true", MODEL.key: name}
    )


def follow_link(page: Page) -> bool:
    """Apply the link that led to this page: take over the model that it names, or the last page's run, and settings.

    Return whether it keeps that run. The marks of the link are removed from the URL, so it is followed once.
    """
    params = {key: st.query_params.get_all(key) for key in st.query_params}
    keeps = SAME_RUN in params
    if not keeps and LINK_MARK not in params:
        return False
    st.query_params.clear()
    if keeps:
        _keep_run(page, params.keys())
    elif cache.is_model(name := params.get(MODEL.key, [""])[-1]):
        st.session_state[MODEL.key] = name
        replace_unreadable_texts(page)
    set_from(params, (*PLACE, *page.all_settings))
    return keeps


def _keep_run(page: Page, asked_keys: Collection[str]) -> None:
    """Keep the model of the previous page if this page can show it, and the layer and head that the link asks for.

    The text stays too, even an example of another page.
    """
    run = visit_state().run
    if run is None or not page.uses_model or run.config.architecture not in page.architectures:
        return
    name = model_value(run.source)
    if name != effective_model(page, requested_model(), requested_kind()):
        st.session_state[MODEL.key] = name
    if any(setting.key in asked_keys for setting in PLACE):
        keep_place(page, run.model_name)
