"""A lesson above a page: it asks, covers the picture, takes an answer and leads on, whatever comes from outside."""

from dataclasses import asdict
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.lessons.lesson import Lesson, lessons
from pages.shell.lesson import keeping, progress
from pages.shell.lesson.cover import COVER
from pages.shell.lesson.progress import Answered, Progress
from tests.pages.conftest import Open
from tests.pages.screen import address_of, said

TOKENS = "pages/words/tokens/page.py"
NAME = "what-is-a-token"
LESSON: Lesson = lessons()[NAME]


def keys(at: AppTest) -> set[str | None]:
    return {button.key for button in at.button}


def answer(at: AppTest, number: int, answered: Answered) -> AppTest:
    """Give an answer, as the browser's message would."""
    at.session_state["visit"].parts.setdefault(Progress, Progress()).answers[NAME, number] = answered
    return at.run()


def test_a_link_to_a_lesson_asks_and_covers_the_picture_until_an_answer(open_page: Open) -> None:
    at = open_page(TOKENS, lesson=NAME)
    assert at.session_state["t"] == LESSON.words
    assert COVER in said(at) and not at.get("vega_lite_chart") and not at.get("dataframe")
    assert not any(key and key.startswith("tokens") for key in (each.key for each in at.get("bidi_component")))
    at = answer(at, 1, Answered(3.0, LESSON.words, False, 0.0))
    assert COVER not in said(at) and "Not this time" in said(at) and "You: 3 tokens" in said(at)
    assert any(key and key.startswith("tokens") for key in (each.key for each in at.get("bidi_component")))
    at.text_input(key="t").set_value("one cat").run()  # the same question about the learner's own text
    assert "You: 3 tokens" not in said(at) and "With this text" in said(at)


def test_the_way_on_opens_the_next_screen_with_the_learners_text(open_page: Open) -> None:
    at = open_page(TOKENS, lesson=NAME, t="the unbelievable cat")
    at = answer(at, 1, Answered(3.0, "the unbelievable cat", True, 1.0))
    at.button(key="lesson-next").click().run()
    assert at.session_state["screen"] == 2 and at.session_state["t"] == "the unbelievable cat"
    assert COVER in said(at) and f"screen 2 of {len(LESSON.screens)}" in said(at)
    assert address_of(at)["lesson"] in (NAME, [NAME]) and address_of(at)["screen"] in ("2", ["2"])
    at.button(key="lesson-leave").click().run()
    assert COVER not in said(at) and "lesson" not in address_of(at)


def test_the_last_screen_says_what_was_right_and_what_to_look_at_again(open_page: Open) -> None:
    last = len(LESSON.screens)
    at = open_page(TOKENS, lesson=NAME, screen=str(last))
    at.session_state["visit"].parts[Progress] = Progress({(NAME, 1): Answered(3.0, LESSON.words, True, 1.0)})
    truth = {
        "choice": "none",
        "token": 0,
        "number": 1.0,
        "order": (0,),
        "formula": ("none",),
        "row": (1.0,),
        "cell": (0, 0),
    }
    wrong = truth[LESSON.screens[-1].kind]
    if LESSON.screens[-1].kind == "choice":
        wrong = LESSON.screens[-1].options[0].name
    at = answer(at, last, Answered(wrong, LESSON.words, False, 0.0))
    assert f"The end: 1 of {last} right" in said(at)
    assert "lesson-review-1" not in keys(at) and f"lesson-review-{last}" in keys(at)


def test_another_page_leads_back_and_covers_nothing(open_page: Open) -> None:
    at = open_page("pages/attention/heads/page.py", lesson=NAME)
    assert COVER not in said(at) and "lesson-back-to" in keys(at)
    at.button(key="lesson-back-to").click().run()
    assert at.title[0].value == "What are the pieces that a model reads?" and COVER in said(at)


def test_a_locked_link_leaves_only_the_lesson(open_page: Open) -> None:
    at = open_page(TOKENS, lesson=NAME, locked="true")
    assert not keys(at) & {"lesson-leave", "reset-all", "model-card"} and not at.sidebar.children
    assert not at.get("page_link")
    free = open_page(TOKENS, lesson=NAME)
    assert {"lesson-leave", "model-card"} <= keys(free) and free.sidebar.children


@pytest.mark.parametrize("lesson", ["no-such-lesson", "<b>", "../x"])
def test_a_lesson_that_is_gone_is_refused_with_a_sentence(lesson: str, open_page: Open) -> None:
    at = open_page(TOKENS, lesson=lesson)
    assert "Lesson cannot be" in at.warning[0].value and COVER not in said(at)


def test_a_screen_beyond_the_last_is_the_last(open_page: Open) -> None:
    at = open_page(TOKENS, lesson=NAME, screen="99")
    assert f"screen {len(LESSON.screens)} of {len(LESSON.screens)}" in said(at)


GOOD: dict[str, Any] = asdict(Answered(3.0, "a text", True, 1.0))


@pytest.mark.parametrize(
    "held",
    [
        None,
        [],
        {"x": 1},
        {f"{NAME}/1": 3},
        {f"{NAME}/99": GOOD},
        {"gone/1": GOOD},
        {f"{NAME}/1": GOOD | {"right": "yes"}},
        {f"{NAME}/1": GOOD | {"share": None}},
        {f"{NAME}/1": GOOD | {"text": 1}},
        {"inventory/A": [0, 1, 2, 3, 0, 1]},
        {"inventory/A": [0, 1, 2, 3, 0, 1, 4]},
        {"inventory/A": [0, 1, 2, 3, 0, 1, "a"]},
        {"inventory/A": {"0": 1}},
        {"inventory/C": [0] * 7},
    ],
)
def test_answers_in_the_browser_that_are_none_are_left_out(held: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Progress()
    monkeypatch.setattr(keeping, "progress", lambda: own)
    monkeypatch.setattr(progress, "progress", lambda: own)
    keeping.restore(held)
    assert own == Progress()


def test_answers_of_former_visits_come_back_and_those_of_this_one_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Progress({(NAME, 1): Answered(5.0, "now", False, 0.0)})
    monkeypatch.setattr(keeping, "progress", lambda: own)
    keeping.restore({f"{NAME}/1": GOOD, f"{NAME}/2": GOOD | {"answer": [1, 2], "text": "x" * 99_999}})
    assert own.answers[NAME, 1].text == "now"
    assert own.answers[NAME, 2].answer == (1, 2) and len(own.answers[NAME, 2].text) < 5_000


def test_the_card_of_a_lesson_begins_it_and_goes_on_where_it_was_left(open_page: Open) -> None:
    at = open_page("pages/start/lessons/page.py")
    at.button(key=f"lessons-{NAME}").click().run()
    assert at.title[0].value == "What are the pieces that a model reads?" and at.session_state["t"] == LESSON.words
    assert COVER in said(at)


def test_a_link_to_a_lesson_takes_the_settings_of_its_screen_unless_it_has_its_own(open_page: Open) -> None:
    lesson, page = "masks", "pages/attention/masks/page.py"
    screen = lessons()[lesson].screens[0]
    at = open_page(page, lesson=lesson)
    assert {key: str(at.session_state[key]) for key in screen.settings} == dict(screen.settings)
    assert not [each for each in at.markdown if "exactly 0" in each.value]  # of the definition
    own = open_page(page, lesson=lesson, masks_view="leak test")
    assert own.session_state["masks-view"] == "leak test"
