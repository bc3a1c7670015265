"""What of the address goes along to another page, where Streamlit 1.67 would drop it."""

from collections.abc import Collection, Iterable

import streamlit as st

from pages.shell.address import replace_query
from pages.widgets import Setting

TAKEN = "taken"  # in the session: what goes along to the next page, from one run to the next
DRAWN = "drawn-page"  # in the session: the page drawn last


def arrives(page: str) -> bool:
    """Whether another page than this one, told by its address, was drawn last."""
    return bool(st.session_state.get(DRAWN, page) != page)


def set_anew(shared: Iterable[Setting]) -> None:
    """Settings that pages share keep their values, and the browser is told to write them into the address. Call before
    their widgets."""
    held = {each: st.session_state.get(each.key, each.default) for each in shared}
    st.session_state.update({each.key: value for each, value in held.items() if value != each.default})


def take_along(own: Collection[str]) -> None:
    """Before a switch to another page by a click on a drawing, which clears the address: keep all of it but the keys of
    this page."""
    st.session_state[TAKEN] = {key: st.query_params.get_all(key) for key in st.query_params if key not in own}


def put_back() -> None:
    """After a switch: put what was kept into the address again. Call before any widget."""
    if taken := st.session_state.pop(TAKEN, None):
        replace_query(taken | {key: st.query_params.get_all(key) for key in st.query_params})
