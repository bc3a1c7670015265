"""All lessons as cards, each with a button that begins it or goes on where it was left."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from core.lessons.lesson import Lesson, lessons
from pages.shell import Shown, View
from pages.shell.lesson.going import begin, go_to
from pages.shell.lesson.keeping import KeepProgress
from pages.shell.lesson.progress import answers_to
from pages.widgets import Button, Caption, Cards, Markdown, Part, Values


def _show(subject: Any, values: Values) -> Shown:
    """Show a card for each lesson."""
    known = list(lessons().values())
    minutes = sum(lesson.minutes for lesson in known)
    done = sum(len(answers_to(lesson)) == len(lesson.screens) for lesson in known)
    return Shown(
        pictures=[Cards([_card(lesson) for lesson in known], "lesson-cards", width=300), KeepProgress()],
        takeaway=f"{len(known)} lessons, about {minutes:.0f} minutes together; you have finished {done}.",
        source=("core.lessons.lesson.lessons", "core.lessons.grading.grade"),
    )


def _card(lesson: Lesson) -> list[Part]:
    answers, many = answers_to(lesson), len(lesson.screens)
    right = sum(answered.right for answered in answers.values())
    so_far = f" · {len(answers)} of {many} answered, {right} right" if answers else f" · {many} questions"
    left = next((number for number in range(1, many + 1) if number not in answers), 1)
    label = "Start" if not answers else "Go on" if len(answers) < many else "Once more"
    return [
        Markdown(f"**{lesson.number} · {lesson.title}**"),
        Caption(lesson.goal),
        Caption(f"{lesson.minutes:.0f} minutes{so_far}"),
        Button(
            label,
            f"lessons-{lesson.name}",
            partial(_open, lesson, left),
            icon=":material/play_arrow:",
            type="primary" if label != "Once more" else "secondary",
            whole=True,
        ),
    ]


def _open(lesson: Lesson, number: int) -> Mapping[str, Any]:
    """Lead to a screen of the lesson; the settings that it changes are set on the way."""
    if number == 1:
        begin(lesson)
    else:
        go_to(lesson, number)
    return {}


VIEW = View("all lessons", _show)
