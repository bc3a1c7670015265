"""The mark of a piece that goes on with a word: explained once, where a page draws the first such piece."""

from collections.abc import Iterable, Sequence
from dataclasses import is_dataclass
from typing import Any

import streamlit as st

from core.readings.words import goes_on, read_mark
from pages.widgets import plain


def explain_subword_mark(parts: Sequence[Any]) -> None:
    """Say what the mark means where the parts draw it."""
    if piece := first_subword(parts):
        st.caption(plain(read_mark(piece)))


def first_subword(shown: Any) -> str:
    """The first piece that goes on with a word, "·n", among the labels of a part, or of several; "" where none does."""
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
