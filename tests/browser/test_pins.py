"""Pinning in a browser: the address has what is pinned, whichever part of the page has run, and opens the same."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.driver import address, location, pill, settled, widget

PANELS = ".st-key-beside-patterns .panel .title"


def test_a_pinned_head_is_in_the_address_and_comes_back_with_it(
    page: Callable[..., Page], serve: Callable[[str], str]
) -> None:
    tab = page(address(serve("app.py"), "heads", model="random weights", t="the cat sat", n=2, h=2, d=16))
    widget(tab, "pins").get_by_role("button", name="Compare").click()
    widget(tab, "pin").get_by_role("button").click()
    expect(tab.locator(PANELS)).to_have_text(["Pinned", "Now", "Now − pinned"])
    pill(tab, "head", "2").click()
    titles = ["Pinned: layer 1 · head 1", "Now: layer 1 · head 2", "Now − pinned"]
    expect(tab.locator(PANELS)).to_have_text(titles)
    settled(tab)
    tab.goto(location(tab))
    expect(tab.locator(PANELS)).to_have_text(titles)
    widget(tab, "unpin").get_by_role("button").click()
    expect(tab.locator(PANELS)).to_have_count(0)
    tab.wait_for_function("() => !location.search.includes('pin-')")
