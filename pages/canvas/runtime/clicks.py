"""From what a browser sends to the settings that it changes."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

Settings = Mapping[str, Any] | None  # the key of each setting that a click changes, and its new value


def sent(key: str, field: str) -> Any:
    """What the drawing with this key sent; None if the visitor has just left for a view without it."""
    state = st.session_state.get(key)
    return None if state is None else state[field]


def store(settings: Settings) -> None:
    """Give each setting its new value, before the page runs again."""
    st.session_state.update(settings or {})
