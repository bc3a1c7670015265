"""The questions as a GIFT file: what an importer reads is the truth, and no text breaks the file."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.testclient import TestClient

from core.lessons.lesson import Lesson, Option, Screen, lessons
from core.topics.shared.truth import Truth
from pages.classroom import plans
from pages.classroom.printed import LessonTruths, print_routes
from pages.classroom.printed.gift import gift_file
from tests.pages.classroom.lesson import LESSON, TRUTHS, WORDS, truth_for
from tests.pages.classroom.printed.gift_reader import GiftQuestion, read_gift

LEFT_OUT = re.compile(r"^// Left out: (\S+)", re.MULTILINE)
HOSTILE = (
    "a = b ~ c # d { e } f : g \\ h",
    "}\n\n::made up::who?{T}\n",
    "// no comment",
    "\n\n// x\n\n$CATEGORY: elsewhere\n\n",
    "[html]<img src=x onerror=alert(1)>",
    "%100%",
    "%50%half right",
    "####",
    "=~",
    "\\n \\\\ \\= \\",
    "::",
    "[",
)


def read(lesson: Lesson, compute: object = truth_for) -> tuple[list[str], list[GiftQuestion], str]:
    """The categories and questions of a lesson's file, and the file."""
    content = gift_file([lesson], LessonTruths(compute))  # type: ignore[arg-type]
    return *read_gift(content), content


def line(text: str) -> str:
    return " ".join(text.split())


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_each_kind_is_carried_with_the_truth_or_left_out_with_its_reason() -> None:
    categories, questions, content = read(LESSON)
    assert categories == ["Attention Explorer/01 Does everything work?"]
    kinds = [screen.kind for screen in LESSON.screens]
    assert kinds == ["choice", "token", "cell", "row", "order", "number", "formula"]
    assert LEFT_OUT.findall(content) == ["1.4"] and "A row of weights is drawn" in content
    choice, token, cell, order, number, formula = questions
    assert [question.kind for question in questions] == [
        *("multichoice", "multichoice", "match", "match", "numerical", "match")
    ]
    assert choice.right == ["the numbers of a row"] and len(choice.answers) == 3
    assert choice.answers[0][1] == "A key may get any sum: here 77123 weights."
    assert choice.explanation == "Each of the 77123 rows sums to 1."
    assert token.right == ["cat"] and [text for text, _, _ in token.answers] == list(WORDS)
    assert [(first, second) for first, second, _ in cell.answers if first] == [("row", "it"), ("column", "cat")]
    assert sorted(second for first, second, _ in cell.answers if not first) == ["because", "sat", "the"]
    assert {first: second for first, second, _ in order.answers} == dict(
        zip(("cat", "it", "because", "sat", "the"), "12345", strict=True)
    )
    assert number.right == ["77123.0"] and number.answers[0][1] == "0.0" and number.text.endswith("In: tokens")
    assert [(first, second) for first, second, _ in formula.answers] == [("gap 1 (___)", "√d_k"), ("gap 2 (___)", "V")]
    for question in questions:
        assert question.format == "plain" and f"“{LESSON.words}”" in question.text


