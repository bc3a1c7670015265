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

from pages.ui.settings import ARRIVING


def carry_out(files: Mapping[Any, Path], chosen: Any) -> None:
    """Draw the chosen page, one of those in `files`, with its file.

    Each page has a place of its own, so that the last page is gone before this one comes: the browser forgets a
    setting whose old widget goes after its new one has come. Where a busy server's answers come together it forgets
    all the same, so until a page has once been drawn to its end, every widget is told its value.
    """
    state, places = st.session_state, {page: st.empty() for page in files}
    if state.get("arrived-at") != chosen.url_path:
        state[ARRIVING] = True
    with places[chosen].container():
        exec(_compiled(files[chosen]), {"__name__": "__main__"})
    state["arrived-at"], state[ARRIVING] = chosen.url_path, False


@cache
def _compiled(file: Path) -> CodeType:
    return compile(file.read_bytes(), str(file), "exec")
