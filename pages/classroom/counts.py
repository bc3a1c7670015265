"""The answers of a class as a table for spreadsheets: no names, and one kind of value in each column."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from core.lessons.inventory import HALVES, UNSURE_ANSWER
from core.lessons.lesson import Screen
from core.lessons.spread import Bar, answer_bars, with_truth
from core.topics.shared.truth import Truth
from pages.classroom.inventory_steps import FilledSheet
from pages.classroom.plans import ClassPlan, PlanQuestion
from pages.classroom.polls import Poll
from pages.classroom.rooms import Room

COLUMNS = (
    *("lesson", "question number", "question", "sentence", "date", "vote", "number of people", "gap"),
    *("answer", "how many chose it", "right", "mean weight", "model's weight", "mean place", "model's place"),
    "words of those who chose it",
)
WORDS_JOINED = "; "
# A spreadsheet takes a cell that begins with one for a formula; the last four are their forms in East Asian widths.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def counts_table(room: Room, truths: Mapping[int, Truth | str], day: date) -> str:
    """Return how often each answer was given in each vote, as CSV; drawn rows and orders as means.

    Answers to the inventory come with the words of their participants, in the order of the alphabet.

    truths: the right answers by the number of the screen; a sentence instead if the text does not suit the screen.
    day: the day of the class.
    """
    made = io.StringIO()
    table = csv.writer(made)
    table.writerow(COLUMNS)
    for number, (question, poll) in enumerate(zip(room.plan.questions, room.polls, strict=True), 1):
        truth = truths[number]
        if isinstance(truth, str):
            continue
        if question.when:
            rows = _sheet_rows(room.plan, f"inventory {question.when}", number, day, list(poll.latest.values()))
        else:
            rows = _question_rows(question, number, question.sentence(room.texts[number - 1]), day, poll, truth)
        table.writerows([_cell(value) for value in row] for row in rows)
    return made.getvalue()


def _question_rows(
    question: PlanQuestion, number: int, sentence: str, day: date, poll: Poll, truth: Truth
) -> Iterator[tuple[Any, ...]]:
    screen = question.screen
    asked = (question.title, number, screen.question, sentence, day.isoformat())
    for vote, answers in enumerate(poll.votes, 1):
        for row in _rows(screen, truth, list(answers.values())) if answers else ():
            yield (*asked, vote, len(answers), *row, "")


def _sheet_rows(
    plan: ClassPlan, step: str, number: int, day: date, sheets: Sequence[FilledSheet]
) -> Iterator[tuple[Any, ...]]:
    """Yield a row for each answer to each question of the inventory that somebody was asked in a step.

    step: its name in the column of lessons.
    """
    for half in HALVES:
        for question in plan.ideas.half(half):
            given = [(sheet.answers[question.name], sheet.word) for sheet in sheets if question.name in sheet.answers]
            asked = (step, number, question.question, "", day.isoformat(), 1, len(given), "")
            for choice, text in enumerate([*(option.text for option in question.options), UNSURE_ANSWER]):
                words = [word for chosen, word in given if chosen == choice]
                right = "yes" if choice == question.right else "no"
                named = WORDS_JOINED.join(sorted(filter(None, words)))
                if given:
                    yield (*asked, text, len(words), right, "", "", "", "", named)


def _rows(screen: Screen, truth: Truth, answers: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield the columns from "gap" on for each answer."""
    for group in with_truth(screen, truth, answer_bars(screen, truth.labels, truth.rows, answers)):
        for bar in group.bars:
            yield (group.title, bar.label, *_values(screen, truth, bar, len(answers)))


def _values(screen: Screen, truth: Truth, bar: Bar, answered: int) -> tuple[Any, ...]:
    """Return the last columns of an answer, "" where a column does not fit the kind of question."""
    if screen.kind == "row":
        return "", "", f"{bar.share:.3f}", f"{bar.model:.3f}", "", ""
    if screen.kind == "order":
        mean, model = (len(truth.labels) * (1 - (share or 0.0)) + 1 for share in (bar.share, bar.model))
        return "", "", "", "", f"{mean:.1f}", f"{model:.0f}"
    return round(bar.share * answered), "yes" if bar.right else "no", "", "", "", ""


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_SIGNS) else value
