"""The way through a lesson: to a screen, on the page and with the settings that the screen is about."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.lessons.lesson import Lesson, lessons
from pages.session.visit import visit_state
from pages.shell.default_head import find_again
from pages.shell.page import Page
from pages.shell.settings import HEADER_SETTINGS, LESSON, LOCKED, SCREEN, TARGET, TEXT
from pages.shell.url_params import set_from
from pages.widgets import Setting

OWN_TEXTS = (TEXT, TARGET)  # they stay from screen to screen


def chosen_screen() -> tuple[Lesson, int] | None:
    """Return the lesson that the visitor takes and the number of the screen, from 1; None outside lessons."""
    lesson = lessons().get(st.session_state.get(LESSON.key) or LESSON.default)
    if lesson is None:
        return None
    return lesson, min(int(st.session_state.get(SCREEN.key) or SCREEN.default), len(lesson.screens))


def is_locked() -> bool:
    """Return whether the visitor came by a link that leaves only the lesson: no menu, no sidebar, no other pages."""
    return bool(st.session_state.get(LOCKED.key)) and chosen_screen() is not None


def open_link(known: Sequence[Setting]) -> None:
    """Give a visitor who comes by a link to a lesson what the link leaves out: its sentence, and the screen's settings.

    known: every setting that a visitor can have.
    """
    visit, chosen = visit_state(), chosen_screen()
    if visit.asked is None or chosen is None:
        return
    lesson, number = chosen
    if TEXT.key not in visit.asked:
        set_text(lesson.words)
    settings = lesson.screens[number - 1].settings
    set_from({key: [value] for key, value in settings.items() if key not in visit.asked}, known)


def is_asked_on(page: Page) -> bool:
    """Return whether the visitor takes a lesson whose screen is on this page."""
    chosen = chosen_screen()
    return chosen is not None and chosen[0].screens[chosen[1] - 1].page == page.address


def begin(lesson: Lesson) -> None:
    """Go to the first screen of a lesson, with the sentence that it opens with."""
    set_text(lesson.words)
    go_to(lesson, 1)


def set_text(text: str) -> None:
    """Put a text into the text box, and let the model write the decoder's."""
    st.session_state[TEXT.key] = text
    st.session_state.pop(TARGET.key, None)


def go_to(lesson: Lesson, number: int) -> None:
    """Go to a screen of a lesson, with its settings; the learner's own text stays.

    number: from 1.
    """
    screen, state = lesson.screens[number - 1], st.session_state
    page = next(page for page in visit_state().all_pages if page.address == screen.page)
    for setting in (*HEADER_SETTINGS, *page.all_settings):
        if setting not in OWN_TEXTS:
            state[setting.key] = setting.default
    find_again()
    lead_to(screen.page, screen.settings)
    state[LESSON.key], state[SCREEN.key] = lesson.name, number


def lead_to(address: str, settings: Mapping[str, str]) -> None:
    """Go to a page, and give settings their values, as written in the URL: those of the page and of the header."""
    set_from({key: [value] for key, value in settings.items()}, HEADER_SETTINGS)
    visit_state().next_page = address, settings


def leave() -> None:
    """End the lesson; the page and its settings stay."""
    st.session_state[LESSON.key], st.session_state[SCREEN.key] = LESSON.default, SCREEN.default
