"""All lessons as cards, each with a button that begins it or continues it."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from core.lessons.lesson import Lesson, lessons
from pages.compute.calls import core_call
from pages.shell import Shown, View
from pages.shell.lesson.going import begin
from pages.shell.lesson.keeping import KeepProgress
from pages.shell.lesson.progress import answers_to
from pages.widgets import Button, Caption, Cards, Markdown, Part, PlainLink, Row, Values

SHEETS = (
    ("Plan of 90 minutes", "print/plan-90", "schedule"),
    ("Plan of 45 minutes", "print/plan-45", "schedule"),
    ("Worksheet of 90 minutes", "print/worksheet-90", "edit_note"),
    ("Worksheet of 45 minutes", "print/worksheet-45", "edit_note"),
    ("Key of 90 minutes", "print/worksheet-90-key", "key"),
    ("Key of 45 minutes", "print/worksheet-45-key", "key"),
    ("Worksheet of all lessons", "print/worksheet", "edit_note"),
    ("Key of all lessons", "print/worksheet-key", "key"),
    ("Questions for Moodle", "print/lessons.gift.txt", "download"),
    ("Questions A", "print/inventory-a", "quiz"),
    ("Questions B", "print/inventory-b", "quiz"),
    ("Key to A", "print/inventory-a-key", "key"),
    ("Key to B", "print/inventory-b-key", "key"),
    ("Glossary", "print/glossary", "menu_book"),
)


def _show(subject: Any, values: Values) -> Shown:
    """Show a card for each lesson."""
    known = list(core_call(lessons).values())
    minutes = sum(lesson.own_minutes for lesson in known)
    done = sum(len(answers_to(lesson)) == len(lesson.screens) for lesson in known)
    return Shown(
        pictures=[
            Cards([_card(lesson) for lesson in known], "lesson-cards", width=300),
            Cards([_for_teachers()], "lesson-teachers", columns=1),
            KeepProgress(),
        ],
        takeaway=[_read_finished(done, len(known)), f"All lessons together take about {minutes:.0f} minutes."],
        source=("core.lessons.lesson.lessons", "core.lessons.grading.grade"),
    )


def _read_finished(done: int, count: int) -> str:
    """Return how many lessons are finished."""
    if done == count:
        return f"You have finished all {count} lessons."
    return f"You have finished {done} of {count} lessons." if done else f"There are {count} lessons to choose from."


def _for_teachers() -> list[Part]:
    return [
        Markdown("##### For teachers"),
        Caption(
            "Open a lesson, or a plan of several, for a class: everybody answers on a phone, and you say when the "
            "answers are shown."
        ),
        Row([PlainLink("Open a class", "class/teach", ":material/groups:")]),
        Caption("To print, and to download:"),
        Row([PlainLink(label, path, f":material/{icon}:") for label, path, icon in SHEETS]),
    ]


def _card(lesson: Lesson) -> list[Part]:
    answers, many = answers_to(lesson), len(lesson.screens)
    right = sum(answered.right for answered in answers.values())
    so_far = f" · {len(answers)} of {many} answered, {right} right" if answers else f" · {many} questions"
    left = next((number for number in range(1, many + 1) if number not in answers), 1)
    label = "Start" if not answers else "Go on" if len(answers) < many else "Once more"
    return [
        Markdown(f"##### {lesson.number} · {lesson.title}"),
        Caption(lesson.goal),
        Row([_button(lesson, label, left), Caption(f"{lesson.own_minutes:.0f} minutes{so_far}")]),
    ]


def _button(lesson: Lesson, label: str, number: int) -> Button:
    """Return the button that opens a screen of the lesson."""
    return Button(
        label,
        f"lessons-{lesson.name}",
        partial(_open, lesson, number),
        icon=":material/play_arrow:",
        type="primary" if label != "Once more" else "secondary",
        whole=True,
    )


def _open(lesson: Lesson, number: int) -> Mapping[str, Any]:
    """Open a screen of the lesson, which also changes the settings; so return no settings to change."""
    begin(lesson, number)
    return {}


VIEW = View("all lessons", _show)
