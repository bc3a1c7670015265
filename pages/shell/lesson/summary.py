"""The end of a lesson: what was right, what to look at again, and the next lesson."""

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from core.lessons.lesson import Lesson, lessons
from pages.shell.lesson.going import begin, go_to, leave
from pages.shell.lesson.progress import Answered
from pages.widgets import PlainLink, explained


def draw_summary(lesson: Lesson, answers: Mapping[int, Answered]) -> None:
    """Draw the number of right answers, a link to each screen to look at again, and the way to the next lesson.

    answers: by the number of the screen, from 1.
    """
    right = [number for number, answered in answers.items() if answered.right]
    with st.container(key="lesson-end"):
        st.markdown(f"#### The end: {len(right)} of {len(lesson.screens)} right")
        st.markdown(explained(f"Can you do this now? {lesson.goal}"))
        again = [number for number in range(1, len(lesson.screens) + 1) if number not in right]
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
