"""Switching to another page from a click on a drawing: Streamlit clears the address, so it is kept over the switch."""

from collections.abc import Collection

import streamlit as st

from pages.shell.address import replace_query

TAKEN = "taken"  # in the session: what goes along to the next page, from one run to the next


def take_along(own: Collection[str]) -> None:
    """Before a switch to another page, which clears the address: keep all of it but the keys of this page."""
    st.session_state[TAKEN] = {key: st.query_params.get_all(key) for key in st.query_params if key not in own}


def put_back() -> None:
    """After a switch: put what was kept into the address again. Call before any widget."""
    if taken := st.session_state.pop(TAKEN, None):
        replace_query(taken | {key: st.query_params.get_all(key) for key in st.query_params})
