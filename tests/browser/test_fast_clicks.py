"""Clicks faster than the server answers: every page stands 40 of them at 80 ms, while two other visitors click too."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pages.shell.page import Page as Topic
from tests.browser.driver import address, drawn, settled
from tests.pages.house import ANY_MODEL, FRESH, PAGES

CLICKS, EVERY, AT_ONCE = 40, 0.08, 3
# Each presses one control, found anew, for a view may take its controls along; false where the page has none.
PILL = """(turn) => {
  const rows = [...document.querySelectorAll("[data-testid=stMain] [role=radiogroup]")];
  const pills = rows.map((row) => row.querySelectorAll("[role=radio]")).find((row) => row.length > 1) ?? [];
  pills[turn % pills.length]?.click();
  return pills.length > 0;
}"""
NUMBER = """(turn) => {
  const way = turn % 4 < 2 ? "Up" : "Down";
  const button = document.querySelector(`[data-testid=stNumberInputStep${way}]:not(:disabled)`);
  button?.click();
  return button !== null;
}"""
SLIDER = """() => {
  const slider = document.querySelector("[data-testid=stSlider] input[type=range]");
  slider?.focus();
  return slider !== null;
}"""
KINDS = ("pill", "number", "slider")

Open = Callable[..., Page]


def press(tab: Page, kind: str, turn: int) -> bool:
    """Press a control of this kind once; False where there is none."""
    if kind == "slider":
        if there := bool(tab.evaluate(SLIDER)):
            tab.keyboard.press("ArrowLeft" if turn % 4 < 2 else "ArrowRight")
        return there
    return bool(tab.evaluate(PILL if kind == "pill" else NUMBER, turn))


def press_all(tabs: list[Page]) -> None:
    """Press controls of every kind that a page has, one kind after the other, in all tabs at once."""
    kinds = [[kind for kind in KINDS if press(tab, kind, 0)] for tab in tabs]
    assert all("pill" in each for each in kinds) and any(len(each) > 1 for each in kinds), kinds
    start = time.monotonic()
    for turn in range(CLICKS):
        for number, (tab, had) in enumerate(zip(tabs, kinds, strict=True)):
            press(tab, had[(number + turn * len(had) // CLICKS) % len(had)], turn)
        time.sleep(max(0.0, start + (turn + 1) * EVERY - time.monotonic()))


def expect_alive(tab: Page) -> None:
    """The visit goes on: still connected, no error, and one more click is answered."""
    settled(tab)
    assert press(tab, "pill", 1)
    tab.wait_for_timeout(300)
    settled(tab)
    expect(tab.get_by_test_id("stApp")).to_have_attribute("data-test-connection-state", "CONNECTED")
    assert tab.get_by_role("dialog").count() == 0
    assert tab.get_by_test_id("stException").count() == 0


def opens_with(topic: Topic) -> dict[str, str]:
    """Random weights, whose settings are controls too, where the page can show any model."""
    return {"model": FRESH} if topic.address in ANY_MODEL else {}


@pytest.mark.parametrize("first", range(0, len(PAGES), AT_ONCE))
def test_every_page_stands_fast_clicks_of_three_visitors(first: int, page: Open, serve: Callable[[str], str]) -> None:
    topics = [topic for topic in PAGES[first : first + AT_ONCE] if len(topic.views) > 1]
    tabs = [page(address(serve("app.py"), topic.address, **opens_with(topic))) for topic in topics]
    for tab in tabs:
        drawn(tab)
        tab.get_by_test_id("stExpandSidebarButton").click()  # where most sliders and number boxes are
        settled(tab)
    press_all(tabs)
    for tab in tabs:
        expect_alive(tab)
