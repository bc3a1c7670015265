"""What of the address goes along to another page, where Streamlit 1.67 would drop it."""

from collections.abc import Collection, Iterable

import streamlit as st

from pages.compute.streamlit_patches import replace_query, write_as_lists
from pages.shell.url_params import Params, written_value
from pages.widgets import Setting
from pages.widgets.session import take, visit_state


def arrives(page: str) -> bool:
    """Whether another page than this one, told by its address, was drawn last."""
    return (visit_state().drawn_page or page) != page


def resend_settings(shared: Iterable[Setting]) -> None:
    """Settings that pages share keep their values, and the browser is told. Call before their widgets."""
    held = {each: st.session_state.get(each.key, each.default) for each in shared}
    held = {each: value for each, value in held.items() if value != each.default}
    st.session_state.update({each.key: value for each, value in held.items()})
    write_as_lists(each.key for each in held)


def begin_noting(settings: Iterable[Setting]) -> None:
    """Forget what the address lacked of these settings. Call before they are drawn, if they still are."""
    held = visit_state().unwritten
    for each in settings:
        held.pop(each.key, None)


def pending_url_writes() -> Params:
    """What the address lacks of the settings that are drawn: the browser is to write it."""
    held = visit_state().unwritten.values()
    return {each.key: written_value(each, value) for each, value in held}


def save_query(own: Collection[str]) -> None:
    """Before a switch to another page by a click on a drawing, which clears the address: keep all of it but the keys of
    this page."""
    visit_state().saved_query = {key: st.query_params.get_all(key) for key in st.query_params if key not in own}


def restore_query() -> None:
    """After a switch: put what was kept into the address again. Call before any widget."""
    if taken := take(visit_state(), "saved_query"):
        replace_query({**taken} | {key: st.query_params.get_all(key) for key in st.query_params})
