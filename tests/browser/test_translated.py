"""Pages whose text the browser translates: they go on working, and what is new is shown in place of what was there.

The translator of the test changes no word, so each page has to read as it does without it.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pages.shell.page import Page as Topic
from tests.browser.driver import OFTEN, address, drawn, enter, settled
from tests.browser.test_first_screen import LISTS
from tests.pages.house import PAGES

Open = Callable[..., Page]
TRANSLATOR = Path(__file__).with_name("translator.js").read_text(encoding="utf-8")
SHOWN = (
    """() => document.querySelector("[data-testid=stMain]").innerText.replace(/[\\d.,]+ ?(ms|µs|s|seconds)\\b/g, "")"""
)
VIEWS = ".st-key-views [role=radio]"
WAYS = ("replaces", "moves")
TEXT = "A small dog ran home."


@pytest.mark.parametrize("number", range(len(PAGES)), ids=lambda number: PAGES[number].address)
def test_a_translated_page_goes_on_working(number: int, page: Open, serve: Callable[[str], str]) -> None:
    topic = PAGES[number]
    tab = page(address(serve("app.py"), topic.address if number else ""))
    ready(tab, topic)
    tab.evaluate(TRANSLATOR, WAYS[number % 2])
    assert tab.locator("font font").count() > 20
    views = tab.locator(VIEWS)
    for view in [*range(1, min(views.count(), 4)), 0][: views.count()]:
        views.nth(view).click()
        ready(tab, topic)
        expect(views.nth(view)).to_have_attribute("aria-checked", "true")
        expect(tab.get_by_text("NotFoundError")).to_have_count(0)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_new_is_shown_in_place_of_what_was_translated(
    way: str, page: Open, serve: Callable[[str], str]
) -> None:
    [topic] = [each for each in PAGES if each.address == "heads"]
    plain, translated = (page(address(serve("app.py"), topic.address)) for _ in range(2))
    for tab in (plain, translated):
        ready(tab, topic)
    translated.evaluate(TRANSLATOR, way)
    for step in (lambda tab: enter(tab, "t", TEXT), lambda tab: tab.locator(VIEWS).nth(1).click()):
        for tab in (plain, translated):
            step(tab)
            ready(tab, topic)
        translated.wait_for_function(f"(wanted) => ({SHOWN})() === wanted", arg=plain.evaluate(SHOWN), polling=OFTEN)


def ready(tab: Page, topic: Topic) -> None:
    settled(tab)
    if topic.address not in LISTS:
        drawn(tab)
    expect(tab.locator(".st-key-neighbours a").first).to_be_attached()
    settled(tab)
