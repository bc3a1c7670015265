"""The class through HTTP: a whole lesson, what is never told too early, and people who mean harm."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from core.lessons.lesson import KINDS
from pages.classroom.limits import ADDRESS_LIMIT, PHONE_LIMIT, ROOMS_LIMIT
from pages.classroom.registry import MOST_ROOMS
from pages.classroom.requests import BODY_BYTES
from tests.pages.classroom.clients import Phone, School, Teacher, opened_school
from tests.pages.classroom.lesson import LESSON, ONLY_IN_TRUTHS, RIGHT, WRONG
from tests.pages.classroom.loops import run_async

BEFORE_TRUTH = ("waiting", "open", "closed", "spread", "second", "closed again", "spread again")


@pytest.fixture
def school() -> Iterator[School]:
    with opened_school() as opened:
        yield opened


@pytest.fixture
def teacher(school: School) -> Teacher:
    return school.open()


def told(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def given_away(value: Any) -> list[str]:
    """What of a truth is in something that was sent: its words and numbers, and marks on the right answer."""
    fields = ("right", "model", "outcome", "explanation", "because", "notes", "vary", "alternatives")
    marks = [f'"{field}": ' for field in fields]
    return [sign for sign in (*ONLY_IN_TRUTHS, *marks) if sign in told(value)]


def test_a_whole_lesson_with_two_votes(school: School, teacher: Teacher) -> None:
    one, other, third = (teacher.join() for _ in range(3))
    assert one.state()["state"] == "waiting" and teacher.state()["joined"] == 3
    teacher.lead("open")
    assert one.state()["form"]["question"] == LESSON.screens[0].question
    for phone, answer in ((one, "rows"), (other, "columns"), (third, "columns")):
        assert phone.answer(answer).json() == {"saved": True}
    assert third.answer("all").status_code == 200 and third.state()["form"]["value"] == "all"
    assert teacher.projected()["answered"] == 3 and "right" not in teacher.state()
    closed = teacher.lead("closed")
    assert closed["right"] == 1 and "33% are right" in closed["advice"] and "show the matter again" in closed["advice"]
    assert one.answer("columns").status_code == 409 and one.state()["form"]["value"] == "rows"
    teacher.lead("spread")
    bars = other.state()["spread"][0]["bars"]
    assert [bar["words"] for bar in bars] == ["1", "1", "1"] and all("right" not in bar for bar in bars)
    teacher.lead("second")
    assert other.state()["vote"] == 2 and other.answer("rows", vote=2).status_code == 200
    assert one.answer("rows", vote=2).status_code == 200 and one.answer("rows", vote=1).status_code == 409
    assert "explain it" in teacher.lead("closed again")["advice"]
    teacher.lead("reveal")
    seen = other.state()
    assert seen["outcome"]["right"] is True and seen["outcome"]["truth"] == "“the numbers of a row”"
    assert third.state()["outcome"]["right"] is False
    assert [bar["right"] for bar in seen["spread"][0]["bars"]] == [False, True, False]
    assert teacher.projected()["outcome"]["class"] == "2 of 2 got it right."
    assert "explanation" not in seen
    teacher.lead("explain")
    assert third.state()["explanation"] == [
        "Each query has a whole of its own.",
        "Each of the 77123 rows sums to 1.",
    ]
    assert teacher.projected()["vary"] == "Choose another head."
    assert teacher.act("screen", 2)["state"] == "waiting" and one.state()["number"] == 2
    teacher.act("finish")
    assert one.state()["state"] == "over" and one.state()["summary"][0]["right"] is True
    assert third.state()["summary"][0]["right"] is False and third.state()["summary"][1]["right"] is None
    assert teacher.projected()["results"][0]["votes"] == [{"answered": 3, "right": 1}, {"answered": 2, "right": 2}]


@pytest.mark.parametrize("number", range(1, len(LESSON.screens) + 1))
def test_nobody_but_the_teacher_is_told_the_truth_before_it_is_shown(
    school: School, teacher: Teacher, number: int
) -> None:
    kind = LESSON.screens[number - 1].kind
    one, other = teacher.join(), teacher.join()
    if number > 1:
        teacher.act("screen", number)
    for state in BEFORE_TRUTH:
        if state != "waiting":
            teacher.lead(state)
        if state in ("open", "second"):
            vote = 1 if state == "open" else 2
            assert one.answer(WRONG[kind], number, vote).status_code == 200
            if kind != "number":  # of which the answer itself is in what is told
                assert other.answer(RIGHT[kind], number, vote).status_code == 200
        late = teacher.join()
        for message in (one.state(), other.state(), late.state(), teacher.projected()):
            assert message["state"] == state and given_away(message) == []
    teacher.lead("reveal")
    assert one.state()["outcome"]["right"] is False
    assert given_away(one.state()) and given_away(teacher.projected())
    assert '"explanation"' not in told(one.state())
    teacher.lead("explain")
    assert '"explanation"' in told(one.state()) and '"explanation"' in told(teacher.projected())


def test_the_lesson_of_the_tests_has_every_kind() -> None:
    assert {screen.kind for screen in LESSON.screens} == set(KINDS) == set(RIGHT)


def test_the_class_has_an_attention_of_its_own(teacher: Teacher) -> None:
    phones = [teacher.join() for _ in range(2)]
    teacher.act("screen", 4)
    teacher.lead("open")
    for phone, row in zip(phones, ([2, 0, 0, 0, 0], [0, 7, 0, 0, 0]), strict=True):
        assert phone.answer(row, 4).status_code == 200
    teacher.lead("closed", "spread")
    assert [bar["share"] for bar in teacher.projected()["spread"][0]["bars"]] == [0.5, 0.5, 0, 0, 0]
    teacher.lead("reveal")
    found = teacher.projected()
    assert [bar["model"] for bar in found["spread"][0]["bars"]] == [0, 0.4321, 0.1679, 0.2, 0.2]
    own = phones[0].state()["outcome"]["rows"][0]["bars"]
    assert [(bar["share"], bar["model"]) for bar in own[:2]] == [(1, 0), (0, 0.4321)]
    assert found["outcome"]["class"] == (
        "The class's row and the model's overlap by 43%. Of all heads, L7H7 is most like the class: 50% overlap."
    )


def test_at_their_own_pace_only_those_who_answered_see_the_truth(school: School, teacher: Teacher) -> None:
    fast, slow = teacher.join(), teacher.join()
    teacher.act("pace", "free")
    assert given_away(fast.state()) == [] and fast.state()["state"] == "open"
    fast.answer("columns")
    assert fast.state()["outcome"]["right"] is False and fast.state()["explanation"]
    assert given_away(slow.state()) == [] and given_away(teacher.projected()) == []
    assert fast.answer("rows").status_code == 409
    moved = fast.send("next", {"number": 1}).json()
    assert moved["number"] == 2 and given_away(moved) == []
    assert fast.send("next", {"number": 2}).status_code == 409
    assert slow.send("next", {"number": 1}).status_code == 409
    assert teacher.try_to("advance", "open").status_code == 409
    assert teacher.act("pace", "together")["pace"] == "together"
    assert fast.state()["number"] == 1


def test_a_text_that_does_not_suit_a_question_is_told_and_passed_over(school: School) -> None:
    teacher = school.open("the dog sat")
    phone = teacher.join()
    teacher.lead("open", "closed", "reveal", "explain")
    assert teacher.act("screen", 2)["problem"] == "This question needs a text with a cat."
    assert phone.state()["problem"] == teacher.projected()["problem"] == "This question needs a text with a cat."
    refused = teacher.try_to("advance", "open")
    assert refused.status_code == 409 and "with a cat" in refused.json()["error"]
    assert phone.answer(1, 2).status_code == 409
    assert teacher.act("screen", 3)["number"] == 3


def test_a_click_that_comes_twice_does_nothing_twice(teacher: Teacher) -> None:
    now = {"number": 1, "state": "waiting"}
    assert teacher.try_to("advance", "open", **now).status_code == 200
    assert teacher.try_to("advance", "open", **now).status_code == 409
    assert teacher.state()["state"] == "open"


# People who mean harm.


def test_nobody_is_told_of_another(school: School, teacher: Teacher) -> None:
    one, other = teacher.join(), teacher.join()
    teacher.lead("open")
    other.answer("rows")
    messages = [one.state(), teacher.state(), teacher.projected()]
    secrets = [other.id, *[each.ticket for each in teacher.room.participants.values()][1:]]
    assert not [secret for secret in secrets for message in messages if secret in told(message)]
    for message in (one.state(), other.state(), teacher.projected()):
        assert teacher.secret not in told(message)
    for message in (one.state(), other.state()):
        assert teacher.projector not in told(message)


def test_an_answer_cannot_be_forged(school: School, teacher: Teacher) -> None:
    teacher.lead("open")
    one = teacher.join()
    for known in ("", "made up", one.id[:-1], teacher.secret, one.state()["ticket"]):
        forged = school.post(
            f"/{teacher.code}/answer", {"number": 1, "vote": 1, "answer": "rows"}, headers={"x-participant": known}
        )
        assert forged.status_code == 403
    assert school.get(f"/{teacher.code}/events?ticket={one.id}").status_code == 403
    assert teacher.state()["answered"] == 0


def test_only_the_teacher_changes_the_state(school: School, teacher: Teacher) -> None:
    phone = teacher.join()
    content = {"do": "advance", "to": "open", "number": 1, "state": "waiting"}
    for secret in (teacher.code, teacher.projector, phone.id, "x", teacher.secret + "x", school.open().secret):
        headers = {"cookie": f"class-{teacher.code}={secret}"}
        assert school.post(f"/teacher/{teacher.code}/act", content, headers=headers).status_code == 404
        assert school.get(f"/teacher/{teacher.code}/counts.csv", headers=headers).status_code == 404
    assert school.post(f"/teacher/{teacher.code}/act", content).status_code == 401
    for do, to in (("advance", "reveal"), ("advance", "paradise"), ("advance", None), ("dance", "open"), ("pace", 1)):
        assert teacher.try_to(do, to).status_code in (400, 409)
    assert teacher.try_to("lock", "yes").status_code == 400
    assert teacher.state()["state"] == "waiting"


def test_wrong_codes_are_answered_slowly_and_tell_nothing(school: School, teacher: Teacher) -> None:
    wrong = next(code for code in ("BBBBB", "CCCCC") if code != teacher.code)
    for path in (f"/{wrong}/state", f"/{wrong}/events"):
        assert school.get(path).status_code == 404
    assert school.post("/join", {"code": wrong}).status_code == 404 and school.slept == [1.0]
    assert school.post("/join", {"code": "AEIOU"}).status_code == 404 and school.slept == [1.0]
    assert school.get(f"/{wrong}").content == school.get(f"/{teacher.code}").content
    lower = school.post("/join", {"code": teacher.code.lower()})
    assert lower.status_code == 200


def test_a_flood_of_one_phone_leaves_the_others_alone(school: School, teacher: Teacher) -> None:
    teacher.lead("open")
    noisy, calm = teacher.join(), teacher.join()
    answers = [noisy.answer("rows").status_code for _ in range(PHONE_LIMIT[1] + 30)]
    assert answers == [200] * PHONE_LIMIT[1] + [429] * 30
    assert noisy.send("stuck", {"stuck": True}).status_code == 429
    assert calm.answer("columns").status_code == 200 and teacher.state()["answered"] == 2
    school.clock.wait(1)
    assert noisy.answer("all").status_code == 200


def test_a_thousand_reloads_change_nothing_for_others(school: School, teacher: Teacher) -> None:
    phone, calm = teacher.join(), teacher.join()
    before = teacher.state()
    for _ in range(1000):
        assert school.get(f"/{teacher.code}").status_code == 200
        answer = school.post("/join", {"code": teacher.code, "id": phone.id})
        assert answer.status_code == 429 or answer.json() == {"id": phone.id}
    assert answer.status_code == 429
    assert teacher.state() == before and calm.state()["state"] == "waiting" and teacher.join().id
    school.clock.wait(1)
    assert Phone(school, teacher.code, phone.id).id == phone.id


def test_strangers_of_one_address_have_a_limit_that_a_whole_school_fits_in(school: School, teacher: Teacher) -> None:
    inside = teacher.join()
    headers = {"x-participant": "made up"}
    answers = [school.get(f"/{teacher.code}/state", headers=headers).status_code for _ in range(int(ADDRESS_LIMIT[1]))]
    assert answers == [403] * (int(ADDRESS_LIMIT[1]) - 1) + [429] and ADDRESS_LIMIT[1] >= 300 * 2
    for path in ("/teacher/x/state", "/projector/x/state", f"/{teacher.code}/events?ticket=x"):
        assert school.get(path).status_code == 429
    assert school.post("/join", {"code": teacher.code}).status_code == 429
    assert inside.state()["state"] == "waiting" and teacher.lead("open")["state"] == "open"


def test_rooms_are_bounded(school: School, teacher: Teacher) -> None:
    opened = [school.post("/rooms", {"lesson": LESSON.name}).status_code for _ in range(int(ROOMS_LIMIT[1]))]
    assert opened == [200] * (int(ROOMS_LIMIT[1]) - 1) + [429]
    assert "from your network" in school.post("/rooms", {"lesson": LESSON.name}).json()["error"]
    assert ROOMS_LIMIT[1] >= 20 and ROOMS_LIMIT[1] < MOST_ROOMS  # a course for teachers, and room for others


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"x" * 10**6, 413),
        (b'{"answer": "' + b"x" * BODY_BYTES + b'"}', 413),
        (b"", 400),
        (b"[1]", 400),
        (b"{", 400),
        (b"[" * 4000, 400),
        (b'{"number": 1, "vote": 1, "answer": ' + b"9" * 3000 + b"}", 400),
        (b'{"number": 1, "vote": 1, "answer": NaN}', 400),
        (b'{"number": 1, "vote": 1, "answer": 1e999}', 400),
        (b'{"number": "1", "vote": 1, "answer": "rows"}', 400),
        (b'{"number": 1, "vote": 3, "answer": "rows"}', 400),
        (b'{"number": true, "vote": 1, "answer": "rows"}', 400),
        (b'{"number": 99, "vote": 1, "answer": "rows"}', 400),
        (b'{"number": 1, "vote": 1, "answer": {"rows": 1}}', 400),
        (b'{"number": 1, "vote": 1}', 400),
        (b"\xff\xfe", 400),
    ],
)
def test_bodies_that_are_no_answers_are_refused(school: School, teacher: Teacher, body: bytes, status: int) -> None:
    teacher.lead("open")
    phone = teacher.join()
    headers = phone.headers | {"content-type": "application/json"}
    path = f"/class/{teacher.code}/answer"
    assert school.client.post(path, content=body, headers=headers).status_code == status
    assert school.client.post(path, content=iter([body]), headers=headers).status_code == status  # without its length
    assert teacher.state()["answered"] == 0


def test_a_form_of_another_site_is_refused(school: School) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        headers = {"content-type": kind} if kind else {}
        body = json.dumps({"lesson": LESSON.name}).encode()
        assert school.client.post("/class/rooms", content=body, headers=headers).status_code == 415
    assert run_async(school.server.rooms.count()) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_answers_of_another_kind_are_refused(teacher: Teacher, kind: str) -> None:
    number = next(number for number, screen in enumerate(LESSON.screens, 1) if screen.kind == kind)
    phone = teacher.join()
    if number > 1:
        teacher.act("screen", number)
    teacher.lead("open")
    for other, answer in RIGHT.items():
        alike = {kind, other} in ({"token", "number"}, {"row", "order"})
        if other != kind and not alike:
            assert phone.answer(answer, number).status_code == 400, other
    assert teacher.state()["answered"] == 0


def test_text_is_text(school: School) -> None:
    hostile = "<img src=x onerror=alert(1)> cat \u202e\x00 {tokens} **bold**"
    teacher = school.open(hostile)
    assert teacher.state()["sentence"] == "<img src=x onerror=alert(1)> cat {tokens} **bold**"
    for path in (f"/{teacher.code}", f"/teacher/{teacher.code}", f"/projector/{teacher.projector}", "/teach", ""):
        html = school.get(path).text
        assert "onerror" not in html and teacher.secret not in html
    assert school.get("/<script>alert(1)").text == school.get("/BBBBB").text


def test_long_texts_and_unknown_lessons_are_refused(school: School) -> None:
    assert school.post("/rooms", {"lesson": LESSON.name, "text": "a" * 301}).status_code == 400
    assert school.post("/rooms", {"lesson": "../../etc/passwd"}).status_code == 400
    assert school.post("/rooms", {"lesson": ["x"]}).status_code == 400


# The rest of the addresses.


def test_a_server_that_was_started_again_knows_no_room(teacher: Teacher) -> None:
    phone = teacher.join()
    with opened_school() as other:
        assert other.get(f"/{teacher.code}/state", headers=phone.headers).status_code == 404
        assert other.post("/join", {"code": teacher.code, "id": phone.id}).status_code == 404
        assert other.get(f"/teacher/{teacher.code}/state", headers=teacher.headers).status_code == 404
        assert other.get(f"/projector/{teacher.projector}/events").status_code == 404


def test_a_closed_room_is_gone_for_all(school: School, teacher: Teacher) -> None:
    phone = teacher.join()
    assert teacher.act("close") == {"state": "gone"}
    assert school.get(f"/{teacher.code}/state", headers=phone.headers).status_code == 404
    assert school.get(f"/projector/{teacher.projector}/state").status_code == 404


def test_the_code_as_a_picture_leads_to_the_class(school: School, teacher: Teacher) -> None:
    path = f"/projector/{teacher.projector}/qr"
    answer = school.get(path, params={"at": f"https://example.org/app/class/{teacher.code}"}).json()
    assert (
        answer["address"].endswith(teacher.code)
        and answer["svg"].startswith("data:image/svg+xml")
        and not answer["why"]
    )
    for address in ("", "javascript:alert(1)//class/" + teacher.code, "https://example.org/", "https://x/" + "a" * 400):
        assert school.get(path, params={"at": address}).status_code == 400


def test_everything_is_below_the_path_of_the_app() -> None:
    with opened_school("/foo/bar") as school:
        teacher = school.open()
        phone = teacher.join()
        assert phone.state()["state"] == "waiting"
        assert school.client.get("/class").status_code == 404
        page = school.get(f"/{teacher.code}").text
        for address in [word.split('"')[0] for word in page.split('="../')[1:]]:
            if address.startswith("class/web/"):
                assert school.client.get(f"/foo/bar/{address}").status_code == 200
        assert school.client.get("/foo/bar/class/", follow_redirects=False).headers["location"] == "../class"


def test_nothing_is_kept_by_browsers_but_the_files(school: School, teacher: Teacher) -> None:
    phone = teacher.join()
    for path in ("", f"/{teacher.code}", f"/teacher/{teacher.code}/state", f"/{teacher.code}/state"):
        assert school.get(path, headers=phone.headers | teacher.headers).headers["cache-control"] == "no-store"
