"""Rooms with a plan of several questions: what belongs to each, late phones, ways back, and another sentence."""

import csv
import io
from collections.abc import Iterator
from dataclasses import replace

import pytest

from core.lessons.lesson import lessons
from pages.classroom.messages import phone_message
from pages.classroom.plan_files import read_plan
from pages.classroom.plans import PLANS, ClassPlan, PlanQuestion, chosen, timed_plan
from pages.classroom.refusals import NotAllowed
from pages.classroom.rooms import Room
from pages.classroom.states import State
from tests.pages.classroom.clients import Phone, School, Teacher, opened_school
from tests.pages.classroom.lesson import LESSON, TRUTHS, Clock
from tests.pages.classroom.own_plan import OWN, plan_file

OTHER = replace(LESSON, name="other", title="Another lesson?", words="a cat ran")
THREE = ClassPlan(
    "plan",
    "Three questions",
    (
        PlanQuestion(LESSON.screens[0], LESSON, 1),
        PlanQuestion(OTHER.screens[1], OTHER, 2),
        PlanQuestion(OTHER.screens[2], OTHER, 3),
    ),
)


def room_of(plan: ClassPlan = THREE, text: str = "") -> Room:
    return Room("BCDFG", "secret", "projector", plan, text, Clock())


def ask(room: Room, *states: State) -> None:
    for state in states or (State.OPEN, State.CLOSED, State.REVEAL):
        room.advance(state)


@pytest.mark.parametrize("name", PLANS)
def test_a_timed_plan_asks_what_its_page_prints(name: str) -> None:
    plan = timed_plan(name, lessons())
    printed = [screen for lesson in chosen(PLANS[name]) for screen in lesson.screens]
    assert [question.screen for question in plan.questions] == printed
    assert all(question.lesson == lessons()[question.lesson.name] for question in plan.questions if question.lesson)
    assert plan.minutes <= PLANS[name] - 10 and len(plan.lessons) == len(chosen(PLANS[name]))


def test_each_question_is_about_the_sentence_of_its_lesson_unless_the_teacher_gives_another() -> None:
    assert room_of().texts == [LESSON.words, "a cat ran", "a cat ran"]
    given = room_of(text="one cat")
    assert given.texts == ["one cat"] * 3
    given.keep_words([2])
    assert given.texts == ["one cat", "a cat ran", "one cat"]


def test_votes_on_a_question_do_not_count_for_the_next() -> None:
    room = room_of()
    one, other = room.join(), room.join()
    room.advance(State.OPEN)
    room.answer(one, 1, 1, "rows")
    ask(room, State.CLOSED, State.REVEAL)
    room.show_screen(2)
    assert room.poll.state is State.WAITING and room.poll.latest == {} and room.value(one, 2) is None
    room.advance(State.OPEN)
    with pytest.raises(NotAllowed, match="closed"):
        room.answer(one, 1, 1, "columns")
    room.answer(other, 2, 1, 1)
    assert room.polls[0].latest == {one.id: "rows"} and room.polls[1].latest == {other.id: 1}
    assert room.polls[2].latest == {}


def test_a_phone_that_joins_late_is_at_the_question_of_the_class_and_has_no_answer_before() -> None:
    room = room_of()
    early = room.join()
    room.advance(State.OPEN)
    room.answer(early, 1, 1, "rows")
    ask(room, State.CLOSED, State.REVEAL)
    room.show_screen(2)
    room.advance(State.OPEN)
    late = room.join()
    assert room.shown_to(late) == (2, State.OPEN)
    room.answer(late, 2, 1, 0)
    ask(room, State.CLOSED, State.REVEAL)
    room.finish()
    told = phone_message(room, late, {1: TRUTHS["choice"], 2: TRUTHS["token"], 3: TRUTHS["cell"]})
    assert [row["right"] for row in told["summary"]] == [None, False, None]
    assert [lesson["title"] for lesson in told["lessons"]] == [LESSON.title, "Another lesson?"]
    assert [lesson["sentence"] for lesson in told["lessons"]] == [LESSON.words, "a cat ran"]


def test_a_phone_that_connects_again_finds_its_answers_to_every_question() -> None:
    room = room_of()
    one = room.join()
    room.connect(one, "1")
    for number, answer in ((1, "rows"), (2, 1)):
        room.show_screen(number)
        room.advance(State.OPEN)
        room.answer(one, number, 1, answer)
        ask(room, State.CLOSED, State.REVEAL)
        room.disconnect(one, "1")
        assert room.join(one.id) is one
    assert (room.value(one, 1), room.value(one, 2), room.value(one, 3)) == ("rows", 1, None)
    assert room.shown_to(one) == (2, State.REVEAL)


