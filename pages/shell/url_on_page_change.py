"""Keeps settings in the URL at a change of page, because Streamlit 1.67 would drop them."""

from collections.abc import Collection, Iterable

import streamlit as st

from pages.compute.streamlit_patches import replace_query, write_as_lists
from pages.shell.url_params import Params, written_value
from pages.widgets import Setting
from pages.widgets.session import take, visit_state


def arrives(page: str) -> bool:
    """Return whether the page drawn last was another than this one; False if none was drawn yet.

    page: its address.
    """
    return (visit_state().drawn_page or page) != page


def resend_settings(shared: Iterable[Setting]) -> None:
    """Keep the values of settings that pages share, and tell the browser. Call before their widgets."""
    held = {each: st.session_state.get(each.key, each.default) for each in shared}
    held = {each: value for each, value in held.items() if value != each.default}
    st.session_state.update({each.key: value for each, value in held.items()})
    write_as_lists(each.key for each in held)


def begin_noting(settings: Iterable[Setting]) -> None:
    """Forget which of these settings the URL lacks. Call before they are drawn.

    Those that are still drawn are noted again.
    """
    held = visit_state().unwritten
    for each in settings:
        held.pop(each.key, None)


def pending_url_writes() -> Params:
    """Return the drawn settings that the URL lacks, for the browser to write."""
    held = visit_state().unwritten.values()
    return {each.key: written_value(each, value) for each, value in held}


def save_query(own: Collection[str]) -> None:
    """Store the query before a switch to another page by a click on the page, because the switch clears the URL.

    own: the keys of this page's settings, which are left out.
    """
    visit_state().saved_query = {key: st.query_params.get_all(key) for key in st.query_params if key not in own}


def restore_query() -> None:
    """Put the stored query back into the URL after a switch to another page. Call before any widget."""
    if taken := take(visit_state(), "saved_query"):
        replace_query({**taken} | {key: st.query_params.get_all(key) for key in st.query_params})
