"""The truths of a class: of the run that the page itself would show, computed once."""

import asyncio
import time
from typing import Any

import pytest

from core.faults import MachineFault
from core.lessons.lesson import Lesson, Screen, lessons
from core.model.masks import CausalMask
from core.topics.shared.truth import Truth
from pages.classroom.plans import lesson_plan
from pages.classroom.rooms import Room
from pages.classroom.teaching import teacher_message
from pages.classroom.truths import TruthCache, truth_of
from pages.shell.run_plan import run_of_screen
from pages.shell.settings import TARGET
from tests.pages.classroom.lesson import LESSON
from tests.pages.classroom.loops import run_async
from tests.pages.house import BY_ADDRESS, PAGES
from tests.pages.screens import opened_run

TOKENS = lessons()["what-is-a-token"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_the_run_is_the_one_that_the_page_opens_with(page: Any) -> None:
    opened = opened_run(page, kind="encoder") if not page.model else opened_run(page)
    run = run_of_screen(page, {}, opened.text)
    if page.asks_target or opened.is_trained:
        assert run == opened
    else:  # of random weights; the page asks for no text of a decoder
        assert (run.text, run.config) == (opened.text, opened.config)


def test_settings_of_a_screen_are_those_of_its_run() -> None:
    page = BY_ADDRESS["heads"]
    run = run_of_screen(page, {"model": "random weights", "n": "2", "d": "32", "mask": "causal"}, "a cat sat")
    assert (run.config.layers, run.config.d_model, run.masks) == (2, 32, (CausalMask(),)) and run.text == "a cat sat"
    fixed = run_of_screen(page, {"n": "2", "t": "a dog"}, "a cat sat")
    assert fixed.config.layers != 2 or (fixed.is_trained and fixed.text == "a dog")
    translated = run_of_screen(BY_ADDRESS["translate"], {TARGET.key: "ein Hund"}, "a dog")
    assert translated.target == "ein Hund"


def test_a_truth_is_computed_from_the_text() -> None:
    page, screen = BY_ADDRESS["tokens"], TOKENS.screens[0]
    one, two = (truth_of(page, screen, text) for text in ("cat", "cat cat"))
    assert two.answer == 2 * one.answer


def test_a_teachers_link_opens_the_picture_at_what_the_truth_is_about() -> None:
    lesson, text = lessons()["masks"], "A hungry fox stole the bread"
    truths = {n: truth_of(BY_ADDRESS[screen.page], screen, text) for n, screen in enumerate(lesson.screens, 1)}
    room = Room("BCDFG", "secret", "projector", lesson_plan(lesson), text, time.monotonic)
    room.number = 4
    look = teacher_message(room, truths)["look"]
    facts = truths[4].facts
    assert look["page"] == "masks" and look["settings"]["t"] == text
    wanted = [str(facts[name]) for name in ("layer_number", "head_number", "query_number")]
    assert [look["settings"][key] for key in ("layer", "head", "masks-row")] == wanted


class Computer:
    """Computes truths, and remembers of what."""

    def __init__(self, *faults: Exception) -> None:
        self.faults, self.texts = list(faults), list[str]()

    def __call__(self, screen: Screen, text: str) -> Truth:
        self.texts.append(text)
        if self.faults:
            raise self.faults.pop()
        return Truth(text)


def found(cache: TruthCache, *texts: str, lesson: Lesson = LESSON) -> list[Any]:
    async def get() -> list[Any]:
        return [truth.answer for truth in await asyncio.gather(*(cache.get(lesson, 1, text) for text in texts))]

    return run_async(get())


def test_each_truth_is_computed_once_as_long_as_it_is_kept() -> None:
    computer = Computer()
    cache = TruthCache(computer, max_truths=2)
    assert not cache.ready(LESSON, 1, "a")
    assert found(cache, "a", "a", "b") == ["a", "a", "b"] and found(cache, "a") == ["a"]
    assert computer.texts == ["a", "b"] and cache.ready(LESSON, 1, "a") and not cache.ready(LESSON, 2, "a")
    found(cache, "c")
    found(cache, "a")
    assert computer.texts == ["a", "b", "c"]
    found(cache, "b")
    assert computer.texts == ["a", "b", "c", "b"]


def test_a_text_that_does_not_suit_is_remembered_and_a_fault_of_the_machine_is_not() -> None:
    computer = Computer(MachineFault("no memory"), ValueError("no cat"))
    cache = TruthCache(computer)
    for _ in range(2):
        with pytest.raises(ValueError, match="no cat"):
            found(cache, "a")
    assert computer.texts == ["a"]
    with pytest.raises(ValueError, match="no memory"):
        found(cache, "b")
    assert found(cache, "b") == ["b"]
