"""The sentence that a lesson is about: the visitor's own, or the lesson's."""

from dataclasses import dataclass
from textwrap import shorten

import streamlit as st

from core.lessons.lesson import Lesson, lessons
from pages.session.visit import visit_part, visit_state
from pages.shell.model_choice import openings
from pages.shell.model_examples import all_texts
from pages.shell.settings import RANDOM_WEIGHTS, TARGET, TEXT
from pages.widgets import plain

OWN_SENTENCE_NOTE = "The lesson is about your sentence. You can write another one in the box above."
NOT_OWN = "This is the lesson's sentence. You can write one of your own in the box above."
NOT_ABOUT_TEXT = "This question has words of its own. It is not about your sentence."
MAX_CHARACTERS = 80  # characters, at the most, of a sentence that is named


@dataclass
class Replaced:
    """The visitor's sentence that a lesson has replaced by its own.

    text: the visitor's; "" if none is replaced.
    by: the lesson's.
    why: why the lesson cannot be asked about the visitor's.
    due: whether the text box has yet to be changed, which a run can do only before it draws the box.
    """

    text: str = ""
    by: str = ""
    why: str = ""
    due: bool = False


def set_text(text: str) -> None:
    """Put a text into the text box, and empty the decoder's box, so that the model writes that text itself."""
    st.session_state[TEXT.key] = text
    st.session_state.pop(TARGET.key, None)


def own_sentence() -> str:
    """Return the text in the text box if the visitor wrote it; "" for an example, and for that of a page or lesson."""
    text = str(st.session_state.get(TEXT.key) or "")
    given = {TEXT.default, *(lesson.words for lesson in lessons().values())}
    return "" if text in given | all_texts() | openings(RANDOM_WEIGHTS) else text


def replace_sentence(lesson: Lesson, why: str) -> None:
    """Replace the visitor's sentence by the lesson's, and run the script again.

    why: why the lesson cannot use the visitor's sentence.
    """
    replaced = visit_part(Replaced)
    replaced.text, replaced.by, replaced.why, replaced.due = own_sentence(), lesson.words, why, True
    st.rerun()


def change_if_due() -> None:
    """Put a lesson's sentence into the text box if it is to be replaced. Call before the box is drawn."""
    replaced = visit_part(Replaced)
    if replaced.due:
        replaced.due = False
        set_text(replaced.by)


def put_back() -> None:
    """Put the visitor's sentence back if a lesson has replaced it.

    Another screen may suit it. For callbacks.
    """
    replaced = visit_part(Replaced)
    if replaced.text and st.session_state.get(TEXT.key) == replaced.by:
        set_text(replaced.text)
    visit_state().parts.pop(Replaced, None)


def read_sentence(lesson: Lesson, number: int, text: str) -> str:
    """Say whose sentence the lesson is about and where to write another, on the first screen that reads it.

    If the lesson has replaced the visitor's own, say why, on any screen; "" if there is nothing to say.

    number: the number of the screen, from 1.
    text: the text of the run.
    """
    replaced = visit_part(Replaced)
    if replaced.text and text == replaced.by:
        named = shorten(replaced.text, MAX_CHARACTERS, placeholder=" …")
        why = f"{replaced.why.rstrip('.')}." if replaced.why else ""
        return f"{plain(f'“{named}” cannot be used here. {why}')} {NOT_OWN}"
    reading = [place for place, screen in enumerate(lesson.screens, 1) if screen.is_about_text]
    if reading[:1] == [number]:
        return OWN_SENTENCE_NOTE if own_sentence() else NOT_OWN
    if reading and number == 1:
        return f"From screen {reading[0]} on you can write a sentence of your own in the box above."
    return NOT_ABOUT_TEXT if own_sentence() and number not in reading else ""
