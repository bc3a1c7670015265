"""The lines below the text box of a model: its training texts, others like them, and warnings about a translation."""

from typing import Any

import streamlit as st

from core.checkpoints.examples import Example
from core.checkpoints.source import Shipped
from core.readings.own_text import read_capitals
from core.text.own_text import small_letters
from core.tracing.run import Run
from pages.compute import own_text
from pages.shell.model_choice import apply_example
from pages.shell.page import Page
from pages.widgets import notes, plain

LIKE_THESE = "Like these"
TRANSLATED = "It was not trained on these, and translates them as a person did:"
BEGINNINGS = "Beginnings from books of this kind that it was not trained on:"


def helps(page: Page, trained: Shipped | None) -> bool:
    """Return whether the page can offer texts of the kind that its model has read."""
    return page.reads_text and page.runs_model and trained is not None and bool(own_text.suitable_texts(trained))


def translates(trained: Shipped | None) -> bool:
    """Return whether the model translates, so that its answer can be checked."""
    return own_text.translates(trained)


def draw_training_texts(trained: Shipped, text: str) -> None:
    """Draw a line about the model's training texts, and a panel with such texts that are near the visitor's."""
    line: dict[str, Any] = {"horizontal": True, "gap": "small", "vertical_alignment": "center"}
    with st.container(key="training-texts", **line):
        if description := own_text.training_texts(trained):
            st.caption(description, width="content")
        panel = st.popover(LIKE_THESE, key="like-these", type="tertiary", on_change="rerun")
    if panel.open:
        with panel:
            st.caption(TRANSLATED if translates(trained) else BEGINNINGS)
            for number, sentence in enumerate(own_text.alike(trained, text)):
                st.button(
                    plain(sentence),
                    key=f"like-{number}",
                    type="tertiary",
                    on_click=apply_example,
                    args=(Example(sentence, ""),),
                )


def as_read(text: str) -> str:
    """Return the text as the model reads it: a text in capitals becomes small letters."""
    return small_letters(text)


def draw_warnings(run: Run, typed: str, writes_answer: bool) -> None:
    """Say whether the text was changed, which words the model hardly knows, and whether its answer may be poor.

    typed: the text before it was changed.
    writes_answer: whether the model writes the answer itself; only then is the answer checked.
    """
    notes([read_capitals(run.text) if run.text != typed and run.text == small_letters(typed) else None])
    wrong = [
        sentence
        for sentence in (own_text.about_pieces(run), own_text.about_answer(run) if writes_answer else None)
        if sentence
    ]
    if wrong:
        notes([" ".join([*wrong, f"“{LIKE_THESE}” has sentences that it translates well."])])
