"""Coming to another page with every setting, in the session and in the address.

To Streamlit 1.67 a widget on a page belongs to that page: at a change of page it forgets what the address had set, and
takes the setting out of the address, with an entry of its own in the browser's history. So pages are drawn as part of
the app's own script, and their widgets are the app's.
"""

from collections.abc import Sequence

import streamlit as st

from pages.shell.frame import current_run
from pages.shell.layout import draw_views
from pages.shell.models import model_words
from pages.shell.page import Page
from pages.shell.suited import suited
from pages.widgets import PLACE, page_header

DRAWN = "drawn-page"  # in the session: the page drawn last


def draw_page(pages: Sequence[Page], chosen: Page) -> None:
    """Draw the chosen page, one of `pages`.

    Each page has a place of its own, so that the last page is gone before this one comes: the browser forgets a
    setting whose old widget goes after its new one has come. Both may come at once, and it forgets all the same; so
    settings that pages share are set anew where the page changes, and the browser is told.
    """
    state, places = st.session_state, {page.address: st.empty() for page in pages}
    if state.get(DRAWN, chosen.address) != chosen.address:
        here = {each: state.get(each.key, each.default) for each in PLACE}
        state.update({each.key: value for each, value in here.items() if value != each.default})
    with places[chosen.address].container():
        render(chosen)
    state[DRAWN] = chosen.address


def render(page: Page) -> None:
    """The page's question, which model it looks at, and its views."""
    page_header(page.question, page.introduction)
    if not suited(page):
        return
    if page.shows_model:
        st.caption(model_words(current_run()))
    _views(page)


@st.fragment
def _views(page: Page) -> None:
    draw_views(page, current_run())
