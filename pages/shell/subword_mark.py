"""The caption that explains the mark of a piece that continues a word."""

from collections.abc import Sequence

import streamlit as st

from core.readings.words import read_mark
from core.text.labels import JOIN, goes_on
from pages.widgets import Part, labels_of, plain


def explain_subword_mark(parts: Sequence[Part]) -> None:
    """Draw a caption that explains the mark of a continuing piece, if one of the parts shows it."""
    if piece := first_subword(parts):
        st.caption(plain(read_mark(piece)))


def first_subword(parts: Sequence[Part]) -> str:
    """Return the first piece that continues a word, such as "·n", among the parts' tokens; "" if there is none."""
    return next(filter(None, (goes_on(label) for label in labels_of(parts) if JOIN in label)), "")
