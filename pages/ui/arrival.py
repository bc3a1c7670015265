"""Coming to another page with every setting, in the session and in the address.

Streamlit 1.67 forgets, at a change of page, what a widget on the pages was set to by the address and never touched,
and the browser drops the pages' settings from the address on the way. Two small steps mend it.
"""

import streamlit as st


def arrive(page: str) -> None:
    """Call before any widget. On coming from another page, start the run over once.

    The run that is broken off has no widgets, so Streamlit puts the values of the last page's aside, under their
    keys, where the next run's widgets find them.
    """
    state = st.session_state
    came_from = state.get("page", page)
    state["page"], state["arrived"] = page, state.get("left", False)
    state["left"] = came_from != page
    if state["left"]:
        st.rerun()


def write_address() -> None:
    """Call when the page has run: on arrival, send the browser the whole address."""
    if st.session_state["arrived"]:
        st.query_params.update({})
