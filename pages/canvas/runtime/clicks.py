"""From what a browser sends to the settings that it changes."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

Settings = Mapping[str, Any] | None  # the key of each setting that a click changes, and its new value


def sent(key: str, field: str) -> Any:
    """What the drawing with this key sent; None where it sent no such thing, as when the visitor has just left it."""
    state = st.session_state.get(key)
    return None if state is None else state.get(field)


def valid_pick(value: Any, shapes: Mapping[str, tuple[int, ...]]) -> tuple[str, int, int] | None:
    """(panel, row, col) as sent by the browser, or None when it names no cell of these shapes."""
    if not isinstance(value, dict) or not isinstance(value.get("panel"), str) or value["panel"] not in shapes:
        return None
    row, col = value.get("row"), value.get("col")
    if type(row) is not int or type(col) is not int:
        return None
    rows, cols = shapes[value["panel"]]
    return (value["panel"], row, col) if 0 <= row < rows and 0 <= col < cols else None


def store(settings: Settings) -> None:
    """Give each setting its new value, before the page runs again."""
    st.session_state.update(settings or {})
