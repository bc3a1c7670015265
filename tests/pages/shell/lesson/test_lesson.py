"""A lesson above a page: it asks, covers the picture, takes an answer and leads on, whatever comes from outside."""

from dataclasses import asdict
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.checkpoints.examples import first_example
from core.lessons.inventory import inventory
from core.lessons.lesson import Lesson, lessons
from pages.shell.lesson import keeping, progress
from pages.shell.lesson.cover import COVER_TEXT
from pages.shell.lesson.progress import Answered, LessonProgress
from pages.shell.lesson.sentence import NOT_OWN, OWN_SENTENCE_NOTE
from pages.shell.settings import TEXT
from tests.pages.conftest import Open
from tests.pages.screen import address_of, said

TOKENS = "pages/words/tokens/page.py"
NAME = "what-is-a-token"
LESSON: Lesson = lessons()[NAME]
MANY = len(inventory().concepts)
MINE = "The tiny green dragon lives behind our school"


def keys(at: AppTest) -> set[str | None]:
    return {button.key for button in at.button}


def answer(at: AppTest, number: int, answered: Answered) -> AppTest:
    """Give an answer, as the browser's message would."""
    at.session_state["visit"].parts.setdefault(LessonProgress, LessonProgress()).answers[NAME, number] = answered
    return at.run()


def test_a_link_to_a_lesson_asks_and_covers_the_picture_until_an_answer(open_page: Open) -> None:
    at = open_page(TOKENS, lesson=NAME)
    assert at.session_state["t"] == LESSON.words
    assert COVER_TEXT in said(at) and not at.get("vega_lite_chart") and not at.get("dataframe")
    assert not any(key and key.startswith("tokens") for key in (each.key for each in at.get("bidi_component")))
    at = answer(at, 1, Answered(3.0, LESSON.words, False, 0.0))
    assert COVER_TEXT not in said(at) and "Not this time" in said(at) and "You: 3 tokens" in said(at)
    assert any(key and key.startswith("tokens") for key in (each.key for each in at.get("bidi_component")))
    at.text_input(key="t").set_value("one cat").run()  # the same question about the learner's own text
    assert "You: 3 tokens" not in said(at) and "With this text" in said(at)


def test_the_way_on_opens_the_next_screen_with_the_learners_text(open_page: Open) -> None:
    at = open_page(TOKENS, lesson=NAME, t="the unbelievable cat")
    at = answer(at, 1, Answered(3.0, "the unbelievable cat", True, 1.0))
    at.button(key="lesson-next").click().run()
    assert at.session_state["screen"] == 2 and at.session_state["t"] == "the unbelievable cat"
    assert COVER_TEXT in said(at) and f"screen 2 of {len(LESSON.screens)}" in said(at)
    assert address_of(at)["lesson"] in (NAME, [NAME]) and address_of(at)["screen"] in ("2", ["2"])
    at.button(key="lesson-leave").click().run()
    assert COVER_TEXT not in said(at) and "lesson" not in address_of(at)


def test_the_last_screen_says_what_was_right_and_what_to_look_at_again(open_page: Open) -> None:
    last = len(LESSON.screens)
    at = open_page(TOKENS, lesson=NAME, screen=str(last))
    at.session_state["visit"].parts[LessonProgress] = LessonProgress(
        {(NAME, 1): Answered(3.0, LESSON.words, True, 1.0)}
    )
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
    assert COVER_TEXT not in said(at) and "lesson-back-to" in keys(at)
    at.button(key="lesson-back-to").click().run()
    assert at.title[0].value == "What are the pieces that a model reads?" and COVER_TEXT in said(at)


def test_a_locked_link_leaves_only_the_lesson(open_page: Open) -> None:
    at = open_page(TOKENS, lesson=NAME, locked="true")
    assert not keys(at) & {"lesson-leave", "reset-all", "model-card"} and not at.sidebar.children
    assert not at.get("page_link")
    free = open_page(TOKENS, lesson=NAME)
    assert {"lesson-leave", "model-card"} <= keys(free) and free.sidebar.children


