"""What people who mean harm try with a class, beside what the other files of this folder have tested."""

from collections.abc import Iterator

import pytest
from starlette.requests import Request

from pages.classroom.limits import CODES_LIMIT, PHONE_LIMIT
from pages.classroom.requests import address_of
from tests.pages.classroom.clients import Phone, School, Teacher, opened_school
from tests.pages.classroom.lesson import LESSON, RIGHT
from tests.pages.classroom.loops import run_async

NOBODY = "There is no class with this code."


@pytest.fixture
def school() -> Iterator[School]:
    with opened_school() as opened:
        yield opened


@pytest.fixture
def teacher(school: School) -> Teacher:
    return school.open()


def codes_without(*classes: Teacher) -> Iterator[str]:
    """Codes that belong to none of these classes."""
    taken = {each.code for each in classes}
    letters = "BCDFGHJKLMNPRSTWXZ"
    return (code for a in letters for b in letters for c in letters if (code := f"BB{a}{b}{c}") not in taken)


def test_wrong_codes_in_bulk_lock_nobody_of_the_same_address_out(school: School, teacher: Teacher) -> None:
    codes = codes_without(teacher)
    for _ in range(5 * int(CODES_LIMIT[1])):
        assert school.post("/find", {"code": next(codes)}).status_code == 404
    del school.slept[:]
    typo = school.post("/find", {"code": next(codes)})
    assert (typo.status_code, typo.json()["error"], school.slept) == (404, NOBODY, [1.0])
    assert school.post("/find", {"code": teacher.code}).json() == {"code": teacher.code}
    assert school.slept == [1.0, 1.0]  # as slow as a wrong one, or guessing would be fast
    phone = Phone(school, teacher.code)
    assert phone.state()["state"] == "waiting" and len(school.slept) == 3  # who is in guesses nothing


@pytest.mark.parametrize("path", ["/{}/state", "/{}/events?ticket=x"])
def test_no_way_to_guess_a_code_is_faster_than_another(school: School, teacher: Teacher, path: str) -> None:
    codes = codes_without(teacher)
    for _ in range(int(CODES_LIMIT[1])):
        school.get(path.format(next(codes)))
    del school.slept[:]
    assert school.get(path.format(teacher.code)).status_code == 403
    assert school.get(path.format(next(codes))).status_code == 404 and school.slept == [1.0, 1.0]


@pytest.mark.parametrize(
    ("typed", "status", "why"),
    [
        ("\uff22\uff22\uff22\uff22\uff22", 404, NOBODY),
        ("ABCDEFG", 400, "A code has five letters; this has 7."),
        ("A" * 300, 400, "A code has five letters; this has 300."),
        ("A" * 301, 400, "The field code must be a text of at most 300 characters."),
        ("", 400, "Type the five letters on the projector."),
        ("../teacher", 400, "A code has five letters; this has 7."),
        ("12345", 400, "A code has only letters from A to Z."),
    ],
)
def test_a_code_that_cannot_be_gets_a_sentence(school: School, typed: str, status: int, why: str) -> None:
    for path in ("/find", "/join"):
        answer = school.post(path, {"code": typed})
        assert (answer.status_code, answer.json()["error"]) == (status, why)


def test_a_code_is_found_as_it_was_typed_and_takes_no_seat(school: School, teacher: Teacher) -> None:
    spaced = " ".join(teacher.code.lower())
    assert school.post("/find", {"code": f"http://x/class/{spaced}"}).json() == {"code": teacher.code}
    assert school.get(f"/{teacher.code.lower()}/state").status_code == 403 and teacher.state()["joined"] == 0
    assert school.get(f"/{teacher.code}FG/state").json()["error"] == "A code has five letters; this has 7."
    phone = teacher.join()
    again = Phone(school, spaced, phone.id)  # whoever types the code again is nobody new
    assert again.id == phone.id and teacher.state()["joined"] == 1


def test_a_seat_of_another_class_is_none_here(school: School, teacher: Teacher) -> None:
    other = school.open()
    stranger = other.join()
    teacher.lead("open")
    stranger.code = teacher.code
    assert stranger.answer("rows").status_code == 403 and stranger.send("stuck", {"stuck": True}).status_code == 403
    assert Phone(school, teacher.code, stranger.id).id != stranger.id
    ticket = other.room.participants[stranger.id].ticket
    assert school.get(f"/{teacher.code}/events?ticket={ticket}").status_code == 403


@pytest.mark.parametrize("vote", [1, 2])
def test_answers_before_and_after_a_vote_are_refused(teacher: Teacher, vote: int) -> None:
    phone = teacher.join()
    states = ("open", "closed", "second", "closed again", "reveal")
    for state in ("waiting", *states):
        if state != "waiting":
            teacher.lead(state)
        is_open = {"open": 1, "second": 2}.get(state) == vote
        assert phone.answer("rows", vote=vote).status_code == (200 if is_open else 409)
        assert phone.answer(RIGHT["token"], number=2, vote=vote).status_code == 409


def test_a_flood_of_hands_and_steps_moves_nobody(school: School, teacher: Teacher) -> None:
    phone = teacher.join()
    raised = [phone.send("stuck", {"stuck": bool(number % 2)}).status_code for number in range(100)]
    assert raised == [200] * PHONE_LIMIT[1] + [429] * (100 - PHONE_LIMIT[1]) and teacher.state()["stuck"] <= 1
    school.clock.wait(10)
    assert {phone.send("next", {"number": number}).status_code for number in range(5)} == {409}


@pytest.mark.parametrize(
    "path", ["/..%2f..%2fapp.py", "/web/..%2fcommon.js", "/web/x/common.js", "/teacher/..%2f/state"]
)
def test_no_path_leads_out_of_the_class(school: School, path: str) -> None:
    answer = school.get(path)
    assert answer.status_code in (400, 401, 404) or "<title>Class" in answer.text
    assert "import" not in answer.text


def test_a_picture_of_the_code_is_made_for_the_projector_alone(school: School, teacher: Teacher) -> None:
    asked = {"at": f"https://evil.example/class/{teacher.code}"}
    for key in (teacher.code, teacher.join().id, teacher.secret, "x"):
        assert school.get(f"/projector/{key}/qr", params=asked).status_code == 404
    elsewhere = {"at": f"https://x.example/class/{school.open().code}"}
    assert school.get(f"/projector/{teacher.projector}/qr", params=elsewhere).status_code == 400


def test_another_site_gets_no_leave_to_read_or_write(school: School, teacher: Teacher) -> None:
    headers = {"origin": "https://evil.example", "content-type": "application/json"}
    for answer in (
        school.post("/join", {"code": teacher.code}, headers=headers),
        school.get(f"/teacher/{teacher.code}/state", headers=teacher.headers | headers),
        school.client.options("/class/join", headers=headers | {"access-control-request-method": "POST"}),
    ):
        assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.5", "203.0.113.5"),
        ("::ffff:203.0.113.5", "203.0.113.5"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
    ],
)
def test_a_device_with_many_addresses_counts_once(school: School, address: str, counted: str) -> None:
    assert address_of(Request({"type": "http", "client": (address, 1), "headers": []})) == counted


def test_a_script_opens_no_class_with_a_lesson_or_sentence_that_is_none(school: School) -> None:
    for content in (
        {},
        {"lesson": ""},
        {"lesson": "x" * 61},
        {"lesson": LESSON.name, "text": ["cat"]},
        {"lesson": None},
    ):
        assert school.post("/rooms", content).status_code == 400
    assert run_async(school.server.rooms.count()) == 0
