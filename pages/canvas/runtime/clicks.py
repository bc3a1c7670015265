"""Turn a browser's messages into the settings that they change."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

# What a click does: the key of each setting that it changes with its new value, or a call, or nothing.
Settings = Mapping[str, Any] | Callable[[], object] | None


def sent(key: str, field: str) -> Any:
    """Return the value that the drawing with this key sent.

    It is None if there is none, as when the visitor has just left the drawing.
    """
    state = st.session_state.get(key)
    return None if state is None else state.get(field)


def valid_pick(value: Any, shapes: Mapping[str, tuple[int, ...]]) -> tuple[str, int, int] | None:
    """Return (panel, row, col) as sent by the browser; None if it names no cell of these shapes."""
    if not isinstance(value, dict) or not isinstance(value.get("panel"), str) or value["panel"] not in shapes:
        return None
    row, col = value.get("row"), value.get("col")
    if type(row) is not int or type(col) is not int:
        return None
    rows, cols = shapes[value["panel"]]
    return (value["panel"], row, col) if 0 <= row < rows and 0 <= col < cols else None


def store(settings: Settings) -> None:
    """Give each setting its new value before the page runs again; or call `settings` if it is a function."""
    if callable(settings):
        settings()
    else:
        st.session_state.update(settings or {})
