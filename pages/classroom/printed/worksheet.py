"""The worksheet without devices: the questions of the lessons, to be answered with a pencil; and its key."""

from collections.abc import Sequence

from core.lessons.lesson import GAP, Lesson, Screen, lessons
from core.lessons.words import read_answer, read_explanation
from core.topics.shared.truth import Truth
from pages.classroom.plans import chosen
from pages.classroom.printed.sheets import sheet
from pages.classroom.printed.truths import LessonTruths

NOT_KNOWN = "Look at the screen of the lesson: this cannot be computed here and now."


def worksheet(truths: LessonTruths) -> str:
    """Return the worksheet of all lessons as a page, with the tokens that the models make of the lessons' sentences."""
    return _filled("worksheet", "Worksheet without devices", list(lessons().values()), truths)


def worksheet_of_plan(truths: LessonTruths, minutes: int) -> str:
    """Return the worksheet of the questions in the plan of a class of this length, as a page of few sheets of paper."""
    title = f"Worksheet for the plan of {minutes} minutes"
    return _filled(f"worksheet-{minutes}", title, chosen(minutes), truths, is_short=True)


def worksheet_key(truths: LessonTruths) -> str:
    """Return the right answers of the worksheet as a page, with their explanations."""
    return _filled("worksheet-key", "Worksheet: the key", list(lessons().values()), truths, with_key=True)


def _filled(
    name: str, title: str, asked: Sequence[Lesson], truths: LessonTruths, with_key: bool = False, is_short: bool = False
) -> str:
    """Return a worksheet, or its key.

    is_short: whether lessons follow one another on the same sheet of paper.
    """
    sections = [
        (lesson, [(screen, truths.get(lesson, number)) for number, screen in enumerate(lesson.screens, 1)])
        for lesson in asked
    ]
    return sheet(
        "worksheet",
        name,
        title,
        sections=sections,
        with_key=with_key,
        is_short=is_short,
        gap=GAP,
        solution=_solution,
    )


def _solution(screen: Screen, truth: Truth | None) -> list[str]:
    """Return the right answer and its explanation, in lines."""
    if truth is None:
        return [NOT_KNOWN]
    lines = [read_answer(screen, truth, truth.answer), *read_explanation(screen, truth, truth.answer)]
    if screen.kind == "row":
        shares = (f"{label} {share:.0%}" for label, share in zip(truth.labels, truth.answer, strict=True))
        lines.insert(1, ", ".join(shares))
    return lines
