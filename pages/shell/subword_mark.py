"""The caption that explains the mark of a piece that continues a word."""

from collections.abc import Iterable, Sequence
from dataclasses import is_dataclass
from typing import Any

import streamlit as st

from core.readings.words import goes_on, read_mark
from pages.widgets import plain


def explain_subword_mark(parts: Sequence[Any]) -> None:
    """Say what the mark means if one of the parts shows it."""
    if piece := first_subword(parts):
        st.caption(plain(read_mark(piece)))


def first_subword(shown: Any) -> str:
    """Return the first piece that continues a word, such as "·n", among the labels of one or several parts.

    Return "" if there is none.
    """
    if isinstance(shown, str):
        return goes_on(shown)
    inner: Iterable[Any]
    if is_dataclass(shown):
        inner = vars(shown).values()
    elif isinstance(shown, Sequence) and not isinstance(shown, bytes):
        inner = shown
    else:
        return ""
    for each in inner:
        if piece := first_subword(each):
            return piece
    return ""
