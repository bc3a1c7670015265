"""The matrix and head canvases in a real browser: what is painted, picked, said and saved."""

import re
import struct
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import CELL_RECT, OFTEN, WIDTHS, fits_within
from tests.browser.matrices import PIXEL, colours, expected, lookup, middle, stage

APP = "tests/browser/apps/matrices_demo.py"
TOKENS, WIDTH = 8, 4

PICTURE = "element => element.querySelector('canvas.base').toDataURL()"
HEIGHTS = "() => ['product', 'attention', 'heads'].map(key => document.querySelector('.st-key-' + key).offsetHeight)"
WITHIN = """(width) => {
  const keys = ["product", "attention", "heads"];
  const stages = keys.flatMap((key) => [...document.querySelectorAll(`.st-key-${key} *`)])
    .flatMap((element) => [...(element.shadowRoot?.querySelectorAll(".stage") ?? [])]);
  const boxes = stages.map((stage) => stage.parentElement.getBoundingClientRect());
  return boxes.length >= keys.length && boxes.every(({ left, right }) => left >= 0 && right <= width);
}"""
OVERFLOW = "() => document.documentElement.scrollWidth - innerWidth"

Open = Callable[..., Page]


@pytest.fixture
def demo(page: Open, serve: Callable[[str], str]) -> Open:
    def open_demo(*, params: dict[str, object] | None = None, **options: Any) -> Page:
        tab = page(f"{serve(APP)}/?{urlencode(params or {})}", **options)
        expect(tab.locator(".st-key-heads .save-svg")).to_be_visible()
        expect(tab.locator(".canvas-root:empty")).to_have_count(0)
        return tab

    return open_demo


@pytest.mark.parametrize("dark", [False, True])
def test_pixels_show_the_values_on_scales_that_are_even_and_show_small_ones(demo: Open, dark: bool) -> None:
    tab, values = demo(dark=dark), expected()
    weights, queries = stage(tab, "attention", 2), stage(tab, "product")
    painted = colours(weights, (TOKENS, TOKENS))
    np.testing.assert_allclose(painted, lookup(weights, "weightColour", values["a"]), atol=2)
    signed = lookup(queries, "signedColour", values["q"] / np.abs(values["q"]).max())
    np.testing.assert_allclose(colours(queries, (TOKENS, WIDTH)), signed, atol=2)
    background = np.array([17, 21, 28] if dark else [255, 255, 255])
    assert (painted[np.triu_indices(TOKENS, 1)] == background).all(), "a weight of 0 is the background"
    steps = np.linspace(0, 1, 21)
    grey = lookup(queries, "weightColour", steps) @ [0.2126, 0.7152, 0.0722] * (1 if dark else -1)
    assert (np.diff(grey) > 0).all(), "one direction, from the background up"
    assert grey[1] - grey[0] > 6, "0.05 stands off the background"
    low, high = lookup(queries, "signedColour", -steps), lookup(queries, "signedColour", steps)
    assert (low[0] == high[0]).all()
    assert (low[4:, 2] > low[4:, 0]).all() and (high[4:, 0] > high[4:, 2]).all(), "purple below 0, orange above"


def test_weights_may_be_scaled_to_the_picture_and_the_legend_says_so(demo: Open) -> None:
    tab = demo(params={"faint": 1})
    weights = stage(tab, "attention", 2)
    shown = lookup(weights, "weightColour", expected()["a"])  # a hundredth of these, on a scale up to 0.01
    np.testing.assert_allclose(colours(weights, (TOKENS, TOKENS)), shown, atol=2)
    for key in ("attention", "heads"):
        assert "0.01" in list(ET.parse(save(tab, key, "svg")).getroot().itertext()), key


def test_masked_cells_are_hatched_not_coloured(demo: Open) -> None:
    target = stage(demo(), "attention", 1)
    x, y, w, _ = target.evaluate(CELL_RECT, [0, 5])
    inside = [tuple(target.evaluate(PIXEL, [x + dx, y + 6])) for dx in range(3, int(w) - 3)]
    assert len(set(inside)) > 1, "a texture, not one colour"
    assert all(max(rgb) - min(rgb) < 24 for rgb in inside), "grey, unlike any value"


