"""The way through a lesson: to a screen, on the page and with the settings that the screen is about."""

from collections.abc import Mapping, Sequence

import streamlit as st

from core.lessons.lesson import Lesson, Screen, lessons
from pages.session.visit import visit_state
from pages.shell.default_head import find_again
from pages.shell.lesson.sentence import own_sentence, put_back, set_text
from pages.shell.model_choice import model_setting
from pages.shell.page import Page
from pages.shell.settings import HEADER_SETTINGS, LESSON, LOCKED, MODEL, SCREEN, TARGET, TEXT
from pages.shell.url_params import set_from
from pages.widgets import PLACE, Setting


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
    """Open the screen of a lesson for a visitor who comes by a link, as its own button does.

    The link sets only the texts, if it has any: the lesson decides what its picture shows, and of which model.

    known: every setting that a visitor can have.
    """
    visit, chosen = visit_state(), chosen_screen()
    if visit.asked is None or chosen is None:
        return
    lesson, number = chosen
    if TEXT.key not in visit.asked:
        set_text(lesson.words)
    screen = lesson.screens[number - 1]
    changed = _reset(screen)
    set_from({key: [value] for key, value in screen.settings.items()}, known)
    visit.asked = {key: values for key, values in visit.asked.items() if key not in changed}


def is_asked_on(page: Page) -> bool:
    """Return whether the visitor takes a lesson whose screen is on this page."""
    chosen = chosen_screen()
    return chosen is not None and chosen[0].screens[chosen[1] - 1].page == page.address


def begin(lesson: Lesson, number: int = 1) -> None:
    """Open a screen of a lesson from outside it, with the visitor's own sentence, or else with the lesson's.

    number: the number of the screen, from 1.
    """
    put_back()
    set_text(own_sentence() or lesson.words)
    go_to(lesson, number)


def go_to(lesson: Lesson, number: int) -> None:
    """Move to a screen of a lesson, with its settings; the learner's own text stays.

    number: the number of the screen, from 1.
    """
    put_back()
    screen, state = lesson.screens[number - 1], st.session_state
    _reset(screen)
    find_again()
    lead_to(screen.page, screen.settings)
    state[LESSON.key], state[SCREEN.key] = lesson.name, number


def _reset(screen: Screen) -> set[str]:
    """Set all settings of a screen's page but the texts to their defaults, and return their keys."""
    page: Page = next(page for page in visit_state().all_pages if page.address == screen.page)
    settings = [setting for setting in (*HEADER_SETTINGS, *PLACE, *page.all_settings) if setting not in (TEXT, TARGET)]
    st.session_state.update({setting.key: setting.default for setting in settings})
    return {setting.key for setting in settings}


def lead_to(address: str, settings: Mapping[str, str]) -> None:
    """Go to a page, and give settings their values, as written in the URL: those of the page and of the header."""
    header = [model_setting() if setting is MODEL else setting for setting in HEADER_SETTINGS]
    set_from({key: [value] for key, value in settings.items()}, header)
    visit_state().next_page = address, settings


def leave() -> None:
    """End the lesson; the page and its settings stay."""
    st.session_state[LESSON.key], st.session_state[SCREEN.key] = LESSON.default, SCREEN.default
