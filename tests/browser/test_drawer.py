"""The drawer in a real browser: shut it has no stops for the keyboard; open it follows what is clicked on the page."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.driver import pill, settled, widget

Open = Callable[..., Page]
STOP = "() => document.activeElement.closest('[data-testid=stSidebar]') !== null"


def test_what_was_changed_is_told_of_the_head_that_is_clicked_later(visit: Open) -> None:
    tab = visit("heads", model="random weights", d=16, n=2, t="the cat sat down")
    for _ in range(6):
        tab.keyboard.press("Tab")
        assert not tab.evaluate(STOP)
    widget(tab, "open-drawer").get_by_role("button", name="Change the model").click()
    expect(widget(tab, "n")).to_be_in_viewport()
    settled(tab)
    widget(tab, "n").locator("input[type=range]").press("ArrowRight")
    told = widget(tab, "what-changed")
    expect(told).to_contain_text("The pattern of layer 1 · head 1")
    pill(tab, "layer", "2").click()
    expect(told).to_contain_text("The pattern of layer 2 · head 1")
    expect(told.get_by_text("The pattern of")).to_have_count(1)
