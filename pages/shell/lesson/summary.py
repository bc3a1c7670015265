"""The end of a lesson: the number of right answers, the screens to look at again, and the next lesson."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from core.lessons.lesson import Lesson, lessons
from pages.canvas.runtime.standalone import Facts
from pages.compute.run_slots import run_slots
from pages.session.visit import visit_state
from pages.shell.lesson.going import begin, go_to, leave
from pages.shell.lesson.progress import Answered
from pages.shell.saved.lesson import save_lesson
from pages.shell.saved.lesson_notebook import lesson_notebook
from pages.widgets import PlainLink, explained


def draw_summary(lesson: Lesson, answers: Mapping[int, Answered], text: str) -> None:
    """Draw the number of right answers, a link to each screen to look at again, and the way to the next lesson.

    answers: the answers by the number of the screen, from 1.
    text: the sentence on the screen.
    """
    right = [number for number, answered in answers.items() if answered.right]
    with st.container(key="lesson-end"):
        st.markdown(f"#### The end: {len(right)} of {len(lesson.screens)} right")
        st.markdown(explained(f"Can you do this now? {lesson.goal}"))
        known = [number for number, screen in enumerate(lesson.screens, 1) if not screen.is_guess]
        again = [number for number in known if number not in right]
        if again:
            st.markdown("Look at these again:")
            _draw_reviews(lesson, again)
        with st.container(horizontal=True, key="lesson-onward"):
            following = _following(lesson)
            if following:
                label = f"Next lesson: {following.title}"
                icon = ":material/arrow_forward:"
                st.button(label, key="lesson-following", icon=icon, type="primary", on_click=partial(begin, following))
            st.button("Explore on your own", key="lesson-explore", icon=":material/explore:", on_click=leave)
            PlainLink("Print what you did", "print/report", ":material/print:").draw()
            _draw_save(lesson, text)


def _draw_save(lesson: Lesson, text: str) -> None:
    """Draw buttons that download the lesson as an HTML file and as a notebook, each made when it is clicked."""
    pages = {page.address: page for page in visit_state().all_pages}
    facts = Facts(text, "", st.context.url or "")

    def make() -> str:
        with run_slots().turn():
            return save_lesson(lesson, pages, text, facts)

    def make_notebook() -> str:
        with run_slots().turn():
            return lesson_notebook(lesson, pages, text)

    st.download_button(
        "Save this lesson as a page",
        make,
        file_name=f"lesson-{lesson.name}.html",
        mime="text/html",
        help="One HTML file with the questions, the answers and the pictures, which needs no app and no network.",
        icon=":material/download:",
        key="lesson-save",
        on_click="ignore",
    )
    st.download_button(
        "Save it as a notebook",
        make_notebook,
        file_name=f"lesson-{lesson.name}.ipynb",
        mime="application/x-ipynb+json",
        help="For Jupyter: the questions, a line for each of your answers, and code that computes what is right. "
        "It needs the core of this project, which `pip install .` gives.",
        icon=":material/download:",
        key="lesson-notebook",
        on_click="ignore",
    )


def _draw_reviews(lesson: Lesson, numbers: Sequence[int]) -> None:
    """Draw a button to each of these screens, close together."""
    with st.container(key="lesson-reviews", gap=None):
        for number in numbers:
            label, key = lesson.screens[number - 1].question, f"lesson-review-{number}"
            st.button(
                label, key=key, type="tertiary", icon=":material/replay:", on_click=partial(go_to, lesson, number)
            )


def _following(lesson: Lesson) -> Lesson | None:
    """Return the lesson after this one; None after the last."""
    return next((other for other in lessons().values() if other.number > lesson.number), None)
