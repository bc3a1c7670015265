"""Pages that are about one kind of model: who comes with another is given theirs."""

import streamlit as st

from pages.queries import models as cache
from pages.shell.address import fixed
from pages.shell.models import choose_for
from pages.shell.page import Page
from pages.shell.settings import CHOSEN, MODEL
from pages.widgets import PAGES, plain

KIND = MODEL[0]


def settle(page: Page) -> None:
    """On arriving at a page that is about another kind of model, choose the one that it is about.

    Call before any widget. On a first visit the address is opened again with that model in it: of a widget that does
    not stand yet, nothing is written into the address.
    """
    state = st.session_state
    if state.get("page") == page.address:
        return
    state["page"] = page.address
    if page.model and _architecture() not in page.architectures and page.model in cache.model_names():
        if CHOSEN.key in state:
            choose_for(page.model)
        elif st.query_params.get(CHOSEN.key) != page.model:
            asked = {key: st.query_params.get_all(key) for key in st.query_params} | {CHOSEN.key: [page.model]}
            gone = fixed(asked)
            st.switch_page(
                state[PAGES][page.address], query_params={key: asked[key] for key in asked if key not in gone}
            )


def suited(page: Page) -> bool:
    """Whether this page can show the chosen model; where not, say so and offer the one that it is about."""
    run = st.session_state["run"]
    if run.config.architecture in page.architectures:
        return True
    kinds = " or ".join(f"{'an' if kind[0] == 'e' else 'a'} {kind}" for kind in page.architectures)
    st.info(f"This page is about {kinds}; the chosen model is of another kind.", icon=":material/swap_horiz:")
    st.button(f"Use the {plain(page.model)}", on_click=choose_for, args=(page.model,), type="primary")
    return False


def _architecture() -> str:
    """Of the model that the session or the address asks for."""
    model, kind = (_asked(setting.key, setting.default) for setting in (CHOSEN, KIND))
    if model not in cache.model_names():
        return kind
    try:
        return cache.trained(model).config.architecture
    except ValueError:
        return ""


def _asked(key: str, default: str) -> str:
    return str(st.session_state.get(key) or st.query_params.get(key, default))
