"""A lesson and the picture below it are of one run: of the same head, row and word, with the same numbers."""

import re
from functools import cache, partial

import pytest

from core.lessons.lesson import Screen, lessons
from core.lessons.words import picked_settings
from core.topics.shared.truth import Truth
from core.tracing.run import Run
from pages.compute.cache import compute
from pages.shell.run_plan import run_of_screen
from pages.shell.url_params import parsed
from pages.widgets import PLACE
from tests.pages.conftest import Open
from tests.pages.house import BY_ADDRESS, path_of
from tests.pages.lesson_pictures import REPEATED, SAID_BY_BOTH, TEXTS, is_said, picture_of
from tests.pages.sentences import sentences

SCREENS = [(name, number) for name, lesson in lessons().items() for number in range(1, len(lesson.screens) + 1)]


@cache
def truth_of(name: str, number: int, text: str) -> tuple[Run, Truth]:
    screen = lessons()[name].screens[number - 1]
    run = run_of_screen(BY_ADDRESS[screen.page], screen.settings, text)
    found: Truth = compute(partial(screen.function, **screen.arguments), run)
    return run, found


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
    wanted = dict(screen.settings) | picked_settings(screen, truth)
    known = {setting.key: setting for setting in (*PLACE, *page.all_settings)}
    for key, value in wanted.items():
        if key in known:
            held = state[key] if key in state else known[key].default
            assert held == (parsed(known[key], [value]) if value else known[key].default)
    assert not app.warning
