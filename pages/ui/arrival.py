"""Coming to another page with every setting, in the session and in the address.

To Streamlit 1.67 a widget on a page belongs to that page: at a change of page it forgets what the address had set, and
takes the setting out of the address, with an entry of its own in the browser's history. So pages are carried out as
part of the app's own script, and their widgets are the app's.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

import streamlit as st

from pages.ui.choices import PLACE

DRAWN, DRAWING = "drawn-page", "drawing"  # in the session: the page last drawn to its end; whether one is being drawn


def carry_out(files: Mapping[Any, Path], chosen: Any) -> None:
    """Draw the chosen page, one of those in `files`, with its file.

    Each page has a place of its own, so that the last page is gone before this one comes: the browser forgets a
    setting whose old widget goes after its new one has come. Where the last page was left before it was drawn to
    its end, both may come at once and it forgets all the same; so settings that pages share are then set anew, and the
    browser is told.
    """
    state, places = st.session_state, {page: st.empty() for page in files}
    cut_short, state[DRAWING] = state.get(DRAWING), True
    if cut_short and state.get(DRAWN) != chosen.url_path:
        state.update({each.key: state[each.key] for each in PLACE if each.key in state})
    with places[chosen].container():
        exec(_compiled(files[chosen]), {"__name__": "__main__"})
    state[DRAWN], state[DRAWING] = chosen.url_path, False


@cache
def _compiled(file: Path) -> CodeType:
    return compile(file.read_bytes(), str(file), "exec")
