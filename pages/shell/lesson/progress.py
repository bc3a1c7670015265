"""The answers of a learner in this visit, and how right each was."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.lessons.inventory import checked_choice, inventory
from core.lessons.lesson import Lesson
from pages.session.visit import visit_part


@dataclass(frozen=True)
class Answered:
    """An answer to one screen of a lesson.

    answer: as `core.lessons.grading.checked_answer` returns it.
    text: the text that the question was asked about.
    right: whether it was right; share: how right, from 0 to 1.
    """

    answer: Any
    text: str
    right: bool
    share: float


@dataclass
class LessonProgress:
    """The answers of a visit.

    answers: the answers by the name of the lesson and the number of the screen, from 1.
    halves: the index of the chosen option for each question of a half of the inventory, by half; only whole halves.
    """

    answers: dict[tuple[str, int], Answered] = field(default_factory=dict)
    halves: dict[str, tuple[int, ...]] = field(default_factory=dict)


def progress() -> LessonProgress:
    """Return the answers of this visit."""
    return visit_part(LessonProgress)


def answers_to(lesson: Lesson) -> Mapping[int, Answered]:
    """Return the answers to a lesson by the number of the screen, from 1."""
    all_answers = progress().answers
    numbers = range(1, len(lesson.screens) + 1)
    return {number: all_answers[lesson.name, number] for number in numbers if (lesson.name, number) in all_answers}


def forget_answer(lesson: Lesson, number: int) -> None:
    """Ask the question of a screen again.

    number: the number of the screen, from 1.
    """
    progress().answers.pop((lesson.name, number), None)


def take_half(half: str, chosen: Sequence[int]) -> None:
    """Keep the answers to one half of the inventory.

    Raises ValueError if an answer is missing or is none of the options.

    chosen: the index of the chosen option for each question.
    """
    questions = inventory().half(half)
    progress().halves[half] = tuple(
        checked_choice(question, choice) for question, choice in zip(questions, chosen, strict=True)
    )


def forget_half(half: str) -> None:
    """Ask the questions of one half of the inventory again."""
    progress().halves.pop(half, None)
