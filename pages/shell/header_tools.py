"""The end of the header: the Present switch, and a panel with sharing and reset."""

from collections.abc import Sequence

import streamlit as st

from pages.shell.default_head import find_again
from pages.shell.model_choice import apply_example, default_example, effective_model, requested_kind, requested_model
from pages.shell.page import Page
from pages.shell.presenting import present
from pages.shell.sharing import code_of, shared_address
from pages.shell.url import pin
from pages.widgets import Setting, plain


def draw_header_tools(page: Page, known: Sequence[Setting]) -> None:
    """Draw the Present switch, and the button that opens the panel with sharing and reset."""
    present(page)
    panel = st.popover("Share, reset", icon=":material/share:", key="tools", on_change="rerun")
    with panel:
        st.button("Reset", key="reset-all", icon=":material/restart_alt:", on_click=_reset, args=(page, known))
        if not panel.open:
            return
        st.caption("This address opens what you see:")
        st.code(address := shared_address(page), language=None, wrap_lines=True)
        code, reached, why = code_of(address)
        if code:
            picture = code.svg_inline(scale=6, border=2, light="white")
            st.image(picture, width=220, caption="Point a phone's camera here.")
            if reached != address:
                st.caption(f"In your network: {plain(reached)}")
        else:
            st.caption(why)


def _reset(page: Page, known: Sequence[Setting]) -> None:
    state = st.session_state
    state.update({setting.key: setting.default for setting in known if setting.key in state})
    find_again()
    pin({})
    apply_example(default_example(page, effective_model(page, requested_model(), requested_kind())))
