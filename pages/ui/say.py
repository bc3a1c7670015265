"""Small pieces of a page that carry words: its question, its formula, the code that ran, what went wrong."""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import streamlit as st

MARKDOWN = re.compile(r"([!-/:-@\[-`{-~])")


def plain(text: str) -> str:
    """Text that Streamlit's markdown shows letter by letter: no links, pictures, maths or colours."""
    return MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def opening(question: str, *sentences: str) -> None:
    """The question that a page answers, and two or three plain sentences."""
    st.title(question, anchor=False)
    st.markdown(" ".join(sentences))


def reading(text: str) -> None:
    """One sentence made from the data. It quotes what people typed, so it is never taken for markdown."""
    st.markdown(f":material/visibility: **{plain(text)}**")


def formula(latex: str) -> None:
    """A formula with the shapes of this run in it; parts set apart by \\qquad wrap on a narrow screen."""
    with st.container(horizontal=True, horizontal_alignment="center", gap="medium"):
        for part in latex.split(r"\qquad"):
            st.latex(part, width="content")


def code(*functions: Callable[..., object], key: str) -> None:
    """The Python that ran, folded: read from the source when it is opened."""
    panel = st.expander("The Python that ran", icon=":material/code:", key=key, on_change="rerun")
    if panel.open:
        with panel:
            for function in functions:
                st.code(source(function), language="python", wrap_lines=True)


@cache
def source(function: Callable[..., object]) -> str:
    """A function's own source, with the module it lives in."""
    return f"# {function.__module__.replace('.', '/')}.py\n{inspect.getsource(function)}"


@contextmanager
def shielded() -> Iterator[None]:
    """A visitor's mistake becomes one sentence in place of the panel; the rest of the page stays."""
    try:
        yield
    except ValueError as mistake:
        st.error(plain(str(mistake)), icon=":material/error:")


def notes(sentences: Sequence[str | None]) -> None:
    """What was cut or dropped, one line each."""
    for sentence in filter(None, sentences):
        st.caption(f":material/info: {plain(sentence)}")
