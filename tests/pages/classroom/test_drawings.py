"""The drawing beside what is right: made once for the class's sentence, and never before what is right is shown."""

import gzip
import time
from collections.abc import Iterator
from threading import Event
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from core.lessons.lesson import Screen, lessons
from core.topics.shared.truth import Truth
from pages.classroom.drawings import DRAWING_POLICY, DrawingCache, checked_choice
from pages.classroom.plans import PlanQuestion, lesson_plan
from pages.shell.framed import framed_address
from pages.shell.saved.lesson import run_and_truth, save_picture
from pages.shell.security_headers import policy_of
from tests.pages.classroom.clients import Phone, School, Teacher, opened_school
from tests.pages.classroom.lesson import LESSON
from tests.pages.classroom.own_plan import OWN, plan_file
from tests.pages.classroom.test_truths import BY_ADDRESS

PLAN = lesson_plan(LESSON)


class Painter:
    """Draws questions, and remembers which."""

    def __init__(self) -> None:
        self.drawn: list[tuple[str, str]] = []

    def __call__(self, screen: Screen, text: str) -> str:
        self.drawn.append((screen.kind, text))
        if "dog" in text:
            raise ValueError("no cat")
        return f"<p>{screen.kind}</p>"


@pytest.fixture
def painter() -> Painter:
    return Painter()


@pytest.fixture
def school(painter: Painter) -> Iterator[School]:
    with opened_school(draw=painter) as opened:
        yield opened


def drawn(teacher: Teacher) -> str:
    """The name of the drawing, as soon as the projector is told of it."""
    for _ in range(1000):
        if drawing := teacher.projected().get("drawing"):
            return str(drawing["name"])
        time.sleep(0.01)
    return ""


def status(teacher: Teacher, name: str) -> int:
    return int(teacher.school.get(f"/projector/{teacher.projector}/drawing/{name}").status_code)


def test_the_projector_gets_a_drawing_after_the_truth_and_not_before(school: School, painter: Painter) -> None:
    teacher = school.open_plan(plan_file(1, OWN, 3))
    for state in ("open", "closed", "spread"):
        teacher.lead(state)
        assert "drawing" not in teacher.projected() and status(teacher, "1.0") == 404
    assert painter.drawn == []
    teacher.lead("reveal")
    assert drawn(teacher) == "1.0"
    teacher.lead("explain")
    assert drawn(teacher) == "1.0" and painter.drawn == [("choice", LESSON.words)]
    answer = school.get(f"/projector/{teacher.projector}/drawing/1.0")
    assert answer.text == "<p>choice</p>" and answer.headers["content-security-policy"] == policy_of(DRAWING_POLICY)
    assert answer.headers["content-security-policy"].startswith("sandbox allow-scripts; default-src 'none'")
    assert status(teacher, "2.0") == 404
    teacher.act("screen", 2)
    teacher.lead("open", "closed", "reveal")
    assert "drawing" not in teacher.projected() and len(painter.drawn) == 1  # the teacher's own question has no page


def test_a_question_without_a_drawing_gets_the_view_of_its_page_and_not_before_the_truth() -> None:
    def framed(screen: Screen, truth: Truth, text: str) -> str:
        return f"{screen.page}?{truth.answer}&{text}"

    with opened_school(draw=lambda screen, text: "", framed=framed) as school:
        teacher = school.open_plan(plan_file(1, OWN))
        for state in ("open", "closed", "spread"):
            teacher.lead(state)
            assert "framed" not in teacher.projected()
        teacher.lead("reveal")
        for _ in range(1000):
            if address := teacher.projected().get("framed"):
                break
            time.sleep(0.01)
        screen = LESSON.screens[0]
        assert address == f"{screen.page}?rows&{LESSON.words}"
        teacher.act("screen", 2)
        teacher.lead("open", "closed", "reveal")
        assert "framed" not in teacher.projected()  # the teacher's own question has no page


def test_the_address_of_a_view_has_what_the_question_is_about() -> None:
    screen, words = lessons()["next-word"].screens[4], "Once upon a time"
    _, truth = run_and_truth(BY_ADDRESS[screen.page], screen, words)
    address = urlsplit(framed_address(BY_ADDRESS[screen.page], screen, truth, words))
    given = dict(parse_qsl(address.query))
    assert address.path == "kv-cache" and given["t"] == words and given["embed"] == "true"
    assert given["kv-cache-view"] == "why it may be kept" and given["kv-cache-tokens"] == "4"


def test_another_sentence_has_another_drawing(school: School, painter: Painter) -> None:
    teacher = school.open()
    teacher.lead("open", "closed", "reveal")
    assert drawn(teacher) == "1.0"
    teacher.act("sentence", "one cat")
    assert "drawing" not in teacher.projected() and status(teacher, "1.0") == 404
    teacher.lead("open", "closed", "reveal")
    assert drawn(teacher) == "1.1" and status(teacher, "1.0") == 404
    assert painter.drawn == [("choice", LESSON.words), ("choice", "one cat")]


def seen(phone: Phone, name: str, ticket: str = "", **headers: str) -> Any:
    """The answer to a phone that asks for a drawing."""
    ticket = ticket or phone.state()["ticket"]
    return phone.school.get(f"/{phone.code}/drawing/{name}?ticket={ticket}", headers=headers)