def test_a_number_has_its_tolerance_and_a_guess_says_that_it_is_one() -> None:
    screen = replace(LESSON.screens[5], tolerance=2.5, is_guess=True, is_about_text=False)
    _, (question,), _ = read(replace(LESSON, screens=(screen,)), lambda screen, text: Truth(9.25, {"tokens": 9}))
    assert question.answers == [("9.25", "2.5", 1)]
    assert "Nobody can know this" in question.text and LESSON.words not in question.text


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("kind", [screen.kind for screen in LESSON.screens])
def test_a_hostile_text_stands_in_the_file_as_it_was_written(kind: str, hostile: str) -> None:
    screen = next(screen for screen in LESSON.screens if screen.kind == kind)
    options = tuple(replace(option, text=f"{hostile}{option.text}") for option in screen.options)
    screen = replace(
        screen,
        options=options,
        question=hostile,
        text=hostile,
        explanation=f"{hostile.replace('{', '{{').replace('}', '}}')}",
    )
    labels = [f"{hostile}{word}" for word in WORDS]
    truth = replace(TRUTHS[kind], labels=labels, rows=labels)
    lesson = replace(LESSON, words=hostile, title=hostile, screens=(screen, LESSON.screens[0]))

    def compute(asked: Screen, text: str) -> Truth:
        return truth if asked is screen else TRUTHS["choice"]

    categories, questions, content = read(lesson, compute)
    assert len(categories) == 1 and questions[-1].right == ["the numbers of a row"]  # the next one is whole
    if kind == "row":
        assert LEFT_OUT.findall(content) == ["1.1"] and len(questions) == 1
        return
    assert len(questions) == 2 and LEFT_OUT.findall(content) == []
    question = questions[0]
    assert question.name == line(f"1.1 {hostile}") and f"“{squeezed(hostile)}”" in squeezed(question.text)
    assert squeezed(question.explanation).casefold() == squeezed(hostile).casefold()  # it begins with a capital
    if question.kind == "multichoice":
        shown = [option.text for option in options] if kind == "choice" else labels
        assert [text for text, _, _ in question.answers] == [line(text) for text in shown]
        assert question.right == [line(shown[1])]
    if kind == "order":
        assert {second: first for first, second, _ in question.answers}["1"] == line(labels[1])


@given(st.text(alphabet="\\~=#{}:[]%/n$ a\n", max_size=12))
def test_no_sentence_and_no_label_changes_what_is_read(text: str) -> None:
    screen, labels = LESSON.screens[1], [f"{text}{number}" for number in range(3)]
    lesson = replace(LESSON, words=text, screens=(screen,))
    _, (question,), _ = read(lesson, lambda screen, text: Truth(2, {"weight": 0.5, "word": "w"}, labels))
    assert [answer for answer, _, _ in question.answers] == [line(label) for label in labels]
    assert question.right == [line(labels[2])]
    assert f"“{squeezed(text)}”" in squeezed(question.text)


@pytest.mark.parametrize(
    ("labels", "reason"),
    [(["a -> b", "c"], "has the sign “->”"), (["a", "b", "a"], "Two of its answers read the same")],
)
def test_what_the_format_cannot_tell_apart_is_left_out(labels: list[str], reason: str) -> None:
    truth = Truth(tuple(range(len(labels))), {"word": "w"}, labels)
    lesson = replace(LESSON, screens=(LESSON.screens[4],))
    _, questions, content = read(lesson, lambda screen, text: truth)
    assert questions == [] and reason in content


def test_what_cannot_be_computed_is_left_out() -> None:
    def fail(screen: Screen, text: str) -> Truth:
        raise ValueError("unsuitable")

    _, questions, content = read(LESSON, fail)
    assert questions == [] and content.count("cannot be computed") == len(LESSON.screens)


def test_options_that_a_formula_does_not_need_are_choices_too() -> None:
    more = Option("keys", "K", "No.")
    screen = replace(LESSON.screens[6], options=(more, *LESSON.screens[6].options))
    _, (question,), _ = read(replace(LESSON, screens=(screen,)))
    assert [(first, second) for first, second, _ in question.answers][-1] == ("", "K")


def test_there_is_a_file_for_each_lesson_for_each_plan_and_for_all() -> None:
    asked: list[str] = []

    def compute(screen: Screen, text: str) -> Truth:
        asked.append(screen.question)
        raise ValueError("unsuitable")

    async def leads(request: Request) -> bool:
        return False

    routes = print_routes(LessonTruths(compute), leads)
    with TestClient(Starlette(routes=routes)) as client:
        for name, screens in (
            ("lessons", [screen for lesson in lessons().values() for screen in lesson.screens]),
            ("plan-45", [screen for lesson in plans.chosen(45) for screen in lesson.screens]),
            ("masks", lessons()["masks"].screens),
        ):
            answer = client.get(f"/print/{name}.gift.txt")
            assert answer.headers["content-type"] == "text/plain; charset=utf-8"
            assert answer.headers["content-disposition"] == f"attachment; filename={name}.gift.txt"
            assert LEFT_OUT.findall(answer.text) and answer.text.count("// Left out") == len(screens)
        assert client.get("/print/nothing.gift.txt").status_code == 404
        assert client.get("/print/.gift.txt").status_code == 404
