"""Plans as files: what is written is read again, and everything else gets a sentence."""

import json
from typing import Any

import pytest

from pages.classroom.plan_files import (
    EXPLANATION_CHARACTERS,
    MOST_QUESTIONS,
    OPTION_CHARACTERS,
    PLAN_BYTES,
    QUESTION_CHARACTERS,
    TITLE_CHARACTERS,
    BrokenPlan,
    plan_content,
    read_plan,
)
from tests.pages.classroom.lesson import LESSON
from tests.pages.classroom.own_plan import OWN, plan_file

KNOWN = {LESSON.name: LESSON}


def test_a_plan_is_read_as_it_was_written() -> None:
    content = plan_file(3, OWN, 1, 3, title="Ünser plan", sentence="the cat sat")
    plan = read_plan(json.loads(json.dumps(content)), KNOWN)
    assert plan_content(plan) == content and plan.text == "the cat sat"
    assert [question.number for question in plan.questions] == [3, 0, 1, 3]
    assert plan.questions[0].screen is LESSON.screens[2] and plan.questions[1].own_truth.answer == "3"


def test_the_minutes_of_a_plan_are_those_of_its_questions() -> None:
    plan = read_plan(plan_file(1, OWN), KNOWN)
    words = " ".join([OWN["own"], *OWN["options"], OWN["explanation"]]).split()
    assert plan.minutes == LESSON.screens[0].minutes + round(2 * (len(words) / 130 + 3.5)) / 2


def test_the_longest_plan_can_be_sent() -> None:
    own = OWN | {
        "own": "😀" * QUESTION_CHARACTERS,
        "options": [f"{n}" + "😀" * (OPTION_CHARACTERS - 1) for n in range(4)],
        "explanation": "😀" * EXPLANATION_CHARACTERS,
    }
    content = plan_file(*[own] * MOST_QUESTIONS, title="😀" * TITLE_CHARACTERS)
    assert len(read_plan(content, KNOWN).questions) == MOST_QUESTIONS
    sent = json.dumps({"plan": content, "text": "😀" * 300}, ensure_ascii=False)  # as browsers write it
    assert len(sent.encode()) <= PLAN_BYTES


def own(**changes: Any) -> dict[str, Any]:
    return plan_file(1, OWN | changes)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ([], "no plan of"),
        ("plan", "no plan of"),
        ({}, "no plan of"),
        (plan_file(1) | {"format": "other"}, "no plan of"),
        (plan_file(1) | {"version": 2}, "reads version 1"),
        (plan_file(1) | {"version": "1"}, "reads version 1"),
        (plan_file(1) | {"more": 1}, "does not know"),
        (plan_file(1) | {"title": 7}, "something else where a text"),
        (plan_file(1, title="x" * (TITLE_CHARACTERS + 1)), "60 are the most"),
        (plan_file(1, sentence="x" * 301), "300 are the most"),
        (plan_file(), "no questions"),
        (plan_file(1) | {"questions": {"1": 1}}, "no questions"),
        (plan_file(*[1] * (MOST_QUESTIONS + 1)), "41 questions; 40 are the most"),
        (plan_file(1, "two"), "Question 2 of this plan is no question"),
        (plan_file({"lesson": "gone", "question": 1}), "Question 1 is of a lesson that this app does not have"),
        (plan_file({"lesson": ["gone"], "question": 1}), "does not have"),
        (plan_file(8), "which has 7"),
        (plan_file(0), "which has 7"),
        (plan_file({"lesson": LESSON.name, "question": True}), "which has 7"),
        (plan_file({"lesson": LESSON.name, "question": 1, "truth": "os.system"}), "does not know"),
        (own(truth="os.system"), "Question 2 has a field"),
        (own(own=""), "Question 2 has no text"),
        (own(own="x" * (QUESTION_CHARACTERS + 1)), "200 are the most"),
        (own(options=["a", "b", "c"]), "needs 4 options"),
        (own(options="abcd"), "needs 4 options"),
        (own(options=["a", "b", "c", " a "]), "same option twice"),
        (own(options=["a", "b", "c", "\u200b"]), "option 4 has no text"),
        (own(options=["a", "b", "c", 4]), "option 4 has something else"),
        (own(options=["a", "b", "c", "x" * (OPTION_CHARACTERS + 1)]), "option 4 has a text of 101"),
        (own(right=0), "which of its 4 options is right"),
        (own(right=5), "which of its 4 options is right"),
        (own(right="3"), "which of its 4 options is right"),
        (own(right=True), "which of its 4 options is right"),
        (own(explanation="x" * (EXPLANATION_CHARACTERS + 1)), "300 are the most"),
    ],
)
def test_a_bad_file_gets_a_sentence(content: Any, sentence: str) -> None:
    with pytest.raises(BrokenPlan, match=sentence) as refusal:
        read_plan(content, KNOWN)
    assert str(refusal.value).endswith(".")
