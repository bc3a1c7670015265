"""A lesson and the picture below it are of one run: of the same head, row and word, with the same numbers."""

import re
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import pytest

from core.lessons.lesson import Screen, lessons
from core.lessons.words import picked_settings
from core.topics.shared.truth import Truth
from core.tracing.run import Run
from pages.classroom.truths import run_of_screen
from pages.compute.cache import compute
from pages.shell.url_params import parsed
from pages.widgets import PLACE
from tests.pages.conftest import Open
from tests.pages.house import BY_ADDRESS, path_of
from tests.pages.lesson_pictures import picture_of
from tests.pages.sentences import sentences

STOPPED = "A hungry fox stole the bread and it ran away."
SHORT = "A hungry fox stole bread"
REPEATED = "The red fox ran over the hill and the red fox ran over the"
TEXTS = (STOPPED, SHORT, REPEATED)
# What a lesson's explanation and the sentences of its picture both say, by the lesson and the number of the screen.
SAID_BY_BOTH = {
    ("query-key-value", 1): ("query", "best", "weight", "second", "second_weight"),
    ("query-key-value", 3): ("query", "key", "weight"),
    ("query-key-value", 4): ("query",),
    ("weights-of-a-row", 1): ("query", "best", "weight", "second", "second_weight"),
    ("weights-of-a-row", 2): ("query", "weight"),
    ("weights-of-a-row", 4): ("query", "best", "most"),
    ("weights-of-a-row", 5): ("best", "before"),
    ("several-heads", 1): ("query", "best", "weight", "second_weight", "after_weight"),
    ("word-order", 5): ("words", "positions", "mixed"),
    ("masks", 1): ("head", "lost"),
    ("masks", 2): ("head",),
    ("masks", 3): ("head",),
    ("masks", 4): ("query", "sum", "lost", "kept"),
    ("masks", 5): ("word", "new"),
    ("scaling-and-blocks", 1): ("plain_weight",),
    ("scaling-and-blocks", 2): ("root", "raw", "score", "weight"),
    ("scaling-and-blocks", 3): ("start", "end"),
    ("scaling-and-blocks", 4): ("best_length", "best_size"),
    ("scaling-and-blocks", 5): ("last", "last_before", "after"),
    ("next-word", 1): ("first_chance",),
    ("next-word", 2): ("best_chance", "ten"),
    ("next-word", 3): ("one", "hot"),
    ("next-word", 4): ("head", "weight"),
    ("why-this-translation", 4): ("old", "new", "source"),
    ("is-it-an-explanation", 1): ("chance",),
    ("is-it-an-explanation", 2): ("rho", "share"),
    ("is-it-an-explanation", 3): ("chance", "uniform"),
    ("train-one", 4): ("head",),
}
NUMBER = re.compile(r"(?<![\w.])([−-]?\d[\d,]*\.?\d*)(%?)")
SCREENS = [(name, number) for name, lesson in lessons().items() for number in range(1, len(lesson.screens) + 1)]


@cache
def truth_of(name: str, number: int, text: str) -> tuple[Run, Truth]:
    screen = lessons()[name].screens[number - 1]
    run = run_of_screen(BY_ADDRESS[screen.page], screen.settings, text)
    found: Truth = compute(partial(screen.function, **screen.arguments), run)
    return run, found


def numbers(said: str) -> Iterator[tuple[float, float]]:
    """The numbers in a sentence, each with half a unit of its last digit."""
    for digits, percent in NUMBER.findall(said):
        plain = digits.replace(",", "").replace("−", "-")
        size = 100 if percent else 1
        yield float(plain) / size, 0.5 * 10 ** -len(plain.partition(".")[2]) / size


def is_said(fact: Any, said: list[str]) -> bool:
    if isinstance(fact, str):
        return any(fact.casefold().replace(" · ", ", ") in each.casefold().replace(" · ", ", ") for each in said)
    if fact < 0.001 and any("less than 0.1%" in each for each in said):
        return True
    return any(abs(number - fact) <= half * 1.01 for each in said for number, half in numbers(each))


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(("name", "number"), SAID_BY_BOTH)
def test_what_lesson_and_picture_both_say_is_the_same(name: str, number: int, text: str) -> None:
    screen = lessons()[name].screens[number - 1]
    try:
        run, truth = truth_of(name, number, text)
    except ValueError as mistake:
        assert str(mistake).startswith("This question needs ")
        return
    shown = picture_of(screen, run, picked_settings(screen, truth))
    said = [each for each in sentences(shown) if not re.match(r"\d+:", each)]
    missing = {fact: truth.facts[fact] for fact in SAID_BY_BOTH[name, number] if not is_said(truth.facts[fact], said)}
    assert not missing


@pytest.mark.parametrize(("name", "number"), [("query-key-value", 1), ("masks", 4), ("several-heads", 1)])
def test_a_picture_that_stays_at_another_texts_head_and_row_is_found_out(name: str, number: int) -> None:
    screen, words = lessons()[name].screens[number - 1], lessons()[name].words
    run, truth = truth_of(name, number, REPEATED)
    stale = picked_settings(screen, truth_of(name, number, words)[1]) | {"layer": "1", "head": "3"}
    said = [each for each in sentences(picture_of(screen, run, stale)) if not re.match(r"\d+:", each)]
    assert not all(is_said(truth.facts[fact], said) for fact in SAID_BY_BOTH[name, number])


def edited(screen: Screen) -> dict[str, str]:
    """An address with other values than the screen's for all that its picture picks out."""
    others = {"layer": "2", "head": "3", "self-attention-row": "0", "heads-pin": "1", "masks-row": "1"}
    others |= {"translate-reach": "layer"}
    return {key.replace("-", "_"): others.get(key, "3") for key in screen.picks if key != "sentiment-word"}


@pytest.mark.parametrize(("at", "name", "number"), [(at, *screen) for at, screen in enumerate(SCREENS)])
def test_a_link_to_a_screen_shows_what_its_truth_is_about(at: int, name: str, number: int, open_page: Open) -> None:
    """The page's run is also the run of a class, whatever settings the link has."""
    screen, text = lessons()[name].screens[number - 1], TEXTS[at % 3]
    try:
        run, truth = truth_of(name, number, text)
    except ValueError:
        text = lessons()[name].words
        run, truth = truth_of(name, number, text)
    page = BY_ADDRESS[screen.page]
    app = open_page(path_of(page), lesson=name, screen=str(number), t=text, **edited(screen))
    state, visit = app.session_state, app.session_state["visit"]
    assert visit.run == run
    wanted = screen.settings | picked_settings(screen, truth)
    known = {setting.key: setting for setting in (*PLACE, *page.all_settings)}
    for key, value in wanted.items():
        if key in known:
            held = state[key] if key in state else known[key].default
            assert held == (parsed(known[key], [value]) if value else known[key].default)
    assert not app.warning