def test_hover_tells_the_exact_value_and_leaves_the_matrix_alone(demo: Open) -> None:
    tab = demo()
    target, tip = stage(tab, "product", 2), tab.locator(".st-key-product .tip")
    before = target.evaluate(PICTURE)
    target.hover(position=middle(target, 2, 1))
    expect(tip).to_be_visible()
    value, row, col = tip.locator("div").all_inner_texts()
    assert float(value.replace("−", "-")) == pytest.approx(float(expected()["s"][2, 1]), rel=1e-6)
    assert row.startswith("query") and "2:sat" in row and col.startswith("key") and "1:cat" in col
    assert target.evaluate(PICTURE) == before
    tab.mouse.move(2, 2)
    expect(tip).to_be_hidden()


def test_clicks_and_keys_arrive_in_python(demo: Open) -> None:
    tab = demo()
    target = stage(tab, "product", 2)
    target.click(position=middle(target, 3, 5))
    expect(tab.get_by_text("picked s 3 5")).to_be_visible()
    tab.keyboard.press("ArrowDown")
    target.press("ArrowLeft")
    spoken = tab.locator(".st-key-product .spoken").nth(2).inner_text()
    assert "4:a" in spoken and f"{expected()['s'][4, 4]:.4f}"[:5].replace("-", "−") in spoken
    expect(tab.get_by_text("picked s 3 5")).to_be_visible()
    target.press("Enter")
    expect(tab.get_by_text("picked s 4 4")).to_be_visible()
    target.press("End")
    target.press("PageDown")
    target.press(" ")
    expect(tab.get_by_text("picked s 7 7")).to_be_visible()


def test_a_panel_is_reached_by_tab_and_shows_where_the_focus_is(demo: Open) -> None:
    tab = demo()
    tab.get_by_role("button", name="new numbers").focus()
    tab.keyboard.press("Tab")
    target = stage(tab, "product")
    expect(target).to_be_focused()
    assert target.evaluate("element => parseFloat(getComputedStyle(element).outlineWidth)") >= 2
    expect(tab.locator(".st-key-product .tip")).to_be_visible()
    tab.keyboard.press("Escape")
    expect(tab.locator(".st-key-product .tip")).to_be_hidden()


def test_heads_are_picked_by_mouse_and_keyboard(demo: Open) -> None:
    tab = demo()
    target = stage(tab, "heads")
    target.click(position=middle(target, 2, 1))
    expect(tab.get_by_text("head 2 1", exact=True)).to_be_visible()
    target.press("ArrowRight")
    assert tab.locator(".st-key-heads .spoken").inner_text() == "layer 3 · head 3"
    target.press("Enter")
    expect(tab.get_by_text("head 2 2", exact=True)).to_be_visible()
    target.hover(position=middle(target, 1, 2))
    assert tab.locator(".st-key-heads .tip div").all_inner_texts() == ["layer 2 · head 3", "switched off"]


def test_new_numbers_move_nothing(demo: Open) -> None:
    tab = demo()
    target = stage(tab, "product")
    heights, picture = tab.evaluate(HEIGHTS), target.evaluate(PICTURE)
    element = target.element_handle()
    tab.get_by_role("button", name="new numbers").click()
    tab.wait_for_function(f"([element, old]) => ({PICTURE})(element) !== old", arg=[element, picture])
    assert tab.evaluate(HEIGHTS) == heights


@pytest.mark.parametrize("params", [{"n": 4, "e": 4}, {"n": 24, "e": 64, "layers": 12, "heads": 16}], ids=str)
def test_nothing_is_wider_than_the_page(demo: Open, params: dict[str, object]) -> None:
    tab = demo(params=params)
    for width in WIDTHS:
        fits_within(tab, width)
        tab.wait_for_function(WITHIN, arg=width, polling=OFTEN)
        assert stage(tab, "heads").evaluate(CELL_RECT, [0, 0])[2] >= 24, "a head can be tapped"