def test_a_phone_is_offered_the_drawing_and_may_keep_it(school: School) -> None:
    teacher = school.open()
    phone = teacher.join()
    teacher.lead("open", "closed")
    assert "drawing" not in phone.state() and seen(phone, "1.0").status_code == 404
    teacher.lead("reveal")
    assert drawn(teacher) == "1.0" and phone.state()["drawing"] == {"name": "1.0", "kilobytes": 1}
    answer = seen(phone, "1.0", **{"accept-encoding": "gzip"})
    assert answer.text == "<p>choice</p>" and answer.headers["content-encoding"] == "gzip"
    assert answer.headers["cache-control"] == "private, max-age=14400, immutable"
    assert answer.headers["content-security-policy"] == policy_of(DRAWING_POLICY)
    assert "content-encoding" not in seen(phone, "1.0", **{"accept-encoding": "identity"}).headers
    assert seen(phone, "1.0", ticket="nobody").status_code == 403 and seen(phone, "2.0").status_code == 404
    assert phone.state()["drawing"] == teacher.state()["drawing"]
    teacher.act("screen", 2)
    assert "drawing" not in phone.state()


def test_a_phone_loads_the_size_that_it_is_told(painter: Painter) -> None:
    text = str(list(range(3000)))
    cache, done = DrawingCache(lambda screen, _: text), Event()
    cache.begin(PLAN.questions[0], "", done.set)
    done.wait(5)
    drawing = cache.ready(PLAN.questions[0], "")
    assert drawing and gzip.decompress(drawing.compressed).decode() == text
    assert 1000 * (drawing.kilobytes - 1) < len(drawing.compressed) <= 1000 * drawing.kilobytes


CHOICE = {"picks": {"layer": 2, "word": "cat", "col": None}, "spot": [1, 0, 3]}


def test_the_projector_shows_what_the_teacher_chooses_and_nobody_else(school: School) -> None:
    teacher, other = school.open(), school.open()
    phone = teacher.join()

    def choose(who: Teacher, headers: dict[str, str], edition: int = 0, **more: Any) -> int:
        content = {"number": 1, "edition": edition, **CHOICE} | more
        return int(school.post(f"/teacher/{who.code}/choice", content, headers=headers).status_code)

    assert choose(teacher, teacher.headers) == 409  # the class sees no picture yet
    teacher.lead("open", "closed", "reveal")
    drawn(teacher)
    assert teacher.projected()["choice"] is None
    for stranger in ({}, phone.headers, other.headers, {"cookie": f"class-{teacher.code}={phone.id}"}):
        assert choose(teacher, stranger) in (401, 404)
    assert choose(teacher, teacher.headers, 1) == 409 and choose(teacher, teacher.headers, number=2) == 409
    assert choose(teacher, teacher.headers, picks=[1]) == 400
    assert teacher.projected()["choice"] is None
    before = phone.state()
    assert choose(teacher, teacher.headers) == 200
    assert teacher.projected()["choice"] == teacher.state()["choice"] == CHOICE and phone.state() == before
    teacher.act("screen", 2)
    assert "choice" not in teacher.projected()
    teacher.act("screen", 1)
    assert teacher.projected()["choice"] == CHOICE  # as it was left
    teacher.act("sentence", "one cat")
    teacher.lead("open", "closed", "reveal")
    assert drawn(teacher) == "1.1" and teacher.projected()["choice"] is None


@pytest.mark.parametrize(
    "changes",
    [
        {"picks": None},
        {"picks": {"layer": [1]}},
        {"picks": {"layer": float("inf")}},
        {"picks": {"layer": {}}},
        {"picks": {"word": 121 * "a"}},
        {"picks": {61 * "k": 1}},
        {"picks": {str(number): number for number in range(17)}},
        {"spot": None},
        {"spot": [-1]},
        {"spot": [True]},
        {"spot": [1.5]},
        {"spot": [10_000]},
        {"spot": 25 * [0]},
    ],
)
def test_what_no_drawing_chooses_is_refused(changes: dict[str, Any]) -> None:
    assert checked_choice(CHOICE | {"do": "close"}) == CHOICE
    with pytest.raises(ValueError, match="picture"):
        checked_choice(CHOICE | changes)


def test_drawings_are_made_once_and_the_oldest_is_dropped(painter: Painter) -> None:
    cache = DrawingCache(painter, max_drawings=2)

    def make(question: PlanQuestion, text: str) -> bytes:
        done = Event()
        cache.begin(question, text, done.set)
        done.wait(0.05 if cache.ready(question, text) else 5)
        drawing = cache.ready(question, text)
        return drawing.html if drawing else b""

    first = PLAN.questions[0]
    assert [make(first, text) for text in ("a", "a", "b", "c")] == [b"<p>choice</p>"] * 4
    assert cache.ready(first, "a") is None and cache.ready(first, "b")
    assert [text for _, text in painter.drawn] == ["a", "b", "c"]
    assert make(first, "a dog") == b""


def test_a_picture_alone_has_its_drawings_and_no_words_about_what_is_not_there() -> None:
    screen = lessons()["masks"].screens[3]
    page, text = BY_ADDRESS[screen.page], lessons()["masks"].words
    html = save_picture(page, screen, text, max_frames=1)
    assert html.count("data-drawing=") >= 1 and "<h1>" not in html and "<footer>" not in html
    assert "the numbers below" not in html and 'class="bare"' in html
    with pytest.raises(ValueError, match="none of these"):
        save_picture(page, screen, "")
