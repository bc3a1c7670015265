"""The worksheet without devices: the questions of the lessons, to be answered with a pencil; and its key."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from core.explore import Matrix
from core.lessons.lesson import GAP, Lesson, Screen, lessons
from core.lessons.words import read_answer, read_explanation
from core.topics.shared.truth import Truth
from pages.classroom.plans import chosen
from pages.classroom.printed.sheets import sheet
from pages.classroom.printed.truths import LessonTruths

NOT_KNOWN = "Look at the screen of the lesson: this cannot be computed here and now."
# The kinds of questions with a picture on paper, if they are about tables of weights: in a key the tables; on a
# worksheet a blank one to shade, where the answer is not marked in one anyway. A formula is about no text.
KEY_KINDS = ("choice", "token", "cell", "row", "order", "number")
BLANK_KINDS = ("choice", "number")


@dataclass(frozen=True, eq=False)
class Printed:
    """A question of a worksheet.

    truth: None if it cannot be computed.
    tables: those of the picture that it is about.
    blank: the labels of a table of its text with itself, to be printed without its numbers; () for none.
    """

    screen: Screen
    truth: Truth | None
    tables: tuple[Matrix, ...]
    blank: tuple[str, ...] = ()

    @property
    def pictures(self) -> Iterator[Markup]:
        """The picture for the key, as SVG: its tables with their numbers, and a frame around the right cell."""
        for table in self.tables:
            truth = self.truth
            is_asked = truth and self.screen.kind == "cell" and (table.rows, table.columns) == _sides(truth)
            yield Markup(table.to_svg(with_numbers=True, marked=truth.answer if truth and is_asked else None))


def worksheet(truths: LessonTruths) -> str:
    """Return the worksheet of all lessons as a page, with the tokens that the models make of the lessons' sentences."""
    return _filled("worksheet", "Worksheet without devices", list(lessons().values()), truths)


def worksheet_of_plan(truths: LessonTruths, minutes: int, with_key: bool = False) -> str:
    """Return the worksheet of the questions in the plan of a class of this length, as a page of few sheets of paper.

    with_key: whether it is the key instead.
    """
    name, title = f"worksheet-{minutes}", f"Worksheet for the plan of {minutes} minutes"
    if with_key:
        name, title = f"{name}-key", f"{title}: the key"
    return _filled(name, title, chosen(minutes), truths, with_key, is_short=True)


def worksheet_key(truths: LessonTruths) -> str:
    """Return the right answers of the worksheet as a page, with their explanations and pictures."""
    return _filled("worksheet-key", "Worksheet: the key", list(lessons().values()), truths, with_key=True)


def _filled(
    name: str, title: str, asked: Sequence[Lesson], truths: LessonTruths, with_key: bool = False, is_short: bool = False
) -> str:
    """Return a worksheet, or its key.

    is_short: whether lessons follow one another on the same sheet of paper, without blank tables.
    """
    kinds = KEY_KINDS if with_key else () if is_short else BLANK_KINDS
    return sheet(
        "worksheet",
        name,
        title,
        sections=[(lesson, list(_questions(lesson, truths, kinds))) for lesson in asked],
        with_key=with_key,
        is_short=is_short,
        gap=GAP,
        solution=_solution,
    )


def _questions(lesson: Lesson, truths: LessonTruths, kinds: Sequence[str]) -> Iterator[Printed]:
    """Yield the questions of a lesson, with the tables of those of these kinds.

    A blank table stands at the first question that it is for.
    """
    seen: set[tuple[str, ...]] = set()
    for number, screen in enumerate(lesson.screens, 1):
        truth = truths.get(lesson, number)
        tables = truths.tables(lesson, number) if screen.kind in kinds else ()
        asked = tuple(truth.labels) if truth and screen.kind == "cell" else ()  # whose table is there anyway
        own = next((table.rows for table in tables if len(table.rows) > 1 and table.rows == table.columns), ())
        yield Printed(screen, truth, tables, () if own in seen else own)
        seen |= {asked, own}


def _sides(truth: Truth) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(truth.rows), tuple(truth.labels)


def _solution(screen: Screen, truth: Truth | None) -> list[str]:
    """Return the right answer and its explanation, in lines."""
    if truth is None:
        return [NOT_KNOWN]
    lines = [read_answer(screen, truth, truth.answer), *read_explanation(screen, truth, truth.answer)]
    if screen.kind == "row":
        shares = (f"{label} {share:.0%}" for label, share in zip(truth.labels, truth.answer, strict=True))
        lines.insert(1, ", ".join(shares))
    return lines