def test_back_and_forth_leaves_each_question_as_it_was() -> None:
    room = room_of()
    one = room.join()
    room.advance(State.OPEN)
    room.answer(one, 1, 1, "rows")
    ask(room, State.CLOSED, State.REVEAL)
    room.show_screen(2)
    room.show_screen(1)
    assert room.poll.state is State.REVEAL and room.value(one, 1) == "rows"
    with pytest.raises(NotAllowed):
        room.answer(one, 1, 1, "columns")
    room.show_screen(2)
    room.advance(State.OPEN)
    with pytest.raises(NotAllowed, match="Show first"):
        room.show_screen(1)


def test_another_sentence_begins_the_question_anew_and_goes_to_the_later_ones_about_the_same() -> None:
    room = room_of()
    one = room.join()
    room.advance(State.OPEN)
    room.answer(one, 1, 1, "rows")
    ask(room, State.CLOSED, State.REVEAL)
    room.show_screen(2)
    room.advance(State.OPEN)
    room.answer(one, 2, 1, 1)
    version = room.version
    room.change_text("two cats")
    assert room.texts == [LESSON.words, "two cats", "two cats"] and room.version > version
    assert room.poll.state is State.WAITING and room.value(one, 2) is None and room.value(one, 1) == "rows"
    assert [poll.is_changed for poll in room.polls] == [False, True, False]
    room.advance(State.OPEN)
    with pytest.raises(NotAllowed, match="changed the sentence"):
        room.answer(one, 2, 1, 1)  # a phone that has not heard of it
    room.answer(one, 2, 1, 0, edition=1)
    assert room.poll.latest == {one.id: 0}


def test_another_sentence_leaves_earlier_questions_and_those_that_have_begun() -> None:
    room = room_of(text="one cat")
    ask(room)
    room.show_screen(3)
    ask(room)
    room.show_screen(2)
    room.change_text("two cats")
    assert room.texts == ["one cat", "two cats", "one cat"]
    assert [poll.state for poll in room.polls] == [State.REVEAL, State.WAITING, State.REVEAL]
    for text in ("two cats", ""):
        with pytest.raises(NotAllowed):
            room.change_text(text)
    room.set_pace("free")
    with pytest.raises(NotAllowed, match="not at a question"):
        room.change_text("three cats")


def test_who_saw_what_is_right_at_their_own_pace_may_answer_about_another_sentence() -> None:
    room = room_of()
    one = room.join()
    room.set_pace("free")
    room.answer(one, 1, 1, "rows")
    room.set_pace("together")
    room.change_text("two cats")
    assert not room.sees_truth(one, 1)
    room.advance(State.OPEN)
    room.answer(one, 1, 1, "columns", edition=1)
    assert room.value(one, 1) == "columns"


@pytest.fixture
def school() -> Iterator[School]:
    with opened_school() as opened:
        yield opened


def led(school: School, phones: int = 2) -> tuple[Teacher, list[Phone]]:
    """A room with a plan: of the lesson the first, the third and the second question, and one of the teacher's own."""
    teacher = school.open_plan(plan_file(1, 3, OWN, 2))
    return teacher, [teacher.join().follow() for _ in range(phones)]


def test_one_code_leads_through_a_whole_plan(school: School) -> None:
    teacher, (one, other) = led(school)
    for number, (mine, theirs) in enumerate((("rows", "all"), ([4, 1], [0, 0]), ("3", "1"), (1, 0)), 1):
        teacher.act("screen", number)
        teacher.lead("open")
        assert one.state()["number"] == number and one.state()["count"] == 4
        assert one.answer(mine, number).status_code == other.answer(theirs, number).status_code == 200
        assert teacher.projected()["answered"] == 2
        teacher.lead("closed", "reveal")
        assert teacher.projected()["outcome"]["class"] == "1 of 2 got it right."
    assert [action["label"] for action in teacher.state()["actions"]][-2:] == ["End the lesson", "Previous question"]
    teacher.act("finish")
    assert [row["right"] for row in one.state()["summary"]] == [True] * 4
    table = teacher.school.get(f"/teacher/{teacher.code}/counts.csv", headers=teacher.headers)
    rows = list(csv.DictReader(io.StringIO(table.content.decode("utf-8-sig"))))
    own = [row for row in rows if row["question number"] == "3"]
    assert {row["question number"] for row in rows} == {"1", "2", "3", "4"}
    assert [(row["answer"], row["how many chose it"], row["right"]) for row in own] == [
        ("<b>nothing</b>", "1", "no"),
        ("{braces}", "0", "no"),
        ("the keys", "1", "yes"),
        ("**stars**", "0", "no"),
    ]


