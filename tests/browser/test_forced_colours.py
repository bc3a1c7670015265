"""What is chosen is seen where the visitor's system sets all colours."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.driver import pill

FILL = "(element) => getComputedStyle(element).backgroundColor"
TRACK = """(input) => {
  const track = input.closest("label").querySelector(":scope > div:not([data-testid])");
  return [getComputedStyle(track).backgroundColor, getComputedStyle(track.firstElementChild).backgroundColor];
}"""


@pytest.mark.parametrize("dark", [False, True])
def test_the_chosen_pill_and_a_switch_are_seen(
    page: Callable[..., Page], serve: Callable[[str], str], dark: bool
) -> None:
    tab = page(f"{serve('app.py')}/heads", dark=dark, forced_colors="active")
    other = pill(tab, "heads_view", "lines")
    chosen = other.locator("xpath=../*[@aria-checked='true']")
    expect(other).to_be_visible()
    highlight, plain = fill_of(tab, "Highlight"), fill_of(tab, "Canvas")
    assert chosen.evaluate(FILL) == highlight != plain and other.evaluate(FILL) != highlight
    present = tab.get_by_role("switch", name="Present")
    assert present.evaluate(TRACK) == [plain, fill_of(tab, "CanvasText")]


def fill_of(tab: Page, colour: str) -> str:
    """One of the system's colours, as the browser tells it."""
    probe: Locator = tab.locator("body")
    script = """(body, colour) => {
      const probe = body.appendChild(document.createElement("i"));
      probe.style.cssText = `forced-color-adjust: none; background: ${colour}`;
      const found = getComputedStyle(probe).backgroundColor;
      probe.remove();
      return found;
    }"""
    return str(probe.evaluate(script, colour))
