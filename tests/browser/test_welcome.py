"""The first page in a real browser: words that are pointed at, one word changed, the drawer, present."""

from collections.abc import Callable

import numpy as np
from playwright.sync_api import Page, expect

from pages.canvas import Bridge
from tests.browser.driver import address, drawn, in_address, widget
from tests.browser.test_canvas_modules import Call
from tests.browser.test_canvas_modules import call as call

Open = Callable[..., Page]
WIDE = "The animal didn't cross the street because it was too wide."


def first(page: Open, serve: Callable[[str], str], **options: object) -> Page:
    tab = page(address(serve("app.py")), **options)
    drawn(tab)
    return tab


def test_a_word_that_is_pointed_at_has_its_lines_and_its_sentence(page: Open, serve: Callable[[str], str]) -> None:
    tab = first(page, serve)
    bridge = widget(tab, "welcome-bridge")
    told = bridge.locator(".said")
    expect(told).to_contain_text("To write “")
    bridge.locator(".written button").first.hover()
    expect(told).to_contain_text("L'animal")
    assert bridge.locator("path").count() >= 1
    bridge.locator(".read button", has_text="street").focus()
    expect(told).to_contain_text("The model looked at “\u2066street\u2069” to write")
    tab.keyboard.press("ArrowLeft")
    expect(told).to_contain_text("“\u2066the\u2069”")


def test_one_click_changes_a_word_and_the_translation(page: Open, serve: Callable[[str], str]) -> None:
    tab = first(page, serve)
    words = widget(tab, "welcome-bridge").locator(".written")
    expect(words).to_contain_text("qu'il")
    widget(tab, "welcome-swap").get_by_role("button").click()
    expect(words).to_contain_text("qu'elle")
    expect(widget(tab, "t").locator("input")).to_have_value(
        "The animal didn't cross the street because it was too wide."
    )


def test_build_your_own_opens_the_drawer_with_the_sizes_in_the_address(visit: Open) -> None:
    tab = visit("heads", model="storyteller-small")
    widget(tab, "open-drawer").get_by_role("button", name="Build your own").click()
    expect(widget(tab, "d").locator("input")).to_have_value("64")
    expect(widget(tab, "d")).to_be_in_viewport()
    in_address(tab, "model=random", "kind=decoder", "pos=rotary")


def test_presenting_leaves_the_page_alone_on_the_screen(visit: Open) -> None:
    tab = visit("heads", present="true")
    expect(tab.get_by_test_id("stHeader")).to_be_hidden()
    expect(widget(tab, "t")).to_be_hidden()
    widget(tab, "present").locator("label").first.click()
    expect(widget(tab, "t")).to_be_visible()


def test_sentences_name_the_largest_weights_of_a_row_or_a_column(call: Call) -> None:
    weights = [0.7, 0.2, 0.1, 0.0, 0.995, 0.005]
    picture = {"weights": weights, "read": ["a", "b", "c"], "written": ["x", "y"]}
    say = "return m.sentence(given[0], given[1]).replaceAll('\u2066', '').replaceAll('\u2069', '')"
    for side, at, said in (
        ("written", 0, "To write “x”, the model looked at “a” (70%), “b” (20%) and “c” (10%)."),
        ("written", 1, "To write “y”, the model looked at “b” (more than 99%)."),
        ("read", 0, "The model looked at “a” to write “x” (70%)."),
    ):
        assert call("bridge/bridge.js", say, [picture, {"side": side, "at": at}]) == said


def test_weights_that_do_not_fit_are_refused() -> None:
    for shape in ((2, 3), (3, 2)):
        try:
            Bridge(np.zeros(shape), ("x",), ("a", "b"), key="k", name="n", above="", below="")
        except ValueError as mistake:
            assert "do not fit" in str(mistake)
        else:
            raise AssertionError(shape)
