"""What do you know? Both halves of the inventory as forms, what was right, and why a wrong choice is wrong."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.lessons.inventory import UNSURE, UNSURE_ANSWER, inventory
from pages.shell.lesson import keeping, progress
from pages.shell.lesson.progress import LessonProgress
from pages.start.lessons import knowledge, overview
from pages.start.lessons.settings import AFTER_LESSONS
from tests.pages.conftest import Open
from tests.pages.screen import said

FILE = "pages/start/lessons/page.py"
VIEW = "what do you know?"
FIRST, SECOND = (inventory().half(half) for half in "AB")
MANY = 11
BEHIND = "*Many think:*"


def opened(open_page: Open, **params: str) -> AppTest:
    return open_page(FILE, lessons_view=VIEW, **params)


def choose(at: AppTest, half: str, choices: dict[int, int]) -> AppTest:
    """Choose options in the form: the index of the option by the number of the question."""
    for number, choice in choices.items():
        at.radio(key=f"lessons-{half}-{number}").set_value(choice)
    return at.run()


def all_right() -> dict[int, int]:
    return {number: question.right for number, question in enumerate(FIRST, 1)}


def known(at: AppTest) -> LessonProgress:
    found: LessonProgress = at.session_state["visit"].parts[LessonProgress]
    return found


def test_nothing_is_said_before_the_whole_half_is_answered(open_page: Open) -> None:
    at = opened(open_page)
    assert len(FIRST) == MANY and f"There are {MANY} questions, each about one idea." in said(at)
    assert f"All {2 * MANY} questions can be printed" in said(at)
    assert [radio.label for radio in at.radio] == [f"{n}. {q.question}" for n, q in enumerate(FIRST, 1)]
    assert all(radio.value is None for radio in at.radio)
    assert [list(radio.options) for radio in at.radio] == [[*(o.text for o in q.options), UNSURE_ANSWER] for q in FIRST]
    at = choose(at, "A", {1: 0, 2: 1})
    at.button(key="lessons-A-send").click().run()
    assert f"Not answered yet: {', '.join(str(n) for n in range(3, MANY + 1))}" in said(at)
    assert BEHIND not in said(at) and not known(at).halves


def test_who_does_not_know_is_told_what_is_right_and_of_no_belief(open_page: Open) -> None:
    at = choose(opened(open_page), "A", all_right() | {1: UNSURE})
    at.button(key="lessons-A-send").click().run()
    assert f"{MANY - 1} of {MANY} right before the lessons." in said(at).replace("\\", "")
    assert BEHIND not in said(at) and f"You: {UNSURE_ANSWER}" in said(at) and FIRST[0].because in said(at)


def test_a_wrong_choice_is_explained_and_leads_to_the_lesson(open_page: Open) -> None:
    at = opened(open_page)
    wrong = (FIRST[0].right + 1) % 4
    at = choose(at, "A", all_right() | {1: wrong})
    at.button(key="lessons-A-send").click().run()
    assert f"{MANY - 1} of {MANY} right before the lessons." in said(at).replace("\\", "")
    assert said(at).count(BEHIND) == 1 and FIRST[0].options[wrong].misconception in said(at)
    assert FIRST[0].options[wrong].instead in said(at)
    assert FIRST[0].because in said(at) and FIRST[1].because not in said(at)
    assert "| What a token is | :material/cancel: wrong | not asked yet |" in said(at) and not at.radio
    at.button(key="lessons-A1-lesson").click().run()
    assert at.title[0].value == "What are the pieces that a model reads?"


def test_before_and_after_stand_side_by_side(open_page: Open) -> None:
    at = opened(open_page, lessons_when=AFTER_LESSONS)
    assert at.radio[0].label == f"1. {SECOND[0].question}"
    known(at).halves["A"] = tuple((question.right + 1) % 4 for question in FIRST)
    at = choose(at, "B", {number: question.right for number, question in enumerate(SECOND, 1)})
    at.button(key="lessons-B-send").click().run()
    assert said(at).count("| :material/cancel: wrong | :material/check_circle: right |") == MANY
    told = said(at).replace("\\", "")
    assert "After the lessons you had more answers right than before them." in told
    assert f"0 of {MANY} right before the lessons, {MANY} of {MANY} right after the lessons." in told
    assert BEHIND not in said(at)


@pytest.mark.parametrize(
    ("after", "compared"),
    [(3, "fewer answers right than"), (4, "as many answers right as"), (5, "more answers right than")],
)
def test_the_answers_before_and_after_are_compared(after: int, compared: str) -> None:
    assert knowledge._compared(4, after) == f"After the lessons you had {compared} before them."


@pytest.mark.parametrize(
    ("done", "said_of_them"),
    [
        (0, "There are 12 lessons to choose from."),
        (1, "You have finished 1 of 12 lessons."),
        (12, "You have finished all 12 lessons."),
    ],
)
def test_the_finished_lessons_are_counted(done: int, said_of_them: str) -> None:
    assert overview._read_finished(done, 12) == said_of_them


def test_a_half_can_be_answered_again_from_an_empty_form(open_page: Open) -> None:
    at = choose(opened(open_page), "A", all_right())
    at.button(key="lessons-A-send").click().run()
    assert known(at).halves["A"] == tuple(question.right for question in FIRST)
    at.button(key="lessons-A-again").click().run()
    assert "A" not in known(at).halves and [radio.value for radio in at.radio] == [None] * MANY


def test_choices_stay_while_another_view_is_looked_at(open_page: Open) -> None:
    at = choose(opened(open_page), "A", {1: 2})
    at.session_state["lessons-view"] = "all lessons"
    at.run()
    assert not at.radio
    at.session_state["lessons-view"] = VIEW
    assert at.run().radio[0].value == 2


def test_a_half_of_a_former_visit_comes_back_from_the_browser(monkeypatch: Any) -> None:
    own = LessonProgress(halves={"B": (0,) * MANY})
    for module in (keeping, progress):
        monkeypatch.setattr(module, "progress", lambda: own)
    keeping.restore({"inventory/A": [3] * MANY, "inventory/B": [1] * MANY})
    assert own.halves == {"A": (3,) * MANY, "B": (0,) * MANY}


def test_the_lessons_page_stands_in_the_middle_of_a_lesson(open_page: Open) -> None:
    for view in ("all lessons", VIEW):
        at = open_page(FILE, lesson="what-is-a-token", lessons_view=view)
        assert not at.exception and "not on the lesson" in said(at)


def test_teachers_find_the_pages_to_print(open_page: Open) -> None:
    at = open_page(FILE)
    links = {link.proto.label: link.proto.url for link in at.get("link_button")}
    assert links["Open a class"] == "class/teach" and links["Plan of 90 minutes"] == "print/plan-90"
    assert links["Questions for Moodle"] == "print/lessons.gift.txt" and len(links) == 15