@pytest.mark.parametrize("lesson", ["no-such-lesson", "<b>", "../x"])
def test_a_lesson_that_is_gone_is_refused_with_a_sentence(lesson: str, open_page: Open) -> None:
    at = open_page(TOKENS, lesson=lesson)
    assert "Lesson cannot be" in at.warning[0].value and COVER_TEXT not in said(at)


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
        {"inventory/A": [0] * (MANY - 1)},
        {"inventory/A": [0] * (MANY - 1) + [5]},
        {"inventory/A": [0] * (MANY - 1) + ["a"]},
        {"inventory/A": {"0": 1}},
        {"inventory/C": [0] * MANY},
    ],
)
def test_answers_in_the_browser_that_are_none_are_left_out(held: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    own = LessonProgress()
    monkeypatch.setattr(keeping, "progress", lambda: own)
    monkeypatch.setattr(progress, "progress", lambda: own)
    keeping.restore(held)
    assert own == LessonProgress()


def test_answers_of_former_visits_come_back_and_those_of_this_one_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    own = LessonProgress({(NAME, 1): Answered(5.0, "now", False, 0.0)})
    monkeypatch.setattr(keeping, "progress", lambda: own)
    keeping.restore({f"{NAME}/1": GOOD, f"{NAME}/2": GOOD | {"answer": [1, 2], "text": "x" * 99_999}})
    assert own.answers[NAME, 1].text == "now"
    assert own.answers[NAME, 2].answer == (1, 2) and len(own.answers[NAME, 2].text) < 5_000


def test_the_card_of_a_lesson_begins_it_and_goes_on_where_it_was_left(open_page: Open) -> None:
    at = open_page("pages/start/lessons/page.py")
    at.button(key=f"lessons-{NAME}").click().run()
    assert at.title[0].value == "What are the pieces that a model reads?" and at.session_state["t"] == LESSON.words
    assert COVER_TEXT in said(at) and NOT_OWN in said(at)


def picked(at: AppTest) -> list[Any]:
    """What the picture of the lesson about masks shows."""
    return [at.session_state[key] for key in ("layer", "head", "masks-row")]


def test_another_text_chooses_head_and_row_anew_and_a_choice_stays_until_then(open_page: Open) -> None:
    at = open_page("pages/attention/masks/page.py", lesson="masks", screen="4")
    answered = {("masks", 4): Answered("shared", lessons()["masks"].words, True, 1.0)}
    at.session_state["visit"].parts[LessonProgress] = LessonProgress(answered)
    at = at.run()
    first = picked(at)
    assert f"In layer {first[0]} · head {first[1]} its row still sums" in said(at)
    at.session_state["head"], at.session_state["masks-row"] = "1", 2
    at = at.run()
    assert picked(at) == ["1", "1", 2] and f"In layer {first[0]} · head {first[1]} its row still sums" in said(at)
    at.text_input(key="t").set_value("A hungry fox stole the bread").run()
    second = picked(at)
    assert second != first and second != ["1", "1", 2] and second[2] == 3
    assert f"In layer {second[0]} · head {second[1]} its row still sums" in said(at)
    assert address_of(at)["head"] == second[1]
    at.text_input(key="t").set_value(lessons()["masks"].words).run()
    assert picked(at) == first


def test_a_lesson_takes_the_visitors_sentence_along_and_calls_only_that_one_theirs(open_page: Open) -> None:
    at = open_page("pages/start/lessons/page.py", t=MINE)
    at.button(key="lessons-masks").click().run()
    assert at.session_state["t"] == MINE and OWN_SENTENCE_NOTE in said(at) and NOT_OWN not in said(at)
    last = len(lessons()["masks"].screens)
    at = open_page("pages/attention/masks/page.py", lesson="masks", screen=str(last), t=MINE)
    at.session_state["visit"].parts[LessonProgress] = LessonProgress(
        {("masks", last): Answered("later", MINE, True, 1.0)}
    )
    at = at.run()
    at.button(key="lesson-following").click().run()
    assert (
        at.session_state["lesson"] == "scaling-and-blocks"
        and at.session_state["t"] == MINE
        and OWN_SENTENCE_NOTE in said(at)
    )


@pytest.mark.parametrize("text", [first_example("translator").text, lessons()["masks"].words, TEXT.default])
def test_an_example_is_nobodys_own_sentence(text: str, open_page: Open) -> None:
    at = open_page("pages/start/lessons/page.py", t=text)
    at.button(key=f"lessons-{NAME}").click().run()
    assert at.session_state["t"] == LESSON.words and NOT_OWN in said(at)


def test_a_sentence_that_a_lesson_cannot_use_gives_way_and_comes_back_for_the_next_screen(open_page: Open) -> None:
    lesson = lessons()["several-heads"]
    at = open_page("pages/attention/heads/page.py", lesson=lesson.name, t=MINE)
    assert at.session_state["t"] == lesson.words and "cannot be used here" in said(at) and MINE in said(at)
    assert "a text whose last word has occurred before" in said(at) and COVER_TEXT in said(at)
    even = (1 / 16,) * 16
    at.session_state["visit"].parts[LessonProgress] = LessonProgress(
        {(lesson.name, 1): Answered(even, lesson.words, True, 1.0)}
    )
    at.run().button(key="lesson-next").click().run()
    assert at.session_state["t"] == MINE and "cannot be used here" not in said(at)
    at.text_input(key="t").set_value("Hi").run()  # what is typed in the lesson itself stays, with a way out
    assert at.session_state["t"] == "Hi" and "lesson-sentence" in keys(at)


def test_a_link_to_a_lesson_takes_the_settings_of_its_screen_and_no_others(open_page: Open) -> None:
    lesson, page = "masks", "pages/attention/masks/page.py"
    screen = lessons()[lesson].screens[0]
    at = open_page(page, lesson=lesson)
    assert {key: str(at.session_state[key]) for key in screen.settings} == dict(screen.settings)
    assert not [each for each in at.markdown if "exactly 0" in each.value]  # of the definition
    own = open_page(page, lesson=lesson, masks_view="leak test", masks_painting="x", model="random weights")
    assert {key: str(own.session_state[key]) for key in screen.settings} == dict(screen.settings)
    assert own.session_state["masks-painting"] == "" and own.session_state["visit"].run.model_name == "storyteller"


def test_the_way_on_takes_the_model_and_the_head_of_the_next_screen(open_page: Open) -> None:
    at = open_page("pages/words/word_vectors/page.py", lesson="train-one", screen="3")
    at.session_state["visit"].parts[LessonProgress] = LessonProgress(
        {("train-one", 3): Answered(50.0, lessons()["train-one"].words, False, 0.0)}
    )
    at = at.run()
    at.button(key="lesson-next").click().run()
    assert at.session_state["model"] == "storyteller-small" and at.session_state["heads-step-of-training"] == "0"
    text = "what a warm and funny film this is"
    at = open_page("pages/comparisons/sentiment/page.py", lesson="is-it-an-explanation", screen="3", t=text)
    at.session_state["visit"].parts[LessonProgress] = LessonProgress(
        {("is-it-an-explanation", 3): Answered("never", text, True, 1.0)}
    )
    at = at.run()
    at.button(key="lesson-next").click().run()
    assert [str(at.session_state[key]) for key in ("layer", "head")] == ["5", "4"]
    assert list(at.session_state["heads-off"]) == ["L5H4"]
