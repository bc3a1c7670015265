"""The end of the header: the Present switch, and a panel with undo, reset and sharing."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import streamlit as st

from pages.compute.streamlit_patches import history_query
from pages.session.visit import visit_state
from pages.shell.default_head import find_again
from pages.shell.model_choice import apply_example, default_example, effective_model, requested_kind, requested_model
from pages.shell.page import Page
from pages.shell.presenting import present
from pages.shell.sharing import code_of, shared_address
from pages.shell.url import pin
from pages.widgets import Setting, plain

PINS = "pins"  # key of the pins among the recorded settings
STEPS = 50


def draw_header_tools(page: Page, known: Sequence[Setting]) -> None:
    """Draw the Present switch, and the button that opens the panel with undo, reset and sharing."""
    present(page)
    panel = st.popover("Undo, share", icon=":material/share:", key="tools", on_change="rerun")
    with panel:
        with st.container(horizontal=True):
            none = not visit_state().past
            st.button("Undo", key="undo-last", icon=":material/undo:", on_click=_undo, disabled=none)
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


def remember(known: Sequence[Setting]) -> None:
    """Record the current settings and pins, and those before the last change, so that it can be undone.

    Draw all widgets first. Going back in the browser takes a change back, as Undo does.
    """
    state, visit = st.session_state, visit_state()
    values = {setting.key: held_value(setting.key) for setting in known if setting.key in state}
    values[PINS] = visit.pins
    before: Mapping[str, Any] = visit.seen or values
    changed = {key: before[key] for key in values.keys() & before.keys() if before[key] != values[key]}
    if changed:
        past = visit.past
        back = past and history_query() is not None
        taken_back = back and all(values.get(key) == past[-1][key] for key in past[-1])
        visit.past = past[:-1] if taken_back else [*past, changed][-STEPS:]
    visit.seen = dict(before) | values


def last_changes() -> Iterator[Mapping[str, Any]]:
    """Yield the values that settings had before each change, the latest change first.

    The first mapping is the change in this run of the script; it is empty if there is none.
    """
    state, visit = st.session_state, visit_state()
    values = visit.seen
    yield {key: values[key] for key in values if key in state and held_value(key) != values[key]}
    yield from reversed(visit.past)


def held_value(key: str) -> Any:
    """Return the value of a setting in the session, several choices as a tuple.

    Streamlit's widgets report them as a list, and a setting's default is a tuple: the same choices must be equal.
    """
    value = st.session_state[key]
    return tuple(value) if isinstance(value, list) else value


def _undo() -> None:
    visit = visit_state()
    *visit.past, last = visit.past
    if PINS in last:
        pin(last[PINS])
    st.session_state.update({key: value for key, value in last.items() if key != PINS})
    visit.seen = {**visit.seen, **last}


def _reset(page: Page, known: Sequence[Setting]) -> None:
    state = st.session_state
    state.update({setting.key: setting.default for setting in known if setting.key in state})
    find_again()
    pin({})
    apply_example(default_example(page, effective_model(page, requested_model(), requested_kind())))
