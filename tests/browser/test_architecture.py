"""The drawing of a model in a real browser: keys, a click that leads on, its files, hostile text."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.driver import OFTEN, fits_within, in_address, widget
from tests.pages.screen import HOSTILE

PAGE = "architecture"
Open = Callable[..., Page]
SMALLEST = 11
FOCUSED = """() => [...document.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? [])
  .map((root) => root.activeElement?.dataset.key).find(Boolean)"""
SIZES = "(all) => all.map((text) => parseFloat(text.getAttribute('font-size')))"


def drawing(tab: Page) -> Locator:
    return widget(tab, "architecture-drawing")


def now(tab: Page) -> Locator:
    """The box that the tokens have reached."""
    return drawing(tab).locator(".spot.now")


def test_tokens_go_by_keys_and_a_box_opens_its_page_at_this_place(visit: Open) -> None:
    tab = visit(kind="encoder-decoder", layer=2, n=2)
    train = drawing(tab).locator(".train")
    expect(now(tab)).to_have_attribute("data-key", "encoder.tokens")
    drawing(tab).locator(".spot").first.focus()
    before = train.bounding_box()
    tab.keyboard.press("ArrowRight")
    expect(now(tab)).to_have_attribute("data-key", "encoder.embed")
    lower = "([train, top]) => train.getBoundingClientRect().top > top"
    assert before
    tab.wait_for_function(lower, arg=[train.element_handle(), before["y"]], polling=OFTEN)
    expect(drawing(tab).locator(".rows .line")).to_have_count(13)
    for _ in range(4):
        tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowLeft")
    expect(now(tab)).to_have_attribute("data-key", "encoder.1.attn.q")
    in_address(tab, "architecture-step=4")
    tab.keyboard.press(" ")
    expect(drawing(tab).locator(".play")).to_have_text("Pause")
    tab.keyboard.press(" ")
    expect(drawing(tab).locator(".play")).to_have_text("Play")
    drawing(tab).locator(".spot[data-key='decoder.1.cross']").focus()
    tab.keyboard.press("ArrowDown")
    assert tab.evaluate(FOCUSED) == "decoder.1.cross.q"
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("Enter")
    tab.wait_for_function("() => location.pathname.endsWith('/heads')")
    in_address(tab, "attention=cross", "layer=2")


def test_hostile_text_stays_text_on_a_phone_and_in_the_saved_files(visit: Open, tmp_path: Path) -> None:
    tab = visit(t=HOSTILE, kind="decoder", dark=True, touch=True)
    fits_within(tab, 360)
    sizes = drawing(tab).locator(".picture svg text").evaluate_all(SIZES)
    assert sizes and min(sizes) >= SMALLEST
    assert drawing(tab).locator(".piece", has_text="<").count()
    files = {}
    for kind in ("SVG", "PNG"):
        with tab.expect_download() as waiting:
            drawing(tab).get_by_role("button", name=f"Save drawing of the model as {kind}").tap()
        files[kind] = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(files[kind])
    words = [text.text for text in ElementTree.parse(files["SVG"]).iter("{http://www.w3.org/2000/svg}text")]
    chips = drawing(tab).locator(".train .chip:not(.rest)").count()
    drawn = ElementTree.parse(files["SVG"]).iter("{http://www.w3.org/2000/svg}rect")
    assert chips and chips == sum(rect.get("rx") == "3" for rect in drawn)  # where the tokens stand is saved too
    assert "masked self-attention" in words and any("parameters" in (word or "") for word in words)
    assert files["PNG"].read_bytes().startswith(b"\x89PNG")
    slab = drawing(tab).locator(".spot[data-key='decoder.1']")
    slab.tap()
    expect(drawing(tab).locator(".spot[data-key='decoder.1.attn']")).to_be_attached()
    listed = drawing(tab).locator(".twin li")
    expect(listed.first).to_contain_text("tokens of your text")
