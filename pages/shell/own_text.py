"""What stands under the text box of a model that translates: what it has read, and what went wrong with this text."""

from typing import Any

import streamlit as st

from core.checkpoints.examples import Example
from core.checkpoints.shipped import Shipped
from core.readings.own_text import read_capitals
from core.text.own_text import small_letters
from core.tracing.run import Run
from pages.compute import own_text
from pages.shell.model_choice import apply_example
from pages.shell.page import Page
from pages.widgets import notes, plain

LIKE_THESE = "Like these"


def helps(page: Page, trained: Shipped | None) -> bool:
    """Whether the page runs a model on the visitor's text that has sentences to offer."""
    return page.reads_text and page.runs_model and own_text.is_read(trained)


def draw_training_texts(trained: Shipped, text: str) -> None:
    """One line about what the model has read, with sentences that it translates well, near to the text."""
    line: dict[str, Any] = {"horizontal": True, "gap": "small", "vertical_alignment": "center"}
    with st.container(key="training-texts", **line):
        if said := own_text.training_texts(trained):
            st.caption(said, width="content")
        panel = st.popover(LIKE_THESE, key="like-these", type="tertiary", on_change="rerun")
    if panel.open:
        with panel:
            st.caption("It was not trained on these, and translates them as a person did:")
            for number, sentence in enumerate(own_text.alike(trained, text)):
                st.button(
                    plain(sentence),
                    key=f"like-{number}",
                    type="tertiary",
                    on_click=apply_example,
                    args=(Example(sentence, ""),),
                )


def as_read(text: str) -> str:
    """The text as the model reads it: capitals alone as small letters."""
    return small_letters(text)


def draw_warnings(run: Run, typed: str, own: bool) -> None:
    """Say what was changed in the text, which words the model hardly knows, and, where the answer is its own, whether
    that is whole."""
    notes([read_capitals(run.text) if run.text != typed and run.text == small_letters(typed) else None])
    wrong = [each for each in (own_text.about_pieces(run), own_text.about_answer(run) if own else None) if each]
    if wrong:
        notes([" ".join([*wrong, f"“{LIKE_THESE}” has sentences that it translates well."])])