def test_a_question_of_the_teachers_own_is_told_like_any_other(school: School) -> None:
    teacher, (one, other) = led(school)
    teacher.act("screen", 3)
    teacher.lead("open")
    shown = one.state()["form"]
    assert shown["question"] == OWN["own"] and [option["text"] for option in shown["options"]] == OWN["options"]
    one.answer("3", 3)
    assert other.answer("5", 3).status_code == 400 and other.answer(3, 3).status_code == 400
    teacher.lead("closed", "reveal", "explain")
    told = one.state()
    assert told["outcome"]["right"] and told["explanation"] == [OWN["explanation"]]
    slides = school.get(f"/teacher/{teacher.code}/slides", headers=teacher.headers).text
    assert "&lt;b&gt;nothing" in slides and "<b>nothing" not in slides
    assert teacher.state()["look"] is None


def test_a_sentence_is_judged_before_the_room_opens(school: School) -> None:
    plan = plan_file(1, 3, OWN)
    told = school.post("/judge", {"plan": plan, "text": "a dog"}).json()
    assert told["count"] == 3
    assert [(row["number"], row["problem"]) for row in told["problems"]] == [
        (2, "This question needs a text with a cat.")
    ]
    assert school.post("/judge", {"plan": plan, "text": "a cat"}).json()["problems"] == []
    assert school.post("/judge", {"lesson": LESSON.name, "text": ""}).json()["problems"] == []
    teacher = school.open_plan(plan, text="a dog", keep=[2])
    assert teacher.room.texts == ["a dog", LESSON.words, "a dog"]
    for wrong in ([0], [4], ["1"], [True], "1", None):
        assert school.post("/rooms", {"plan": plan, "text": "a dog", "keep": wrong}).status_code == 400


def test_the_teacher_changes_the_sentence_and_every_screen_is_told(school: School) -> None:
    teacher, (one, other) = led(school)
    teacher.act("screen", 2)
    teacher.lead("open")
    one.answer([0, 0], 2)
    refused = teacher.try_to("sentence", "a dog")
    assert refused.status_code == 409 and "cat" in refused.json()["error"] and len(teacher.room.poll.latest) == 1
    teacher.act("sentence", " one  cat ")
    for seen in (one.state(), teacher.projected()):
        assert (seen["sentence"], seen["changed"], seen["state"]) == ("one cat", True, "waiting")
    teacher.lead("open")
    stale = other.answer([0, 0], 2)
    assert stale.status_code == 409 and stale.json()["error"] == "Your teacher has changed the sentence."
    new = other.send("answer", {"number": 2, "vote": 1, "edition": other.state()["edition"], "answer": [0, 0]})
    assert new.status_code == 200 and one.state()["form"]["value"] is None
    assert teacher.try_to("sentence", "x" * 301).status_code == 400


@pytest.mark.parametrize("name", PLANS)
def test_a_timed_plan_is_opened_by_its_name(name: str, school: School) -> None:
    teacher = school.open_plan(name)
    assert teacher.state()["title"] == f"Plan of {PLANS[name]} minutes"
    assert teacher.state()["count"] == len(LESSON.screens)
    assert name in [plan["name"] for plan in school.get("/lessons").json()["plans"]]
    assert school.post("/rooms", {"plan": "plan-60"}).status_code == 400


def test_a_plan_that_the_server_describes_is_read_again_as_the_same(school: School) -> None:
    told = school.post("/plans", {"plan": plan_file(2, OWN, 7, title="  An   hour ")}).json()
    assert told["title"] == told["file"]["title"] == "An hour" and len(told["rows"]) == 3
    known = school.server.lessons()
    assert read_plan(told["file"], known) == read_plan(plan_file(2, OWN, 7, title="An hour"), known)
    assert [row["content"] for row in told["rows"]] == told["file"]["questions"]
