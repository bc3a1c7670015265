"""A page whose text the browser translates: what is new is shown in place of what was there. `test_views.py` clicks
through every page while it is translated."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pages.shell.page import Page as Topic
from tests.browser.driver import OFTEN, address, drawn, enter, settled
from tests.browser.test_first_screen import LISTS
from tests.browser.translator import TRANSLATOR, WAYS
from tests.pages.house import PAGES

Open = Callable[..., Page]
SHOWN = (
    """() => document.querySelector("[data-testid=stMain]").innerText.replace(/[\\d.,]+ ?(ms|µs|s|seconds)\\b/g, "")"""
)
VIEWS = ".st-key-views [role=radio]"
TEXT = "A small dog ran home."


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