def test_a_resized_window_draws_again(demo: Open) -> None:
    tab = demo()
    target = stage(tab, "attention", 2)
    wide = target.evaluate(CELL_RECT, [0, 0])[2]
    tab.set_viewport_size({"width": 360, "height": 800})
    tab.wait_for_function("element => element.getBoundingClientRect().right <= 360", arg=target.element_handle())
    assert 1 <= target.evaluate(CELL_RECT, [0, 0])[2] <= wide


def test_a_wide_matrix_scrolls_in_its_own_box_and_follows_the_cursor(demo: Open) -> None:
    tab = demo(params={"e": 64, "cell": 20}, width=360)
    target = stage(tab, "product")
    box = target.locator("xpath=..")
    assert box.evaluate("element => element.scrollWidth > element.clientWidth + 500")
    assert tab.evaluate(OVERFLOW) <= 0
    target.press("End")
    right = "element => element.scrollLeft + element.clientWidth"
    x, _, w, _ = target.evaluate(CELL_RECT, [0, 63])
    assert box.evaluate(right) >= x + w


def test_a_tap_picks(demo: Open) -> None:
    tab = demo(width=360, has_touch=True)
    target = stage(tab, "product", 2)
    target.tap(position=middle(target, 5, 2))
    expect(tab.get_by_text("picked s 5 2")).to_be_visible()


def test_the_theme_can_change_while_the_page_is_open(demo: Open) -> None:
    tab = demo()
    target = stage(tab, "attention", 2)
    tab.emulate_media(color_scheme="dark")
    x, y, _, _ = target.evaluate(CELL_RECT, [0, 7])
    dark = f"([element, place]) => String(({PIXEL})(element, place)) === '17,21,28'"
    tab.wait_for_function(dark, arg=[target.element_handle(), [x + 4, y + 5]])
    assert colours(target, (1, 1))[0, 0].min() > 150, "a weight of 1 is light on dark"


def test_a_large_matrix_is_painted_and_picked(demo: Open) -> None:
    tab = demo(params={"n": 512, "e": 16, "dense": 1}, height=1200)
    target = stage(tab, "attention", 1)
    tip = tab.locator(".st-key-attention .tip")
    for row, col in ((511, 3), (400, 200)):
        target.hover(position=middle(target, row, col))
        shown = [int(re.findall(r"(\d+):", line)[0]) for line in tip.locator("div").all_inner_texts()[1:]]
        assert abs(shown[0] - row) <= 1 and abs(shown[1] - col) <= 1
        target.click(position=middle(target, row, col))
        expect(tab.get_by_text(f"picked masked {shown[0]} {shown[1]}")).to_be_visible()


def test_hostile_labels_do_nothing(demo: Open) -> None:
    tab = demo(params={"hostile": 1})
    target = stage(tab, "product", 2)
    for cell in range(4):
        target.hover(position=middle(target, cell, cell))
    expect(tab.locator(".st-key-product .tip")).to_contain_text("👩‍👩‍👧‍👦")
    assert tab.locator(".st-key-product").locator("img, script").count() == 0
    saved = save(tab, "product", "svg")
    assert {element.tag.split("}")[1] for element in ET.parse(saved).iter()} <= SVG_TAGS


SVG_TAGS = {"svg", "g", "rect", "line", "text", "image", "clipPath", "title", "desc", "style"}


def save(tab: Page, key: str, kind: str) -> Path:
    with tab.expect_download() as download:
        tab.locator(f".st-key-{key} .save-{kind}").click()
    assert download.value.suggested_filename.endswith(f".{kind}")
    return Path(download.value.path())


def test_pictures_are_saved(demo: Open) -> None:
    tab = demo()
    for key, said in (("product", "Q = X W_Q"), ("attention", "keys"), ("heads", "Head 4")):
        png = save(tab, key, "png").read_bytes()
        assert png.startswith(b"\x89PNG\r\n\x1a\n"), key
        root = ET.parse(save(tab, key, "svg")).getroot()
        named = root.iter("{http://www.w3.org/2000/svg}text")
        texts = [(element.text or "").strip("\u2066\u2069") for element in named]
        assert said in texts
        if key != "heads":
            assert "1:cat" in texts
        size = (2 * float(root.get("width", 0)), 2 * float(root.get("height", 0)))
        assert struct.unpack(">II", png[16:24]) == size, key
