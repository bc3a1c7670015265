"""The inventory in a class: halves, one vote before and one after, no hint before the end, and the gain."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from core.lessons.inventory import UNSURE, UNSURE_ANSWER, inventory
from core.lessons.lesson import lessons
from pages.classroom.inventory_steps import GAIN_NOTE, WORD_CHARACTERS, checked_sheet
from pages.classroom.plan_files import plan_content, read_plan
from pages.classroom.plans import inventory_step, timed_plan
from pages.classroom.refusals import NotAllowed
from pages.classroom.rooms import Room
from pages.classroom.seats import MOST_PARTICIPANTS
from pages.classroom.states import State
from tests.pages.classroom.clients import Phone, School, Teacher, opened_school
from tests.pages.classroom.lesson import LESSON, Clock
from tests.pages.classroom.own_plan import plan_file

ASKING = plan_file(1) | {"inventory": True}
HALF = {half: inventory().half(half) for half in "AB"}
MANY = len(inventory().concepts)


@pytest.fixture
def school() -> Iterator[School]:
    with opened_school() as opened:
        yield opened


@pytest.fixture
def teacher(school: School) -> Teacher:
    """A class with the inventory before and after one question."""
    return school.open_plan(ASKING)


def right(half: str) -> list[int | None]:
    return [question.right for question in HALF[half]]


def wrong(half: str) -> list[int | None]:
    return [(question.right + 1) % 4 for question in HALF[half]]


def sent(phone: Phone, choices: list[int | None], number: int = 1, word: str = "") -> None:
    answer = phone.answer({"choices": choices, "word": word}, number)
    assert answer.status_code == 200, answer.text


def asked(phone: Phone) -> list[str]:
    return [item["question"] for item in phone.state()["form"]["items"]]


def said_of_truth(half: str) -> set[str]:
    """All that says what is right of one half, or why."""
    return {
        text for each in HALF[half] for text in (each.because, *(o.instead or o.misconception for o in each.options))
    } - {""}


def led_to_the_end(teacher: Teacher) -> tuple[Phone, Phone]:
    """Two phones answer before and after; the vote on the last step is open.

    Before, both are wrong, but the first is right about the first concept; after, the first is right, and the second
    right about the second concept alone, knows not about the third, and leaves the last out.
    """
    first, second = teacher.join(), teacher.join()
    teacher.lead("open")
    sent(first, [*right("A")[:1], *wrong("A")[1:]], word="blue whale")
    sent(second, wrong("B"))
    teacher.lead("closed")
    teacher.act("screen", 3)
    teacher.lead("open")
    sent(first, right("B"), 3, "blue whale")
    sent(second, [*wrong("A")[:1], *right("A")[1:2], UNSURE, *wrong("A")[3:-1], None], 3)
    return first, second


def test_a_plan_with_the_inventory_begins_and_ends_with_it() -> None:
    plan = timed_plan("plan-90", lessons())
    both = plan.with_inventory
    assert not plan.asks_inventory and both.asks_inventory and both.with_inventory == both
    before, after = (inventory_step(when, plan.ideas.minutes) for when in ("before", "after"))
    assert both.questions == (before, *plan.questions, after) and both.main_questions == plan.questions
    assert both.minutes == plan.minutes + 2 * plan.ideas.minutes <= 80
    assert (both.step("before"), both.step("after")) == (1, len(both.questions)) and plan.step("before") is None


def test_only_the_long_plan_is_offered_with_it(school: School) -> None:
    with opened_school() as real:
        real.server.lessons = lessons
        offered = {plan["name"]: plan["inventory"] for plan in real.get("/lessons").json()["plans"]}
    assert offered == {"plan-45": False, "plan-90": True}


def test_a_named_plan_is_opened_with_it_and_without(school: School) -> None:
    counts = [school.open_plan("plan-45", inventory=tick).state()["count"] for tick in (True, False)]
    assert counts[0] == counts[1] + 2 == school.open_plan("plan-45").state()["count"] + 2
    refused = school.post("/rooms", {"plan": "plan-45", "inventory": "yes"})
    assert (refused.status_code, refused.json()["error"]) == (400, "The field inventory must be true or false.")


def test_a_plan_file_keeps_the_tick(school: School) -> None:
    plan = read_plan(ASKING, {LESSON.name: LESSON})
    assert plan_content(plan) == ASKING and [each.when for each in plan.questions] == ["before", "", "after"]
    checked = school.post("/plans", {"plan": ASKING}).json()
    assert checked["inventory"] is True and checked["file"] == ASKING
    assert [row["question"] for row in checked["rows"]] == [LESSON.screens[0].question]
    assert school.post("/plans", {"plan": plan_file(1)}).json()["inventory"] is False


def test_phones_have_the_halves_in_turn_and_then_the_other_one(teacher: Teacher) -> None:
    phones = [teacher.join() for _ in range(5)]
    teacher.lead("open")
    questions = {half: [question.question for question in HALF[half]] for half in "AB"}
    assert [asked(phone) for phone in phones] == [questions[half] for half in "ABABA"]
    teacher.lead("closed")
    teacher.act("screen", 3)
    teacher.lead("open")
    assert [asked(phone) for phone in phones] == [questions[half] for half in "BABAB"]
    assert [asked(Phone(phone.school, phone.code, phone.id)) for phone in phones[:1]] == [questions["B"]]


def test_who_is_forgotten_leaves_the_halves_of_one_size() -> None:
    room = Room("BCDFG", "secret", "projector", read_plan(ASKING, {LESSON.name: LESSON}), "", Clock())
    joined = [room.join() for _ in range(MOST_PARTICIPANTS)]
    for participant in joined[1::2]:
        room.connect(participant, "1")
    for _ in range(3):  # each takes the seat of one who was asked A and never followed the class
        room.connect(room.join(), "1")
    halves = [participant.half for participant in room.participants.values()]
    assert halves.count("A") == halves.count("B") == MOST_PARTICIPANTS / 2


def test_after_the_first_step_the_class_goes_on_from_the_closed_vote(teacher: Teacher) -> None:
    teacher.lead("open")
    assert [action["label"] for action in teacher.state()["actions"]] == ["Close the vote"]
    assert teacher.try_to("screen", 2).status_code == 409
    closed = teacher.lead("closed")
    assert [action["label"] for action in closed["actions"]] == ["Next question"]
    for state in ("spread", "second", "reveal", "explain"):
        assert teacher.try_to("advance", state).status_code == 409
    assert teacher.act("screen", 2)["state"] == "waiting"


def test_the_last_step_has_one_vote_and_then_the_gain(teacher: Teacher) -> None:
    led_to_the_end(teacher)
    closed = teacher.lead("closed")
    assert [action["label"] for action in closed["actions"]] == ["Show what is right"]
    for state in ("spread", "second", "explain"):
        assert teacher.try_to("advance", state).status_code == 409
    assert [action["label"] for action in teacher.lead("reveal")["actions"]] == ["End the lesson", "Previous question"]


def test_nothing_right_is_told_before_the_end(teacher: Teacher) -> None:
    first, second = teacher.join(), teacher.join()
    secret = said_of_truth("A") | said_of_truth("B")
    for number in (1, 3):
        teacher.act("screen", number)
        for state in ("waiting", "open", "closed"):
            if state != "waiting":
                teacher.lead(state)
            if state == "open":
                for phone, half in ((first, "AB"[number // 2]), (second, "BA"[number // 2])):
                    sent(phone, [*right(half)[:3], *wrong(half)[3:]], number)
            for told in (first.state(), second.state(), teacher.projected(), teacher.state()):
                text = json.dumps(told, ensure_ascii=False)
                assert not [each for each in secret if json.dumps(each, ensure_ascii=False)[1:-1] in text]
                assert not {"outcome", "spread", "truth", "explanation", "advice"} & told.keys()
                assert not told.get("sheets") and not told.get("gain")
                assert '"right"' not in text
    assert [row["votes"] for row in teacher.state()["screens"]] == [[{"answered": 2}], [], [{"answered": 2}]]


def test_the_gain_is_shown_to_the_projector_and_the_teacher(teacher: Teacher) -> None:
    led_to_the_end(teacher)
    teacher.lead("closed", "reveal")
    gain = teacher.projected()["gain"]
    assert gain == teacher.state()["gain"] and gain["note"] == GAIN_NOTE
    assert [row["title"] for row in gain["rows"]] == [concept.title for concept in inventory().concepts]
    told = [tuple(row[name] for name in ("people", "before", "after", "gain")) for row in gain["rows"]]
    # About the first concept the first phone was right before and after, the second never: 1 of 2 and 1 of 2.
    # About the second nobody was right before, both after. The last was answered both times by the first phone alone.
    half = (2, "0%", "50%", "0.50")
    assert told == [
        (2, "50%", "50%", "0.00"),
        (2, "0%", "100%", "1.00"),
        *[half] * (MANY - 3),
        (1, "0%", "100%", "1.00"),
    ]
    # 21 pairs, 1 right before, 12 after: 11 / 20. Without the first phone 10 pairs, 0 and 1: 1/10; without the second
    # 11 pairs, 1 and 11: 1. The mean is 11/20, both are 9/20 away: the root of 1/2 · 2 · (9/20)² is 0.45.
    assert gain["sentence"] == (
        "2 people answered both times. The gain of all ideas together is 0.55, with a standard error of 0.45."
    )


def test_who_answered_once_does_not_count_for_the_gain(teacher: Teacher) -> None:
    early = teacher.join()
    teacher.lead("open")
    sent(early, right("A"))
    teacher.lead("closed")
    late = teacher.join()
    teacher.act("screen", 3)
    teacher.lead("open")
    sent(late, right("A"), 3)
    teacher.lead("closed", "reveal")
    gain = teacher.projected()["gain"]
    assert gain["rows"] == [] and gain["sentence"] == "Nobody answered both times."
    assert late.state()["sheets"]["sentence"] == f"Right: {MANY} of {MANY} after."
    assert early.state()["sheets"]["sentence"] == f"Right: {MANY} of {MANY} before."
    assert teacher.join().state()["sheets"] is None


def test_a_phone_sees_in_the_end_what_was_right_of_its_own_answers(teacher: Teacher) -> None:
    first, second = led_to_the_end(teacher)
    teacher.lead("closed", "reveal")
    told = second.state()["sheets"]
    assert told["sentence"] == f"Right: 0 of {MANY} before, 1 of {MANY} after."
    before, after = (sheet["items"] for sheet in told["sheets"])
    assert [item["question"] for item in before] == [question.question for question in HALF["B"]]
    assert [item["right"] for item in after] == [False, True, *[False] * (MANY - 3)]  # the last was left out
    question = HALF["B"][0]
    chosen = question.options[(question.right + 1) % 4]
    assert before[0] == {
        "question": question.question,
        "right": False,
        "answer": chosen.text,
        "instead": chosen.instead,
        "truth": question.options[question.right].text,
        "because": question.because,
    }
    assert "answer" not in after[1] and (after[2]["answer"], after[2]["instead"]) == (UNSURE_ANSWER, "")
    teacher.act("finish")
    over = second.state()
    assert over["sheets"] == told and [row["question"] for row in over["summary"]] == [LESSON.screens[0].question]
    assert teacher.projected()["gain"]["rows"] and first.state()["sheets"] != told


def test_a_lesson_that_ends_without_the_last_step_tells_nothing(teacher: Teacher) -> None:
    phone = teacher.join()
    teacher.lead("open")
    sent(phone, wrong("A"))
    teacher.lead("closed")
    teacher.act("screen", 2)
    teacher.act("finish")
    assert phone.state()["sheets"] is None and teacher.projected()["gain"] is None


def test_at_their_own_pace_a_phone_goes_from_the_first_step_without_a_hint(teacher: Teacher) -> None:
    phone = teacher.join()
    teacher.act("pace", "free")
    sent(phone, wrong("A"))
    told = phone.state()
    assert told["state"] == "explain" and told["sheets"] is None and told["form"]["locked"]
    assert phone.answer({"choices": right("A"), "word": ""}).status_code == 409
    assert phone.send("next", {"number": 1}).json()["number"] == 2
    assert phone.answer("rows", 2).status_code == 200
    phone.send("next", {"number": 2})
    sent(phone, right("B"), 3)
    assert phone.state()["sheets"]["sentence"] == f"Right: 0 of {MANY} before, {MANY} of {MANY} after."
    assert teacher.projected()["gain"] is None
    teacher.act("finish")
    assert teacher.projected()["gain"]["sentence"].startswith("1 person answered both times.")


def test_a_phone_that_comes_back_finds_its_answers(teacher: Teacher) -> None:
    phone = teacher.join()
    teacher.lead("open")
    choices: list[int | None] = [0, None, UNSURE, *[1] * (MANY - 3)]
    sent(phone, choices, word="  blue   whale ")
    form = Phone(phone.school, phone.code, phone.id).state()["form"]
    assert form["value"] == {"choices": choices, "word": "blue whale"} and not form["locked"]


def test_a_word_is_in_the_file_of_the_teacher_and_on_no_screen_of_others(teacher: Teacher) -> None:
    _, second = led_to_the_end(teacher)
    for state in ("closed", "reveal"):
        teacher.lead(state)
        for told in (second.state(), teacher.projected(), teacher.state()):
            assert "blue whale" not in json.dumps(told)
    teacher.act("finish")
    assert "blue whale" not in json.dumps([second.state(), teacher.projected(), teacher.state()])
    slides = teacher.school.get(f"/teacher/{teacher.code}/slides", headers=teacher.headers)
    assert slides.status_code == 200 and "blue whale" not in slides.text


def test_the_table_has_a_row_for_each_answer_to_an_item(teacher: Teacher) -> None:
    led_to_the_end(teacher)
    answer = teacher.school.get(f"/teacher/{teacher.code}/counts.csv", headers=teacher.headers)
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert {(row["lesson"], row["question number"]) for row in rows} == {
        ("inventory before", "1"),
        ("inventory after", "3"),
    }
    assert len(rows) == 5 * (2 * MANY + 2 * MANY - 1)  # the second phone left one question out
    question = HALF["A"][0]
    item = [row for row in rows if row["lesson"] == "inventory before" and row["question"] == question.question]
    assert [row["answer"] for row in item] == [*(option.text for option in question.options), UNSURE_ANSWER]
    assert [row["how many chose it"] for row in item] == ["1" if i == question.right else "0" for i in range(5)]
    assert [row["right"] for row in item] == ["yes" if i == question.right else "no" for i in range(5)]
    words = ["blue whale" if i == question.right else "" for i in range(5)]
    assert [row["words of those who chose it"] for row in item] == words
    assert {row["number of people"] for row in rows} == {"1"} and {row["sentence"] for row in rows} == {""}


def test_a_word_is_no_formula_for_a_spreadsheet(teacher: Teacher) -> None:
    phone = teacher.join()
    teacher.lead("open")
    sent(phone, right("A"), word="=1+1")
    answer = teacher.school.get(f"/teacher/{teacher.code}/counts.csv", headers=teacher.headers)
    assert ",'=1+1" in answer.text and ",=1+1" not in answer.text


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("rows", "This is no answer"),
        (None, "This is no answer"),
        ([0] * MANY, "This is no answer"),
        ({"choices": [0] * MANY}, "This is no answer"),
        ({"choices": [0] * MANY, "word": "", "half": "A"}, "This is no answer"),
        ({"choices": [0] * (MANY + 1), "word": ""}, "There are 11 questions"),
        ({"choices": [0] * (MANY - 1), "word": ""}, "There are 11 questions"),
        ({"choices": "0123012", "word": ""}, "There are 11 questions"),
        ({"choices": {"0": 0}, "word": ""}, "There are 11 questions"),
        ({"choices": [0] * (MANY - 1) + [5], "word": ""}, "from 0 to 4"),
        ({"choices": [0] * (MANY - 1) + [-1], "word": ""}, "from 0 to 4"),
        ({"choices": [0] * (MANY - 1) + [True], "word": ""}, "from 0 to 4"),
        ({"choices": [0] * (MANY - 1) + [1.0], "word": ""}, "from 0 to 4"),
        ({"choices": [0] * (MANY - 1) + ["b"], "word": ""}, "from 0 to 4"),
        ({"choices": [None] * MANY, "word": ""}, "Answer at least one question."),
        ({"choices": [0] * MANY, "word": "x" * (WORD_CHARACTERS + 1)}, "at most 20 characters"),
        ({"choices": [0] * MANY, "word": 7}, "at most 20 characters"),
    ],
)
def test_what_is_no_sheet_is_refused_with_a_sentence(teacher: Teacher, answer: Any, why: str) -> None:
    phone = teacher.join()
    teacher.lead("open")
    refused = phone.answer(answer)
    assert refused.status_code == 400 and why in refused.json()["error"] and refused.json()["error"].endswith(".")
    assert teacher.state()["answered"] == 0


def test_the_longest_sheet_is_taken() -> None:
    taken = checked_sheet(HALF["A"], {"choices": [UNSURE] * MANY, "word": "x" * WORD_CHARACTERS})
    assert taken.right == 0 and len(taken.answers) == MANY and taken.word == "x" * WORD_CHARACTERS
    assert checked_sheet(HALF["B"], {"choices": right("B"), "word": "a\u0000b\n"}).word == "a b"


def test_the_steps_are_about_no_sentence(school: School) -> None:
    teacher = school.open_plan(ASKING, text="the cat sat")
    assert not teacher.state()["rewordable"] and teacher.room.texts == ["", "the cat sat", ""]
    assert teacher.try_to("sentence", "a cat").status_code == 409
    with pytest.raises(NotAllowed, match="no sentence"):
        teacher.room.change_text("a cat")
    teacher.act("screen", 2)
    teacher.act("sentence", "a cat")
    assert teacher.room.texts == ["", "a cat", ""] and teacher.room.polls[2].state is State.WAITING
    assert [poll.edition for poll in teacher.room.polls] == [0, 1, 0]


def test_a_cleared_step_is_answered_again(teacher: Teacher) -> None:
    phone = teacher.join().follow()
    teacher.lead("open")
    sent(phone, right("A"))
    teacher.lead("closed")
    assert teacher.act("clear")["state"] == "open" and teacher.state()["answered"] == 0
    sent(phone, wrong("A"))
