"""Draws a page so that every setting survives a change of page, in the session and in the URL.

In Streamlit 1.67 a widget on a page belongs to that page: at a change of page Streamlit forgets the value that came
from the URL, and removes the setting from the URL, with an entry of its own in the browser's history. So pages are
drawn as part of the app's own script, and their widgets belong to the app.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager

import streamlit as st

from pages.canvas import write_address
from pages.compute.run_slots import run_slots
from pages.compute.streamlit_patches import hand_over_now
from pages.shell.default_head import choose_default_head
from pages.shell.header import current_run
from pages.shell.header_tools import remember
from pages.shell.layout import draw_views
from pages.shell.model_choice import page_can_show
from pages.shell.page import Page
from pages.shell.routes import Routes, draw_choice, draw_neighbours
from pages.shell.settings import HEADER_SETTINGS, ROUTE
from pages.shell.url_on_page_change import arrives, begin_noting, pending_url_writes, resend_settings, save_query
from pages.widgets import GO, PLACE, note_unwritten, stop_players
from pages.widgets.session import visit_state

PLACES = 3
Around = Callable[[], AbstractContextManager[None]]


def draw_page(routes: Routes, chosen: Page, around: Around) -> None:
    """Draw the chosen page, with its place on the route.

    Each page is drawn in another placeholder than the page before it, so that the old page is gone before the new one
    comes: the browser forgets a setting if its old widget goes after its new one has come. Both may arrive at once, and
    then it still forgets; so settings that pages share are set anew when the page changes, and the browser is told.

    around: makes the context in which the views are drawn, each time.
    """
    state, visit, places = st.session_state, visit_state(), [st.empty() for _ in range(PLACES)]
    last, place = visit.begun or (chosen.address, 0)
    if last != chosen.address:
        place = (place + 1) % PLACES
    visit.begun = (chosen.address, place)
    if arrives(chosen.address):
        resend_settings((*PLACE, ROUTE))
        stop_players()
    note_unwritten(ROUTE, state.get(ROUTE.key), ROUTE.default)  # its widget is drawn after the views
    run = current_run()
    if run:
        choose_default_head(chosen, run)
    with places[place].container():
        draw_choice(routes, chosen, above=True)
        if run is None or not page_can_show(chosen, run):
            write_address(pending_url_writes())
            remember(HEADER_SETTINGS)
        else:
            _views(chosen, around)
        draw_choice(routes, chosen, above=False)
        draw_neighbours(routes, chosen)
    visit.drawn_page = chosen.address


def _follow(page: Page) -> None:
    """Go to another page if the last click leads there, and keep the URL's parameters that are not this page's own."""
    address, where = st.session_state.pop(GO, ("", {}))
    if target := visit_state().entries.get(address):
        save_query({each.key for each in page.all_settings})
        st.switch_page(target, query_params=where)


@st.fragment
def _views(page: Page, around: Around) -> None:
    run, own = current_run(), (*PLACE, *page.all_settings)
    if run is None:
        return
    with run_slots().turn(), around():
        _follow(page)
        begin_noting(own)
        draw_views(page, run)
        write_address(pending_url_writes())
        remember((*HEADER_SETTINGS, *own))
        hand_over_now()
