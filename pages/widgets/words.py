"""Text on a page: sentences made from the data, formulas, notes and errors."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from core.faults import machine_faults
from pages.widgets.terms import explained

MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")


def plain(text: str) -> str:
    """Return text escaped so that Streamlit's markdown shows it unchanged: no links, pictures, maths or colours.

    White space becomes single spaces.
    """
    return MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def takeaway(text: str, seen: set[str] | None = None) -> None:
    """Draw one sentence made from the data.

    It quotes what people typed, so it is never taken for markdown.

    seen: the terms that the page has explained so far, as `explained` takes them.
    """
    st.markdown(f":material/visibility: **{explained(plain(text), seen)}**")


def formula(latex: str) -> None:
    r"""Draw a formula in LaTeX that contains the shapes of this run.

    Parts separated by \qquad are drawn side by side and wrap on a narrow screen.
    """
    with st.container(horizontal=True, horizontal_alignment="center", gap="medium"):
        for part in latex.split(r"\qquad"):
            st.latex(part, width="content")


@contextmanager
def error_boundary() -> Iterator[None]:
    """Show a ValueError that is raised inside this context as one sentence, in place of the panel that raised it.

    A ValueError is a mistake of the visitor, or a failure of this machine, such as too little memory, that
    `machine_faults` has turned into one. The rest of the page stays. Other errors pass.
    """
    try:
        with machine_faults():
            yield
    except ValueError as mistake:
        st.error(plain(str(mistake)), icon=":material/error:")


def notes(sentences: Sequence[str | None]) -> None:
    """Draw notes about what was cut or dropped, one line each; None is skipped."""
    for sentence in filter(None, sentences):
        st.caption(f":material/info: {plain(sentence)}")
