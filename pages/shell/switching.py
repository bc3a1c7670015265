"""What of the address goes along to another page, where Streamlit 1.67 would drop it."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shell.address import replace_query
from pages.shell.params import Params, written_value
from pages.widgets import Setting

TAKEN = "taken"  # in the session: what goes along to the next page, from one run to the next
TOLD = "told-to-write"  # in the session: a page, and what the browser was told there that its address lacks
DRAWN = "drawn-page"  # in the session: the page drawn last


def arrives(page: str) -> bool:
    """Whether another page than this one, told by its address, was drawn last."""
    return bool(st.session_state.get(DRAWN, page) != page)


def set_anew(shared: Iterable[Setting]) -> None:
    """Settings that pages share keep their values, and the browser is told. Call before their widgets.

    What the address says of them is held as Streamlit 1.67 writes rows of buttons, as lists: where it holds one word it
    takes the setting for changed, and the browser may write that into the address of the page that was left.
    """
    held = {each: st.session_state.get(each.key, each.default) for each in shared}
    held = {each: value for each, value in held.items() if value != each.default}
    st.session_state.update({each.key: value for each, value in held.items()})
    if context := get_script_run_ctx():
        with context.session_state.query_params() as query:
            for each in held:
                if each.key in query:
                    query.set_with_no_forward_msg(each.key, query.get_all(each.key))


def left_behind(shown: Iterable[Setting], defaults: Mapping[Setting, Any]) -> Params:
    """What belongs into the address of a page at which the visitor has just arrived and is not there: the browser takes
    nothing along of settings whose widgets it has not drawn yet. Call after the widgets.

    shown: the settings that are drawn. defaults: what such a setting has here where the address says nothing.
    """
    gone = [each for each in shown if each.key not in st.query_params]
    held = {each: value for each in gone if (value := st.session_state.get(each.key)) is not None}
    left = {each: written_value(each, value) for each, value in held.items()}
    default = {each: written_value(each, defaults.get(each, each.default)) for each in left}
    return {each.key: value for each, value in left.items() if value != default[each]}


def until_written(page: str, lost: Params, known: Iterable[Setting]) -> Params:
    """What the browser is to write into the address: this, and what it was told on this page before and has not yet
    written, where the visitor has not changed it since."""
    state = st.session_state
    on, before = state.get(TOLD, (page, {}))
    waits = [each for each in known if on == page and each.key in before and each.key not in st.query_params]
    held = {each: value for each in waits if (value := state.get(each.key)) is not None}
    same = {each.key for each, value in held.items() if written_value(each, value) == list(before[each.key])}
    told = {key: before[key] for key in before if key in same} | dict(lost)
    state[TOLD] = page, told
    return told


def take_along(own: Collection[str]) -> None:
    """Before a switch to another page by a click on a drawing, which clears the address: keep all of it but the keys of
    this page."""
    st.session_state[TAKEN] = {key: st.query_params.get_all(key) for key in st.query_params if key not in own}


def put_back() -> None:
    """After a switch: put what was kept into the address again. Call before any widget."""
    if taken := st.session_state.pop(TAKEN, None):
        replace_query(taken | {key: st.query_params.get_all(key) for key in st.query_params})
