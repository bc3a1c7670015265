"""The drawing beside what is right: made once for the class's sentence, and never before what is right is shown."""

import time
from collections.abc import Iterator
from threading import Event

import pytest

from core.lessons.lesson import Screen, lessons
from pages.classroom.drawings import DrawingCache
from pages.classroom.plans import PlanQuestion, lesson_plan
from pages.classroom.projector_routes import DRAWING_POLICY
from pages.shell.saved.lesson import save_picture
from pages.shell.security_headers import policy_of
from tests.pages.classroom.clients import School, Teacher, opened_school
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
        if name := teacher.projected().get("drawing", ""):
            return str(name)
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


def test_another_sentence_has_another_drawing(school: School, painter: Painter) -> None:
    teacher = school.open()
    teacher.lead("open", "closed", "reveal")
    assert drawn(teacher) == "1.0"
    teacher.act("sentence", "one cat")
    assert "drawing" not in teacher.projected() and status(teacher, "1.0") == 404
    teacher.lead("open", "closed", "reveal")
    assert drawn(teacher) == "1.1" and status(teacher, "1.0") == 404
    assert painter.drawn == [("choice", LESSON.words), ("choice", "one cat")]


def test_drawings_are_made_once_and_the_oldest_is_dropped(painter: Painter) -> None:
    cache = DrawingCache(painter, max_drawings=2)

    def make(question: PlanQuestion, text: str) -> str:
        done = Event()
        cache.begin(question, text, done.set)
        done.wait(0.05 if cache.ready(question, text) else 5)
        return cache.ready(question, text)

    first = PLAN.questions[0]
    assert [make(first, text) for text in ("a", "a", "b", "c")] == ["<p>choice</p>"] * 4
    assert cache.ready(first, "a") == "" and cache.ready(first, "b")
    assert [text for _, text in painter.drawn] == ["a", "b", "c"]
    assert make(first, "a dog") == ""


def test_a_picture_alone_has_its_drawings_and_no_words_about_what_is_not_there() -> None:
    screen = lessons()["masks"].screens[3]
    page, text = BY_ADDRESS[screen.page], lessons()["masks"].words
    html = save_picture(page, screen, text, max_frames=1)
    assert html.count("data-drawing=") >= 1 and "<h1>" not in html and "<footer>" not in html
    assert "the numbers below" not in html and 'class="bare"' in html
    with pytest.raises(ValueError, match="none of these"):
        save_picture(page, screen, "")
