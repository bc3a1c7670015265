"""The panel of a lesson above a page: the question, and after it is answered, the right answer with the reason."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core.charts.kv_pairs import kv_pairs_data, kv_pairs_spec
from core.lessons.grading import checked_answer, grade
from core.lessons.lesson import Lesson, Screen
from core.lessons.words import read_answer, read_explanation, read_grade
from core.topics.shared.truth import Truth
from core.tracing.run import Run
from pages.canvas import AnswerForm, tell_news
from pages.compute.cache import compute
from pages.shell.lesson.going import begin, chosen_screen, go_to, is_asked_on, is_locked, leave
from pages.shell.lesson.keeping import keep_answers
from pages.shell.lesson.picks import forget_picks, is_new, pick
from pages.shell.lesson.progress import Answered, answers_to, forget_answer, progress
from pages.shell.lesson.sentence import own_sentence, read_sentence, replace_sentence, set_text
from pages.shell.lesson.summary import draw_summary
from pages.shell.page import Page
from pages.widgets import Chart, explained, plain, spec

KINDS = ("your row", "the model's row")
GUESS_NOTE = "Nobody can know this before seeing the picture: a guess is enough."
PERCENT = "format(datum.value, '.0%')"  # how the axis writes its numbers


def draw_lesson(page: Page, run: Run) -> bool:
    """Draw the panel of the lesson that the visitor takes; return whether the page's picture is to be covered.

    Nothing is drawn outside lessons.
    """
    if (chosen := chosen_screen()) is None:
        return False
    lesson, number = chosen
    keep_answers()
    screen = lesson.screens[number - 1]
    with st.container(border=True, key="lesson"):
        _draw_title(lesson, number)
        if screen.page != page.address:
            with st.container(horizontal=True, key="lesson-elsewhere"):
                st.caption("This page is not on the lesson's way.", width="content")
                label = "Begin the lesson" if number == 1 else "Back to the lesson"
                begins = partial(begin, lesson) if number == 1 else partial(go_to, lesson, number)
                st.button(label, key="lesson-back-to", type="primary", on_click=begins)
            return False
        if screen.text:
            st.markdown(explained(screen.text))
        try:
            truth = _truth(screen, run)
        except ValueError as mistake:
            _draw_unsuitable(lesson, number, str(mistake))
            return False
        pick(page, lesson, number, truth, run)
        if whose := read_sentence(lesson, number, run.text):
            st.caption(f":material/edit: {whose}")
        answered = _answer_to(lesson, number, screen, truth)
        if answered is None:
            _ask(lesson, number, screen, truth, run)
            return True
        _draw_outcome(lesson, number, screen, truth, answered, run)
    return False


def draw_lesson_without_run(page: Page, why: str) -> None:
    """Draw the lesson's panel above a message that the text cannot be run.

    why: why it cannot.
    """
    if (chosen := chosen_screen()) is None or not is_asked_on(page):
        return
    lesson, number = chosen
    with st.container(border=True, key="lesson"):
        _draw_title(lesson, number)
        _draw_unsuitable(lesson, number, why)


def _answer_to(lesson: Lesson, number: int, screen: Screen, truth: Truth) -> Answered | None:
    """Return the answer given to a screen; None if there is none, or if it does not fit the question as it is now."""
    answered = progress().answers.get((lesson.name, number))
    with suppress(ValueError):
        if answered is not None:
            checked_answer(screen, truth, answered.answer)
            return answered
    return None


def _truth(screen: Screen, run: Run) -> Truth:
    truth: Truth = compute(partial(screen.function, **screen.arguments), run)
    return truth


def _draw_title(lesson: Lesson, number: int) -> None:
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="lesson-title"
    ):
        st.markdown(f":material/school: **{plain(lesson.title)}**", width="content")
        with st.container(horizontal=True, vertical_alignment="center", width="content", key="lesson-tools"):
            st.caption(f"screen {number} of {len(lesson.screens)}", width="content")
            if not is_locked():
                st.button(
                    "Leave the lesson", key="lesson-leave", icon=":material/close:", type="tertiary", on_click=leave
                )


def _draw_unsuitable(lesson: Lesson, number: int, mistake: str) -> None:
    """Say that the question cannot be asked about this text.

    If the visitor brought a sentence of their own to this screen, the lesson's sentence replaces it at once.
    """
    if is_new(lesson, number) and own_sentence():
        replace_sentence(lesson, mistake)
    forget_picks(lesson, number)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson-unsuitable"):
        st.markdown(plain(mistake), width="content")
        words = partial(set_text, lesson.words)
        if st.button(
            "Take the lesson's sentence", key="lesson-sentence", icon=":material/format_quote:", on_click=words
        ):
            st.rerun()


def _ask(lesson: Lesson, number: int, screen: Screen, truth: Truth, run: Run) -> None:
    if screen.is_guess:
        st.caption(f":material/casino: {GUESS_NOTE}")
    with st.container(key="lesson-news"):
        AnswerForm(
            screen.kind,
            screen.question,
            options=screen.options,
            labels=truth.labels,
            rows=truth.rows,
            formula=screen.formula,
            unit=screen.unit,
            key=f"lesson-answer-{lesson.name}-{number}",
            answered=_taker(lesson, number, screen, truth, run),
        ).draw()
    tell_news(f"{lesson.name}/{number}", f"Screen {number} of {len(lesson.screens)}. {screen.question}")


def _taker(lesson: Lesson, number: int, screen: Screen, truth: Truth, run: Run) -> Callable[[Any], None]:
    """Return the function that stores an answer from the browser; it drops an answer that does not fit the question."""

    def take(answer: Any) -> None:
        try:
            checked = checked_answer(screen, truth, answer)
        except ValueError:
            return
        result = grade(screen, truth, checked)
        progress().answers[lesson.name, number] = Answered(checked, run.text, result.right, result.share)

    return take


def _draw_outcome(lesson: Lesson, number: int, screen: Screen, truth: Truth, answered: Answered, run: Run) -> None:
    """Draw the answer beside the right one, the explanation, what to vary, and the buttons that lead on.

    If the text has changed since, only the right answer for the new text is drawn, without the answer to the old one.
    """
    same = answered.text == run.text
    with st.container(key="lesson-news"):
        st.markdown(f"**{explained(screen.question)}**")
        if same:
            said = _draw_grade(screen, truth, answered.answer)
        else:
            said = f"With this text, the answer is: {read_answer(screen, truth, truth.answer)}"
            st.markdown(f"With this text, the answer is: {read_answer(screen, truth, truth.answer, plain)}")
    tell_news(f"{lesson.name}/{number}/answered", said)
    for sentence in read_explanation(screen, truth, answered.answer if same else None, plain):
        st.markdown(explained(sentence))
    if screen.vary:
        st.markdown(f":material/science: Vary it: {explained(screen.vary)}")
    _draw_ways_on(lesson, number, run.text)
    if same and screen.kind == "row":  # below the button that leads on, which is reached before the chart's own
        _draw_rows(truth, answered.answer)


def _draw_grade(screen: Screen, truth: Truth, answer: Any) -> str:
    """Draw how right an answer is, with the answer beside the truth; return the first of it in words."""
    result = grade(screen, truth, answer)
    said = read_grade(screen, truth, result)
    icon = ":green[:material/check_circle:]" if result.right else ":orange[:material/error:]"
    st.markdown(f"{icon} **{plain(said)}**")
    given = read_answer(screen, truth, answer, plain)
    whose = "Right" if screen.kind in ("choice", "formula") else "The model"
    st.markdown(f"You: {given}  \n{whose}: {read_answer(screen, truth, truth.answer, plain)}")
    return said


def _draw_rows(truth: Truth, answer: Any) -> None:
    own = np.asarray(answer)
    data = kv_pairs_data(list(truth.labels), KINDS, own, np.asarray(truth.answer), lambda share: f"{share:.0%}")
    drawn = spec(kv_pairs_spec, "Where does the token look?", "share of attention", "token looked at", KINDS, PERCENT)
    Chart(data, drawn, "lesson-rows", "your row and the model's").draw()


def _draw_ways_on(lesson: Lesson, number: int, text: str) -> None:
    """Draw the buttons back, again and on; on the last screen the number of right answers, and the screens to repeat.

    text: the sentence on the screen.
    """
    last = number == len(lesson.screens)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson-ways"):
        if number > 1:
            back = partial(go_to, lesson, number - 1)
            st.button("Back", key="lesson-back", icon=":material/arrow_back:", on_click=back)
        again = partial(forget_answer, lesson, number)
        st.button("Answer again", key="lesson-again", icon=":material/replay:", on_click=again)
        if not last:
            on = partial(go_to, lesson, number + 1)
            st.button("Next", key="lesson-next", icon=":material/arrow_forward:", type="primary", on_click=on)
    if last:
        draw_summary(lesson, answers_to(lesson), text)
