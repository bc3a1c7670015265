"""A class is asked the inventory about what the lessons of its plan teach, and about nothing else."""

import csv
import io
from collections.abc import Iterator

import pytest

from core.lessons.inventory import inventory
from core.lessons.lesson import lessons
from pages.classroom.plans import PLANS, chosen, ideas_of
from tests.pages.classroom.clients import School, opened_school
from tests.pages.classroom.own_plan import plan_file

ALL = inventory().concepts


@pytest.fixture
def school() -> Iterator[School]:
    with opened_school() as opened:
        opened.server.lessons = lessons
        yield opened


@pytest.mark.parametrize("minutes", PLANS.values())
def test_a_printed_plan_asks_about_what_its_lessons_teach_and_nothing_else(minutes: int) -> None:
    taken = {lesson.name for lesson in chosen(minutes)}
    taught = [concept for concept in ALL if concept.lesson in taken]
    assert list(ideas_of(chosen(minutes)).concepts) == taught and 0 < len(taught) < len(ALL)


def test_the_page_says_how_many_questions_a_plan_asks_and_how_long_they_take(school: School) -> None:
    asked = {plan["name"]: plan["asked"] for plan in school.get("/lessons").json()["plans"]}
    # The words of the longer half are 127 and 260: 127 / 200 + 2 · 0.5 + 1 = 2.6 and 260 / 200 + 4 · 0.5 + 1 = 4.3.
    assert asked == {
        "plan-45": "2 questions about what the plan’s lessons teach, 3 minutes each time.",
        "plan-90": "4 questions about what the plan’s lessons teach, 4.5 minutes each time.",
    }
    assert 0.75 <= inventory().minutes / len(ALL) <= 1.25  # the page says “about a minute” of each question


def test_phones_are_asked_about_what_the_lessons_of_the_plan_teach(school: School) -> None:
    questions = [{"lesson": name, "question": 1} for name in ("masks", "next-word")]
    teacher = school.open_plan(plan_file() | {"questions": questions, "inventory": True})
    taught = [concept for concept in ALL if concept.lesson in ("masks", "next-word")]
    assert [concept.name for concept in taught] == ["masks", "generation"]
    phones = [teacher.join(), teacher.join()]
    teacher.lead("open")
    for phone, half in zip(phones, "AB", strict=True):
        assert [item["question"] for item in phone.state()["form"]["items"]] == [
            concept.questions[half].question for concept in taught
        ]
        assert phone.answer({"choices": [0] * len(ALL), "word": ""}).status_code == 400
        answer = {"choices": [concept.questions[half].right for concept in taught], "word": ""}
        assert phone.answer(answer).status_code == 200
    teacher.lead("closed")
    teacher.act("screen", 4)
    teacher.lead("open")
    for phone, half in zip(phones, "BA", strict=True):
        answer = {"choices": [concept.questions[half].right for concept in taught], "word": ""}
        assert phone.answer(answer, 4).status_code == 200
    teacher.lead("closed", "reveal")
    assert [row["title"] for row in teacher.projected()["gain"]["rows"]] == [concept.title for concept in taught]
    assert phones[0].state()["sheets"]["sentence"] == "Right: 2 of 2 before, 2 of 2 after."
    table = teacher.school.get(f"/teacher/{teacher.code}/counts.csv", headers=teacher.headers)
    rows = [
        row
        for row in csv.DictReader(io.StringIO(table.content.decode("utf-8-sig")))
        if row["lesson"][:9] == "inventory"
    ]
    assert {row["question"] for row in rows} == {c.questions[half].question for c in taught for half in "AB"}
