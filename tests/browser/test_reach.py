"""Keys alone, four times the size, wide spacing and the size of targets, on the route of ten minutes and beside it."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app import ROUTES
from tests.browser.axe import found_by_axe
from tests.browser.driver import DRAWN, FRAMES, OFTEN, OVERFLOW, address, drawn, settled
from tests.pages.house import BY_ADDRESS

ROUTE = ROUTES["10 minutes"]
NAMES = (*ROUTE, "lessons", "lab")
Open = Callable[..., Page]
Serve = Callable[[str], str]
MOST_STOPS = 160  # of the Tab key until a link that leads on
TWO_LINES = ".token["  # a token with small words below it, which its name says in other words
# The words of what has the focus; whether any of it can be seen and is not covered.
FOCUSED = """() => {
  let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const { left, top, width, height } = at.getBoundingClientRect();
  const shares = [0.1, 0.3, 0.5, 0.7, 0.9];
  const isUncovered = (x, y) => {
    let [found, root] = [document.elementFromPoint(x, y), document];
    while (found?.shadowRoot && found.shadowRoot !== root) {
      root = found.shadowRoot;
      found = root.elementFromPoint(x, y) ?? found;
    }
    return found !== null && (at.contains(found) || found.contains(at) || found.getRootNode() !== document);
  };
  const grid = at.closest("[data-testid=stDataFrame]"); // painted, below a layer that scrolls it
  const isSeen = at === document.body || !width || grid?.contains(document.elementFromPoint(left + 9, top + 9))
    || shares.some((x) => shares.some((y) => isUncovered(left + x * width, top + y * height)));
  const holdsMore = at === document.body || at.matches("[data-testid=stMain]");
  return [holdsMore ? "" : (at.innerText || at.ariaLabel || at.tagName).trim(), isSeen];
}"""
# The spacing that WCAG 1.4.12 asks a page to bear.
SPACED = """() => {
  const sheet = new CSSStyleSheet();
  const spacing = "line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important;";
  sheet.replaceSync(`* { ${spacing} } p { margin-bottom: 2em !important; }`);
  for (const root of [document, ...[...document.querySelectorAll("*")].flatMap((each) => each.shadowRoot ?? [])])
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}"""


def opened(page: Open, serve: Serve, name: str, **options: Any) -> Page:
    tab = page(address(serve("app.py"), "" if name == ROUTE[0] else name), **options)
    expect(tab.locator(".st-key-neighbours a").first).to_be_attached()
    settled(tab)
    return tab


def step_to(tab: Page, words: str, key: str = "Tab") -> None:
    """Press a key until what has these words has the focus; every stop on the way is seen."""
    stops = list[str]()
    for _ in range(MOST_STOPS):
        tab.keyboard.press(key)
        told, is_seen = tab.evaluate(FOCUSED)
        assert is_seen, f"covered: {told}"
        stops.append(told)
        if words in told:
            return
    raise AssertionError(f"no {words!r} among {stops}")


def test_the_route_is_walked_by_keys_alone(page: Open, serve: Serve) -> None:
    tab = opened(page, serve, ROUTE[0])
    for number, name in enumerate(ROUTE[1:], start=2):
        step_to(tab, f"{number} · {BY_ADDRESS[name].question}")
        tab.keyboard.press("Enter")
        expect(tab.get_by_role("heading", level=1)).to_have_text(BY_ADDRESS[name].question)
        drawn(tab)
        settled(tab)
        tab.evaluate("() => document.activeElement.blur()")


def test_the_lab_is_left_by_keys(page: Open, serve: Serve) -> None:
    tab = opened(page, serve, "lab")
    expect(tab.get_by_test_id("stDataFrame").first).to_be_visible()
    step_to(tab, "Play")
    step_to(tab, BY_ADDRESS["architecture"].question)


def test_the_skip_link_leads_to_the_main_part(page: Open, serve: Serve) -> None:
    tab = opened(page, serve, "heads")
    tab.evaluate("() => document.activeElement.blur()")
    step_to(tab, "Skip to main content")
    tab.keyboard.press("Enter")
    step_to(tab, "Your text")


@pytest.mark.parametrize("name", NAMES)
def test_at_four_times_the_size_nothing_but_matrices_goes_sideways(name: str, page: Open, serve: Serve) -> None:
    tab = opened(page, serve, name, width=320, height=256)
    tab.wait_for_function(DRAWN, arg=0, polling=OFTEN)
    assert max(tab.evaluate(OVERFLOW)) <= 0


@pytest.mark.parametrize("name", NAMES)
def test_wide_spacing_and_letters_of_twice_the_size_fit(name: str, page: Open, serve: Serve) -> None:
    tab = opened(page, serve, name)
    tab.evaluate(SPACED)
    tab.evaluate(FRAMES)
    assert max(tab.evaluate(OVERFLOW)) <= 0
    tab.evaluate("() => (document.documentElement.style.fontSize = '200%')")
    tab.evaluate(FRAMES)
    assert max(tab.evaluate(OVERFLOW)) <= 0


@pytest.mark.parametrize("name", NAMES)
def test_targets_are_large_enough_and_hold_the_words_that_are_seen(name: str, page: Open, serve: Serve) -> None:
    tab = opened(page, serve, name)
    found = found_by_axe(tab, "target-size", "label-content-name-mismatch")
    assert [each for each in found if TWO_LINES not in each] == []
