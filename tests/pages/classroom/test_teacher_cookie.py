"""The secret that leads a class: in a cookie of the teacher's browser, and nowhere else."""

from collections.abc import Iterator
from http.cookies import SimpleCookie

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pages.classroom.printed import LessonTruths, print_routes
from pages.classroom.registry import ROOM_SECONDS
from pages.classroom.routes import routes_of
from pages.classroom.server import ClassServer
from tests.pages.classroom.clients import School, opened_school
from tests.pages.classroom.lesson import LESSON, Clock, truth_for


@pytest.fixture
def school() -> Iterator[School]:
    with opened_school() as opened:
        yield opened


def cookie_of(school: School, scheme: str = "http") -> tuple[str, SimpleCookie, str]:
    """The code of a new class, the cookie that came with it, and the rest of what was sent."""
    url = f"{scheme}://learn.example{school.base}/class/rooms"
    answer = school.client.post(url, json={"lesson": LESSON.name})
    return answer.json()["code"], SimpleCookie(answer.headers["set-cookie"]), answer.text


@pytest.mark.parametrize(("scheme", "is_secure"), [("http", False), ("https", True)])
@pytest.mark.parametrize(("base", "path"), [("", "/"), ("/foo/bar", "/foo/bar/")])
def test_the_secret_is_in_a_cookie_that_scripts_and_other_sites_cannot_use(
    scheme: str, is_secure: bool, base: str, path: str
) -> None:
    with opened_school(base) as school:
        code, cookies, sent = cookie_of(school, scheme)
        ((name, cookie),) = cookies.items()
        room = school.room(code)
        assert room and name == f"class-{code}" and cookie.value == room.secret and room.secret not in sent
        assert cookie["httponly"] is True and cookie["samesite"] == "strict" and cookie["path"] == path
        assert bool(cookie["secure"]) is is_secure and int(cookie["max-age"]) == ROOM_SECONDS


def test_a_browser_is_led_back_to_its_classes_alone(school: School) -> None:
    one, other = school.open(), school.open()
    both = {"cookie": f"{one.headers['cookie']}; {other.headers['cookie']}; class-BBBBB=x; class-=; copy=1"}

    def led(headers: dict[str, str]) -> list[str]:
        return [each["code"] for each in school.get("/lessons", headers=headers).json()["classes"]]

    assert led(both) == [one.code, other.code] and led(other.headers) == [other.code] and led({}) == []
    assert led({"cookie": f"class-{one.code}={other.secret}"}) == []
    assert school.get("/lessons", headers=one.headers).json()["classes"][0]["title"] == LESSON.title
    other.act("close")
    assert led(both) == [one.code]


def test_a_browser_without_the_cookie_is_told_so_and_nothing_about_the_class(school: School) -> None:
    teacher = school.open()
    for code in (teacher.code, "BBBBB", "x"):
        answer = school.get(f"/teacher/{code}/state")
        assert answer.status_code == 401 and answer.json() == {"error": "This browser does not lead this class."}
        assert school.get(f"/teacher/{code}/events").status_code == 401
        assert school.get(f"/teacher/{code}").text == school.get(f"/teacher/{teacher.code}").text  # the empty page


def test_the_cookie_goes_with_the_class(school: School) -> None:
    teacher = school.open()
    answer = teacher.try_to("close")
    (gone,) = SimpleCookie(answer.headers["set-cookie"]).values()
    assert gone.key == f"class-{teacher.code}" and gone["max-age"] == "0" and gone["path"] == "/"
    assert teacher.secret not in answer.text


def test_keys_of_the_inventory_are_shown_to_who_leads_a_class() -> None:
    clock = Clock()
    server = ClassServer(lambda: {LESSON.name: LESSON}, truth_for, clock)
    sheets = print_routes(LessonTruths(truth_for), server.is_teacher)
    with TestClient(Starlette(routes=[*routes_of(server), *sheets])) as client:
        assert client.get("/print/inventory-a-key").status_code == 403
        client.post("/class/rooms", json={"lesson": LESSON.name})  # a client keeps its cookies
        shown = client.get("/print/inventory-a-key")
        assert shown.status_code == 200 and "Right: " in shown.text and shown.headers["vary"] == "Cookie"
        clock.wait(ROOM_SECONDS)
        assert client.get("/print/inventory-a-key").status_code == 403
        client.cookies.clear()
        client.cookies.set("class-BBBBB", "made up")
        assert client.get("/print/inventory-b-key").status_code == 403
