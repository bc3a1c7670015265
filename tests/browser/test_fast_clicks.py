"""Clicks faster than the server answers: every page stands 60 of them at 80 ms, while two other visitors click too."""

import time
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.driver import drawn, settled

CLICKS, EVERY, AT_ONCE = 60, 0.08, 3
LINKS = """() => [...document.querySelectorAll("[data-testid=stTopNavLink], [data-testid=stTopNavDropdownLink]")]
  .map((link) => link.href)"""
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


def addresses(tab: Page) -> list[str]:
    """Where the pages of the menu at the top stand."""
    found: list[str] = tab.evaluate(LINKS)
    for section in tab.get_by_test_id("stTopNavSection").all():
        section.click()
        expect(tab.get_by_role("menuitem").first).to_be_visible()
        found += tab.evaluate(LINKS)
        tab.keyboard.press("Escape")
        expect(tab.get_by_role("menuitem")).to_have_count(0)
    return list(dict.fromkeys(found))


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
    assert all("pill" in each and len(each) > 1 for each in kinds), kinds
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


def test_every_page_stands_fast_clicks_of_three_visitors(visit: Open, page: Open) -> None:
    rest = addresses(visit(""))
    assert len(rest) >= 9
    while rest:
        now, rest = rest[:AT_ONCE], rest[AT_ONCE:]
        tabs = [page(f"{address}?model=random+weights") for address in now]
        for tab in tabs:
            drawn(tab)
            tab.get_by_test_id("stExpandSidebarButton").click()  # where most sliders and number boxes are
            settled(tab)
        tabs = [tab for tab in tabs if tab.get_by_test_id("stMain").get_by_role("radio").count()]
        press_all(tabs)
        for tab in tabs:
            expect_alive(tab)
            tab.context.close()
