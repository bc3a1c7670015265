"""Words on a page: its question, what is read from the data, formulas, notes, and what went wrong."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from core.faults import machine_faults
from pages.widgets.terms import explained

MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")


def plain(text: str) -> str:
    """Text that Streamlit's markdown shows letter by letter: no links, pictures, maths or colours."""
    return MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def takeaway(text: str, seen: set[str] | None = None) -> None:
    """One sentence made from the data. It quotes what people typed, so it is never taken for markdown.

    seen: the terms that the page has explained so far, as `explained` takes them.
    """
    st.markdown(f":material/visibility: **{explained(plain(text), seen)}**")


def formula(latex: str) -> None:
    """A formula with the shapes of this run in it; parts set apart by \\qquad wrap on a narrow screen."""
    with st.container(horizontal=True, horizontal_alignment="center", gap="medium"):
        for part in latex.split(r"\qquad"):
            st.latex(part, width="content")


@contextmanager
def error_boundary() -> Iterator[None]:
    """A visitor's mistake, and what this machine fails at, becomes one sentence in place of the panel; the rest of the
    page stays."""
    try:
        with machine_faults():
            yield
    except ValueError as mistake:
        st.error(plain(str(mistake)), icon=":material/error:")


def notes(sentences: Sequence[str | None]) -> None:
    """What was cut or dropped, one line each."""
    for sentence in filter(None, sentences):
        st.caption(f":material/info: {plain(sentence)}")
