"""The selection in the picture below a lesson: the layer, head, row and word that the lesson's question is about."""

from dataclasses import dataclass

import streamlit as st

from core.lessons.lesson import Lesson
from core.lessons.words import picked_settings
from core.topics.shared.truth import Truth
from core.tracing.run import Run
from pages.session.visit import visit_part, visit_state
from pages.shell.default_head import open_at_head
from pages.shell.page import Page
from pages.shell.url_params import set_from
from pages.widgets import HEAD, LAYER, PLACE


@dataclass
class Picked:
    """The lesson's screen, the texts and the model for which the picture was last set up; () for none."""

    about: tuple[object, ...] = ()


def pick(page: Page, lesson: Lesson, number: int, truth: Truth, run: Run) -> None:
    """Set the page's picture to show the subject of the question, once for each screen, text and model.

    Call before the controls of the page are drawn. Later choices of the visitor stay until the text changes.

    number: the number of the screen, from 1.
    """
    picked, about = visit_part(Picked), _about(lesson, number, run)
    if picked.about == about:
        return
    picked.about = about
    wanted = picked_settings(lesson.screens[number - 1], truth)
    known = [setting for setting in (*PLACE, *page.all_settings) if setting.key in wanted]
    for setting in known:
        if not wanted[setting.key]:
            st.session_state[setting.key] = setting.default
    set_from({key: [value] for key, value in wanted.items() if value}, known)
    if HEAD in known:
        open_at_head(page, run, {setting.key: st.session_state[setting.key] for setting in (LAYER, HEAD)})
    visit_state().automatic |= wanted.keys()


def is_new(lesson: Lesson, number: int) -> bool:
    """Return whether the picture has yet to be set up for this screen, because another screen was shown before."""
    return visit_part(Picked).about[:2] != (lesson.name, number)


def forget_picks(lesson: Lesson, number: int) -> None:
    """Mark a screen as shown without its picture set up, because its question does not suit the text.

    The picture is set up again for the next text.
    """
    visit_part(Picked).about = (lesson.name, number)


def _about(lesson: Lesson, number: int, run: Run) -> tuple[object, ...]:
    return lesson.name, number, run.text, run.target, run.source
