"""Tokens, candidates, a strip and a mask to paint: what is picked arrives in Python as settings."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import OFTEN, STAGE_OF, click_cell, fits_within, settled, stage, widget

APP = "tests/browser/apps/tokens_demo.py"
Show = Callable[..., Page]


@pytest.fixture
def demo(page: Show, serve: Callable[[str], str]) -> Show:
    def show(query: str = "", **options: int | bool) -> Page:
        tab = page(f"{serve(APP)}/?{query}", **options)
        expect(widget(tab, "mask").locator(".save-svg")).to_be_visible()
        expect(tab.locator(".canvas-root:empty")).to_have_count(0)
        return tab

    return show


def test_a_click_sets_what_the_view_said(demo: Show) -> None:
    tab = demo()
    widget(tab, "tokens").locator(".token").nth(2).click()
    expect(tab.get_by_text("token: 2", exact=True)).to_be_visible()
    widget(tab, "candidates").get_by_role("button").nth(3).click()
    expect(tab.get_by_text("candidate: 3", exact=True)).to_be_visible()
    click_cell(stage(tab, "strip"), 1, 1)
    expect(tab.get_by_text("tile: x", exact=True)).to_be_visible()
    click_cell(stage(tab, "mask"), 0, 3)
    expect(tab.get_by_text("strokes: [([3], True)]", exact=True)).to_be_visible()


def test_keys_go_along_the_tokens_and_down_the_candidates(demo: Show) -> None:
    tab = demo()
    tokens = widget(tab, "tokens").locator(".token")
    tokens.first.press("End")
    expect(tokens.last).to_be_focused()
    tokens.last.press("ArrowLeft")
    tokens.nth(2).press("Enter")
    expect(tab.get_by_text("token: 2", exact=True)).to_be_visible()
    expect(tokens.nth(2)).to_be_focused()
    rows = widget(tab, "candidates").get_by_role("button")
    rows.first.press("ArrowDown")
    expect(rows.nth(1)).to_be_focused()


def test_what_cannot_be_picked_is_no_button(demo: Show) -> None:
    tab = demo("still=1")
    for key in ("tokens", "candidates"):
        assert widget(tab, key).get_by_role("button").count() == 0
        assert widget(tab, key).get_by_text("·cat").count() == 1
    asked = tab.evaluate("() => window.traffic.asked")
    click_cell(stage(tab, "strip"), 1, 1)
    settled(tab)
    assert tab.evaluate("() => window.traffic.asked") == asked
    expect(tab.get_by_text("tile: None", exact=True)).to_be_visible()


def test_a_mouse_is_told_what_is_cut_or_only_spoken(demo: Show) -> None:
    tab = demo()
    for key, place, words in (
        ("tokens", ".token >> nth=1", ["1: \u2066·cat\u2069", "weight 0.30", "·: goes on with the word before it"]),
        ("chips", ".chip >> nth=3", ["token 3: \u2066s\u2069", "id 8", "word \u2066sats\u2069"]),
        ("candidates", ".piece >> nth=0", ["the", "id 0"]),
        ("strip", ".save-png", ["Save this picture as PNG"]),
    ):
        widget(tab, key).locator(place).hover()
        expect(widget(tab, key).locator(".tip")).to_be_visible()
        assert widget(tab, key).locator(".tip div").all_inner_texts() == words
        tab.mouse.move(2, 2)
        expect(widget(tab, key).locator(".tip")).to_be_hidden()


FRAMED = f"(all) => Promise.all(all.map(async (tile) => (await ({STAGE_OF})(tile)).bands))"
INK = """(all) => all.map((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.some((part) => part > 0);
})"""


def test_a_token_that_is_pointed_at_or_focused_is_framed_in_every_drawing_and_nothing_is_sent(demo: Show) -> None:
    tab = demo()
    tiles, over = widget(tab, "strip").locator(".tile"), widget(tab, "strip").locator("canvas.over")
    base = widget(tab, "strip").locator("canvas.base")
    before = base.evaluate_all("(all) => all.map((canvas) => canvas.toDataURL())")
    tab.evaluate("""() => {
      window.sent = 0;
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function (...parts) { window.sent += 1; return send.apply(this, parts); };
    }""")
    chips = widget(tab, "chips").locator(".chip")
    assert tiles.evaluate_all(FRAMED) == [[], []] and over.evaluate_all(INK) == [False, False]
    chips.nth(2).hover()
    assert tiles.evaluate_all(FRAMED) == [[[2, None]], [[2, None], [None, 2]]]
    assert over.evaluate_all(INK) == [True, True]
    chips.first.focus()
    chips.first.press("ArrowRight")
    expect(chips.nth(1)).to_be_focused()
    assert tiles.evaluate_all(FRAMED) == [[[1, None]], [[1, None], [None, 1]]]
    stage(tab, "strip", 1).press("ArrowDown")
    assert tiles.evaluate_all(FRAMED)[0] == [[1, None]]
    expect(chips.nth(1)).to_have_class("chip lit")
    stage(tab, "strip", 1).press("ArrowDown")
    expect(chips.nth(2)).to_have_class("chip lit")
    stage(tab, "strip", 1).blur()
    assert tiles.evaluate_all(FRAMED) == [[], []] and over.evaluate_all(INK) == [False, False]
    assert base.evaluate_all("(all) => all.map((canvas) => canvas.toDataURL())") == before, "framed, not recoloured"
    assert tab.evaluate("() => window.sent") == 0


LEGENDS = """([canvases, width]) => canvases.length > 0 && canvases
  .map((canvas) => canvas.getBoundingClientRect()).every(({ left, right }) => left >= 0 && right <= width)"""


def test_nothing_is_wider_than_the_page(demo: Show) -> None:
    tab = demo()
    for width in (1280, 360):
        fits_within(tab, width)
        legends = tab.locator("canvas.legend").element_handles()
        tab.wait_for_function(LEGENDS, arg=[legends, width], polling=OFTEN)
