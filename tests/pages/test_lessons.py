"""Every lesson: each question is answered by the run that its page shows, whatever text the learner writes."""

import json
import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import pytest

from core.lessons.glossary import BY_FORM
from core.lessons.grading import checked_answer, grade
from core.lessons.lesson import LESSONS_FOLDER, Lesson, Screen, lessons, load_lesson
from core.lessons.words import picked_settings, read_answer, read_explanation, read_grade
from core.topics.circuits.attribution import attribute
from core.topics.shared.truth import MOST_LABELS, Truth
from core.tracing.run import Run
from pages.compute.cache import compute
from pages.shell.settings import HEADER_SETTINGS, MODEL
from pages.shell.url_params import refused
from pages.transformer.circuits.settings import PART
from pages.widgets import PLACE
from tests.pages.house import BY_ADDRESS, KNOWN
from tests.pages.screens import opened_run

LESSONS = [load_lesson(path) for path in sorted(LESSONS_FOLDER.glob("*.toml"))]
BY_NAME = {lesson.name: lesson for lesson in LESSONS}
SCREENS = [
    pytest.param(lesson, number, id=f"{lesson.name}-{number}")
    for lesson in LESSONS
    for number in range(1, len(lesson.screens) + 1)
]
SENTENCES = (
    "My grandmother baked an extraordinary cake, and the cat ate the cake.",
    "Yesterday the old teacher opened the window because it was hot in the old",
    "If you see the sea, <b>you</b> will see *ships*.",
)
every_screen = pytest.mark.parametrize(("lesson", "number"), SCREENS)
BOLD = re.compile(r"\*\*(.+?)\*\*")


@cache
def run_of(address: str, text: str, model: str = "") -> Run:
    return opened_run(BY_ADDRESS[address], text, model)


def truth_of(lesson: Lesson, number: int, text: str) -> Truth:
    return _truth(lesson.name, number, text)


@cache
def _truth(name: str, number: int, text: str) -> Truth:
    screen = BY_NAME[name].screens[number - 1]
    run = run_of(screen.page, text, screen.settings.get(MODEL.key, ""))
    found: Truth = compute(partial(screen.function, **screen.arguments), run)
    return found


def plain_values(answer: Any) -> Any:
    """An answer as the browser sends it."""
    return json.loads(json.dumps(answer, default=lambda array: array.tolist()))


def wrong_answers(screen: Screen, truth: Truth) -> Iterator[Any]:
    right, count = plain_values(truth.answer), len(truth.labels)
    match screen.kind:
        case "choice":
            yield from (option.name for option in screen.options if option.name != right)
        case "token":
            yield from (index for index in range(count) if index != right)
        case "cell":
            yield from ([row, right[1]] for row in range(len(truth.rows)) if row != right[0])
        case "row":
            least = right.index(min(right))
            yield [float(index == least) for index in range(count)]
        case "order":
            yield right[::-1]
        case "number":
            yield from (right + sign * (screen.tolerance + 1) for sign in (1, -1))
        case "formula":
            names = [option.name for option in screen.options]
            yield from ([name] * len(right) for name in names)


def check(screen: Screen, truth: Truth) -> None:
    """The truth is graded as right and other answers as wrong, and all sentences can be said."""
    assert len(truth.labels) <= MOST_LABELS and len(truth.rows) <= MOST_LABELS
    assert len(set(truth.labels)) == len(truth.labels)
    right = checked_answer(screen, truth, plain_values(truth.answer))
    assert grade(screen, truth, right).right and read_answer(screen, truth, right)
    wrong = [checked_answer(screen, truth, answer) for answer in wrong_answers(screen, truth)]
    assert wrong
    for answer in wrong:
        found = grade(screen, truth, answer)
        assert not found.right and read_grade(screen, truth, found) and read_answer(screen, truth, answer)
    for answer in (right, *wrong, None):
        for sentence in read_explanation(screen, truth, answer):
            assert not re.search(r"[{}]|\bnan\b|\bNone\b", sentence)
            assert sentence[0].isupper() or sentence[0] in "“0123456789"
            assert sentence.endswith((".", "?", "!"))


def test_each_file_can_be_used_and_each_lesson_has_its_own_place() -> None:
    assert {lesson.name for lesson in LESSONS} == set(lessons())
    assert len({lesson.number for lesson in LESSONS}) == len(LESSONS)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_a_lesson_is_short_and_uses_the_words_of_the_glossary(lesson: Lesson) -> None:
    assert 3 <= len(lesson.screens) <= 5 and 4 <= lesson.own_minutes <= 9 and 12 <= lesson.minutes <= 26
    assert lesson.title.endswith("?") and lesson.goal.endswith(".")
    bold = [term for screen in lesson.screens for term in BOLD.findall(screen.text)]
    assert not [term for term in (*bold, *lesson.terms) if term.casefold() not in BY_FORM]


@every_screen
def test_the_settings_of_a_screen_are_those_of_its_page(lesson: Lesson, number: int) -> None:
    screen = lesson.screens[number - 1]
    page = BY_ADDRESS[screen.page]
    own = {setting.key for setting in (*HEADER_SETTINGS, *PLACE, *page.all_settings)}
    assert set(screen.settings) <= own
    assert refused({key: [value] for key, value in screen.settings.items()}, KNOWN) == []
    assert screen.vary and screen.notes and not re.search("[{}]", screen.vary + screen.text + screen.question)


@every_screen
def test_the_picture_shows_the_head_and_the_row_that_the_question_is_about(lesson: Lesson, number: int) -> None:
    screen = lesson.screens[number - 1]
    asked = {key: str(value) for key, value in screen.arguments.items() if key in ("layer", "head", "temperature")}
    shown = dict(screen.settings) | picked_settings(screen, truth_of(lesson, number, lesson.words))
    shown = {key.removeprefix("self-attention-"): value for key, value in shown.items()}
    if asked and PART.key in shown:
        attributed = compute(partial(attribute, stack="decoder", token=0), run_of(screen.page, lesson.words))
        place = attributed.parts[int(shown[PART.key])].place("decoder")
        shown |= {"layer": str(place.layer + 1), "head": str(place.head + 1)}
    assert asked.items() <= shown.items()


@every_screen
def test_a_question_about_the_lessons_sentence_has_a_right_and_a_wrong_answer(lesson: Lesson, number: int) -> None:
    check(lesson.screens[number - 1], truth_of(lesson, number, lesson.words))


@pytest.mark.parametrize("text", SENTENCES)
@every_screen
def test_a_question_about_any_text_has_an_answer_or_says_what_it_needs(lesson: Lesson, number: int, text: str) -> None:
    try:
        truth = truth_of(lesson, number, text)
    except ValueError as mistake:
        assert str(mistake).startswith("This question needs ")
        return
    check(lesson.screens[number - 1], truth)


@pytest.mark.parametrize("text", ["Hi", "word " * 60])
@every_screen
def test_a_text_too_short_or_too_long_is_answered_or_refused(lesson: Lesson, number: int, text: str) -> None:
    try:
        truth = truth_of(lesson, number, text)
    except ValueError as mistake:
        assert str(mistake).startswith("This question needs ")
        return
    answer = plain_values(truth.answer)
    screen = lesson.screens[number - 1]
    assert len(truth.labels) <= MOST_LABELS and grade(screen, truth, checked_answer(screen, truth, answer)).right


@every_screen
def test_most_texts_suit_a_question(lesson: Lesson, number: int) -> None:
    suited = 0
    for text in SENTENCES:
        try:
            truth_of(lesson, number, text)
        except ValueError:
            continue
        suited += 1
    assert suited >= 1
