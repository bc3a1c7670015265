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
PICKS = "[data-testid=stMain] [role=radiogroup]"
WAYS = ("replaces", "moves")
TEXT = "A small dog ran home."


@pytest.mark.parametrize("number", range(len(PAGES)), ids=lambda number: PAGES[number].address)
def test_a_translated_page_reads_as_it_does_untranslated(number: int, page: Open, serve: Callable[[str], str]) -> None:
    topic = PAGES[number]
    plain, translated = (page(address(serve("app.py"), topic.address if number else "")) for _ in range(2))
    for tab in (plain, translated):
        ready(tab, topic)
    translated.evaluate(TRANSLATOR, WAYS[number % 2])
    assert translated.locator("font font").count() > 20
    for step in steps(plain, topic):
        for tab in (plain, translated):
            step(tab)
            ready(tab, topic)
        reads_as(translated, plain)
    assert translated.get_by_test_id("stException").count() == 0


def ready(tab: Page, topic: Topic) -> None:
    settled(tab)
    if topic.address not in LISTS:
        drawn(tab)
    expect(tab.locator(".st-key-neighbours a").first).to_be_attached()
    settled(tab)


def steps(tab: Page, topic: Topic) -> list[Callable[[Page], None]]:
    """A click on each view, then one in each row of pills of the first one, then a text of one's own."""
    views = [lambda tab, n=n: tab.locator(VIEWS).nth(n).click() for n in range(tab.locator(VIEWS).count())]
    picks = [lambda tab, n=n: pick(tab, n) for n in range(tab.locator(PICKS).count())]
    text = [lambda tab: enter(tab, "t", TEXT)] if tab.locator(".st-key-header-text .st-key-t").count() else []
    return [*views[1:], *views[:1], *picks, *text]


def pick(tab: Page, row: int) -> None:
    """Click the last pill of a row that is not chosen, if the row is still there."""
    free = tab.locator(PICKS).nth(row).locator("[role=radio][aria-checked=false]")
    if free.count() and free.last.is_visible():
        free.last.click()


def reads_as(translated: Page, plain: Page) -> None:
    wanted = plain.evaluate(SHOWN)
    translated.wait_for_function(f"(wanted) => ({SHOWN})() === wanted", arg=wanted, polling=OFTEN, timeout=10_000)
