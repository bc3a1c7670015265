"""Pages that are about one kind of model: who comes with another is given theirs."""

from dataclasses import dataclass

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.run import Run
from pages.ui import cache
from pages.ui.address import fixed
from pages.ui.choices import CHOSEN, MODEL
from pages.ui.models import choose_for
from pages.ui.say import plain

KIND = MODEL[0]


@dataclass(frozen=True)
class Need:
    """The architectures that a page can show, and the trained model that it is given otherwise."""

    architectures: tuple[str, ...]
    model: str


NEEDS = {
    "translate": Need(("encoder-decoder",), "translator"),
    "generate": Need(("decoder",), "storyteller"),
    "kv-cache": Need(("decoder", "encoder-decoder"), "storyteller"),
}


def settle(page: StreamlitPage) -> None:
    """On arriving at a page that is about another kind of model, choose the one that it is about.

    Call before any widget. On a first visit the address is opened again with that model in it: of a widget that does
    not stand yet, nothing is written into the address.
    """
    state, need = st.session_state, NEEDS.get(page.url_path)
    if state.get("page") == page.url_path:
        return
    state["page"] = page.url_path
    if need and _architecture() not in need.architectures and need.model in cache.model_names():
        if CHOSEN.key in state:
            choose_for(need.model)
        elif st.query_params.get(CHOSEN.key) != need.model:
            asked = {key: st.query_params.get_all(key) for key in st.query_params} | {CHOSEN.key: [need.model]}
            gone = fixed(asked)
            st.switch_page(page, query_params={key: asked[key] for key in asked if key not in gone})


def shows(page: str, run: Run) -> bool:
    """Whether this page is about models like that of the run."""
    return page not in NEEDS or run.config.architecture in NEEDS[page].architectures


def suited(page: str) -> bool:
    """Whether this page can show the chosen model; where not, say so and offer the one that it is about."""
    need = NEEDS[page]
    if shows(page, st.session_state["run"]):
        return True
    kinds = " or ".join(f"{'an' if kind[0] == 'e' else 'a'} {kind}" for kind in need.architectures)
    st.info(f"This page is about {kinds}; the chosen model is of another kind.", icon=":material/swap_horiz:")
    st.button(f"Use the {plain(need.model)}", on_click=choose_for, args=(need.model,), type="primary")
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
