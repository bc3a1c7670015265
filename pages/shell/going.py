"""A view that takes a while: what stands on the screen meanwhile, and the button that ends it."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager

import streamlit as st

from pages.queries.turns import ended_by_clicks

NOTICED = 1.0  # seconds: what takes less needs no words
STOPPED = "stopped"  # in the session: what the visitor has ended


@contextmanager
def going(seconds: float, what: Hashable) -> Iterator[None]:
    """Within it work of about so many seconds goes on: at once the page says so, and how long, beside a button.

    A click on any control of the view ends it too, since what is asked for then is something else. what: which work.
    """
    place = st.empty()
    if seconds >= NOTICED:
        with place.container(horizontal=True, gap="small", vertical_alignment="center", key="going"):
            st.markdown(f":material/hourglass_top: The model is at work: about {seconds:.0f} s.")
            st.button("Stop", key="going-stop", icon=":material/stop:", on_click=_stop, args=(what,))
    try:
        with ended_by_clicks():
            yield
    except Exception:
        place.empty()
        raise
    place.empty()


def stopped(what: Hashable) -> bool:
    """Whether the visitor has ended this work; then a button begins it anew."""
    if st.session_state.get(STOPPED) != what:
        return False
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="going-ended"):
        st.markdown(":material/stop: You stopped this.")
        st.button("Run it", key="going-again", icon=":material/play_arrow:", on_click=_begin)
    return True


def _stop(what: Hashable) -> None:
    st.session_state[STOPPED] = what


def _begin() -> None:
    st.session_state[STOPPED] = None
