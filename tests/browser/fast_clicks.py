"""Clicks faster than the server answers: 40 of them at 80 ms, while other visitors click too."""

from playwright.sync_api import Page, expect

from tests.browser.driver import OFTEN, drawn, settled

CLICKS, EVERY, SLIDES = 40, 80, 8  # EVERY: milliseconds
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
# Presses controls of some kinds, one kind after the other, at the pace of the page's own clock.
PRESS_ALL = f"""([kinds, clicks, every]) => {{
  const press = {{ pill: {PILL}, number: {NUMBER} }};
  let turn = 0;
  window.pressed = false;
  const clock = setInterval(() => {{
    press[kinds[Math.floor((turn * kinds.length) / clicks)]](turn);
    turn += 1;
    window.pressed = turn === clicks;
    if (window.pressed) clearInterval(clock);
  }}, every);
}}"""
CLICKED = ("pill", "number")


def press(tab: Page, kind: str, turn: int) -> bool:
    """Click a control of this kind once; False where there is none."""
    return bool(tab.evaluate(PILL if kind == "pill" else NUMBER, turn))


def press_all(tabs: list[Page]) -> None:
    """Click controls of every kind that a page has in all tabs at once, each beginning with another kind; then move
    their sliders, which only true keys do."""
    kinds = [[kind for kind in CLICKED if press(tab, kind, 0)] for tab in tabs]
    sliders = [tab for tab in tabs if tab.evaluate(SLIDER)]
    assert all("pill" in each for each in kinds) and (sliders or any(len(each) > 1 for each in kinds)), kinds
    for number, (tab, had) in enumerate(zip(tabs, kinds, strict=True)):
        first = number % len(had)
        tab.evaluate(PRESS_ALL, [had[first:] + had[:first], CLICKS, EVERY])
    for tab in tabs:
        tab.wait_for_function("() => window.pressed", polling=OFTEN, timeout=60_000)
    for turn in range(SLIDES):
        for tab in sliders:
            if tab.evaluate(SLIDER):
                tab.keyboard.press("ArrowLeft" if turn % 4 < 2 else "ArrowRight")


def expect_alive(tab: Page) -> None:
    """The visit goes on: still connected, no error, and one more click is answered."""
    settled(tab)
    assert press(tab, "pill", 1)
    tab.wait_for_timeout(300)
    settled(tab)
    expect(tab.get_by_test_id("stApp")).to_have_attribute("data-test-connection-state", "CONNECTED")
    assert tab.get_by_role("dialog").count() == 0
    assert tab.get_by_test_id("stException").count() == 0


def stand_fast_clicks(tabs: list[Page]) -> None:
    """Fail if any of these pages, each in a tab, breaks under clicks in all of them at once."""
    for tab in tabs:
        drawn(tab)
        tab.get_by_test_id("stExpandSidebarButton").click()  # where most sliders and number boxes are
        settled(tab)
    press_all(tabs)
    for tab in tabs:
        expect_alive(tab)
