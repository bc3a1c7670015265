"""Lines between tokens, the soft dictionary and saving a chart, driven in a real browser."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.apps.lines_numbers import HOSTILE, labels, look_up, weights
from tests.browser.driver import OFTEN, WIDTHS, fits_within, settled

APP = "tests/browser/apps/lines_demo.py"
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def demo(serve, page):
    url = serve(APP)

    def show(query, **options):
        tab = page(f"{url}/?{query}", **options)
        expect(tab.locator(".save-png").first).to_be_visible()
        expect(tab.locator(".canvas-root:empty")).to_have_count(0)
        return tab

    return show


def token(tab: Page, side: str, index: int):
    return tab.locator(f".column.{side} button").nth(index)


def ink(tab: Page, canvas: str) -> int:
    """How many pixels of a canvas are painted."""
    return tab.locator(canvas).evaluate(
        "c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.filter((x, i) => i % 4 === 3 && x).length"
    )


def reading(tab: Page) -> str:
    """The sentence below the controls, without the marks that keep labels of either direction apart."""
    return re.sub("[\u2066-\u2069]", "", tab.locator(".reading").inner_text())


def softmax(scores: np.ndarray) -> np.ndarray:
    exps = np.exp(scores - scores.max())
    return exps / exps.sum()


def test_pointing_at_a_token_shows_its_lines_and_its_largest_weights(demo):
    tab = demo("tokens=6")
    expect(tab.locator("[data-part=all]")).to_have_css("visibility", "visible")
    token(tab, "q", 5).hover()
    row = weights(1, 6)[0, 5]
    best = np.argsort(-row)[:3]
    said = ", ".join(f"{labels(6)[k]} {row[k]:.2f}" for k in best)
    expect(tab.locator("[data-part=all]")).to_have_css("visibility", "hidden")
    assert reading(tab) == f"{labels(6)[5]} attends most to {said}."
    assert ink(tab, "[data-part=some]") > 100
    token(tab, "k", 0).hover()
    expect(tab.locator(".lines")).to_have_attribute("data-active", "k0")
    tab.mouse.move(2, 2)
    expect(tab.locator(".lines")).to_have_attribute("data-active", "")
    assert ink(tab, "[data-part=some]") == 0


def test_a_click_pins_a_query_and_the_page_hears_of_it(demo):
    tab = demo("tokens=6")
    token(tab, "q", 3).click()
    expect(tab.get_by_text("pinned: 3 after 1")).to_be_visible()
    expect(token(tab, "q", 3)).to_have_attribute("aria-pressed", "true")
    token(tab, "k", 1).click()
    expect(tab.get_by_text("pinned: None after 2")).to_be_visible()
    expect(token(tab, "k", 1)).to_have_attribute("aria-pressed", "true")
    settled(tab)
    asked = tab.evaluate("() => window.traffic.asked")
    token(tab, "k", 1).click()
    tab.mouse.move(2, 2)
    expect(tab.locator(".lines")).to_have_attribute("data-active", "")
    settled(tab)
    assert tab.evaluate("() => window.traffic.asked") == asked, "the page knows of no pinned key"
    expect(tab.get_by_text("pinned: None after 2")).to_be_visible()


def test_the_keyboard_moves_pins_and_unpins(demo):
    tab = demo("tokens=6&heads=2")
    token(tab, "q", 0).focus()
    tab.keyboard.press("ArrowDown")
    expect(token(tab, "q", 1)).to_be_focused()
    assert re.search(r"^query 1:cat attends most to .*0:the.* \(mean of 2 heads\)$", label_of(token(tab, "q", 1)))
    tab.keyboard.press("Enter")
    expect(tab.get_by_text("pinned: 1 after 1")).to_be_visible()
    tab.keyboard.press("Escape")
    expect(tab.get_by_text("pinned: None after 2")).to_be_visible()
    tab.keyboard.press("ArrowRight")
    expect(token(tab, "k", 1)).to_be_focused()
    tab.keyboard.press("End")
    expect(token(tab, "k", 5)).to_be_focused()


def label_of(button) -> str:
    return button.get_attribute("aria-label") or ""


def test_the_threshold_says_how_much_weight_it_hides(demo):
    tab = demo("tokens=24&heads=2&threshold=0.1")
    every = weights(2, 24)
    share = every[every < np.float32(0.1)].sum() / every.sum()
    expect(tab.locator("[data-part=threshold]")).to_have_text(f"below 0.1 · hides {share:.0%} of the weight")
    before = ink(tab, "[data-part=all]")
    tab.locator("[data-part=slider]").press("Home")
    expect(tab.locator("[data-part=threshold]")).to_have_text("below 0 · hides 0% of the weight")
    assert ink(tab, "[data-part=all]") > before


def test_the_page_is_told_where_the_threshold_was_let_go(demo):
    tab = demo("tokens=24&heads=2&threshold=0.1")
    slider = tab.locator("[data-part=slider]")
    slider.press("Home")
    expect(tab.get_by_text("threshold: 0.0")).to_be_visible()
    slider.press("PageUp")  # a tenth of the slider, whose square is the weight
    expect(tab.get_by_text("threshold: 0.01")).to_be_visible()
    expect(slider).to_have_value("100")


def test_a_head_can_be_hidden_and_stands_alone_on_a_double_click(demo):
    tab = demo("tokens=6&heads=3")
    heads = tab.locator(".heads button")
    heads.nth(1).dblclick()
    token(tab, "q", 4).hover()
    best = weights(3, 6)[1, 4].argmax()
    expect(tab.locator(".lines")).to_have_attribute("data-active", "q4")
    assert f"attends most to {labels(6)[best]} " in reading(tab)
    assert "mean of" not in reading(tab)
    heads.nth(0).click()
    token(tab, "q", 3).hover()
    expect(tab.locator(".reading")).to_contain_text("(mean of 2 heads)")


def test_many_tokens_scroll_inside_their_box_and_say_what_is_drawn(demo):
    tab = demo("tokens=128")
    count = int((weights(1, 128) > 0).sum())
    expect(tab.locator("[data-part=threshold]")).to_contain_text(f"strongest 6000 of {count} lines drawn")
    assert tab.locator(".scroll").evaluate("e => e.clientHeight <= 720 && e.scrollHeight > 2000")
    tab.locator(".scroll").evaluate("e => e.scrollTop = 1400")
    token(tab, "q", 100).hover()
    expect(tab.locator(".lines")).to_have_attribute("data-active", "q100")
    assert ink(tab, "[data-part=some]") > 100


@pytest.mark.parametrize("view", ["lines", "dictionary"])
def test_hostile_labels_are_shown_as_text(demo, view):
    tab = demo(f"view={view}&tokens=8&hostile=1")
    shown = token(tab, "k", 0) if view == "lines" else tab.locator(".label").first
    expect(shown).to_have_text(f"0:{HOSTILE[0]}")
    if view == "lines":
        token(tab, "q", 1).click()
        expect(tab.locator(".reading")).to_contain_text(HOSTILE[0])
    assert tab.evaluate("window.hacked") is None
    assert tab.locator("img[src=x]").count() == 0


@pytest.mark.parametrize("view", ["lines", "dictionary"])
def test_the_picture_is_saved_as_png_and_svg(demo, view):
    tab = demo(f"view={view}&tokens=8&hostile=1&heads=2")
    png, svg = saved(tab, "png"), saved(tab, "svg")
    assert png.startswith(PNG)
    text = "".join(ElementTree.fromstring(svg).itertext())
    assert "0:<img" in text
    assert HOSTILE[1] in text


def saved(tab: Page, kind: str) -> bytes:
    with tab.expect_download() as waiting:
        tab.locator(f".save-{kind}").first.click()
    assert waiting.value.suggested_filename.endswith("." + kind)
    return Path(waiting.value.path()).read_bytes()


@pytest.mark.parametrize("allowed", [6, 1, 0])
def test_the_soft_dictionary_equals_numpy(demo, allowed):
    tab = demo(f"view=dictionary&tokens=8&width=5&allowed={allowed}")
    scores, values = look_up(8, 5)
    slider = tab.locator("[data-part=slider]")
    for press, temperature in (("Home", 0.01), ("End", 100.0), (None, 1.0)):
        slider.press(press) if press else tab.locator("[data-part=reset]").click()
        weight = np.zeros(8)
        if allowed:
            weight[:allowed] = softmax(scores[:allowed].astype(float) / temperature)
        cells = tab.locator("td.weight").evaluate_all("cells => cells.map(c => Number(c.dataset.weight))")
        np.testing.assert_allclose(cells, weight, atol=1e-5)
        mix = json.loads(tab.locator("[data-part=mix]").get_attribute("data-mix") or "")
        np.testing.assert_allclose(mix, weight @ values, atol=1e-5)
        check_reading(reading(tab), weight, allowed)


def check_reading(text: str, weight: np.ndarray, allowed: int) -> None:
    if not allowed:
        assert "may attend to no key" in text
        return
    positive = weight[weight > 0]
    spread = 2 ** -(positive * np.log2(positive)).sum()
    assert f"uses about {spread:.1f} of the {allowed} key" in text
    assert text.endswith(f", on {labels(8)[weight.argmax()]}.")


def test_equal_best_scores_share_the_exact_look_up(demo):
    tab = demo("view=dictionary&tokens=4&ties=1&allowed=4")
    tab.locator("[data-part=slider]").press("Home")
    cells = tab.locator("td.weight").evaluate_all("cells => cells.map(c => Number(c.dataset.weight))")
    np.testing.assert_allclose(cells, [0.5, 0, 0.5, 0], atol=1e-6)


def test_a_chart_is_saved_from_the_page_and_a_missing_one_is_named(demo):
    tab = demo("view=chart")
    expect(tab.locator(".st-key-bars svg.marks")).to_be_visible()
    svg = saved(tab, "svg")
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "weight" in "".join(root.itertext())
    assert saved(tab, "png").startswith(PNG)
    tab.locator(".save-svg").nth(1).click()
    expect(tab.get_by_text("No chart to save here.")).to_be_visible()


@pytest.mark.parametrize("view", ["lines", "dictionary"])
def test_nothing_overflows_the_page(demo, view):
    tab = demo(f"view={view}&tokens=70&heads=8&width=64&hostile=1", dark=view == "lines")
    inside = tab.locator(".lines, .dictionary").first
    for width in WIDTHS:
        fits_within(tab, width)
        within = """([element, width]) => {
          const { left, right } = element.getBoundingClientRect();
          return left >= 0 && right <= width && element.scrollWidth <= element.clientWidth;
        }"""
        tab.wait_for_function(within, arg=[inside.element_handle(), width], polling=OFTEN)


def test_a_tap_pins_on_a_phone(demo):
    tab = demo("tokens=6", width=360, has_touch=True, is_mobile=True)
    token(tab, "q", 2).tap()
    expect(tab.get_by_text("pinned: 2 after 1")).to_be_visible()
    assert all((token(tab, "q", i).bounding_box() or {"height": 0})["height"] >= 24 for i in range(6))
