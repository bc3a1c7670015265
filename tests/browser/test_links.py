"""A copied address reopens the same screen, and settings go along from page to page."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Position, expect

from tests.browser.driver import (
    CELL_RECT,
    click_cell,
    drawn,
    enter,
    in_address,
    location,
    looked_until,
    pill,
    settled,
    stage,
    widget,
)

Open = Callable[..., Page]
WORDS = "one two three four"


def choose_page(tab: Page, section: str, title: str) -> None:
    """Go to a page by the menu at the top."""
    tab.get_by_test_id("stHeader").get_by_text(section, exact=True).click()
    tab.get_by_role("menuitem", name=title).or_(tab.get_by_role("link", name=title)).first.click()


def screen(tab: Page) -> dict[str, Any]:
    """What a visitor sees of the settings, the words and the numbers."""
    settled(tab)
    drawn(tab)
    main = tab.get_by_test_id("stMain")
    return {
        "text": widget(tab, "t").locator("input").input_value(),
        "d": widget(tab, "d").locator("input").input_value(),
        "chosen": main.locator("[role=radio][aria-checked=true]").all_inner_texts(),
        "titles": tab.locator(".panel .title").all_inner_texts(),
        "code": main.get_by_test_id("stCode").all_inner_texts(),
        "words": main.locator("[data-testid=stMarkdownContainer]:not(.st-key-undo *)").all_inner_texts(),
        "pixels": main.locator("canvas.base").evaluate_all("(all) => all.map((canvas) => canvas.toDataURL())"),
    }


def expect_reopened(tab: Page, page: Open) -> None:
    """Open this tab's address in another one, and wait until both show the same screen."""
    again = page(location(tab))
    here, there = looked_until(again, lambda: (screen(tab), screen(again)), lambda both: both[0] == both[1])
    assert here == there


def test_a_copied_address_reopens_the_screen(visit: Open, page: Open) -> None:
    tab = visit("self-attention", t=WORDS)
    enter(tab, "d", 48)
    pill(tab, "layer", "2").click()
    pill(tab, "head", "3").click()
    pill(tab, "self_attention_step", "2 score").click()
    expect(widget(tab, "step-picture").locator(".title").nth(1)).to_contain_text("Kᵀ")
    settled(tab)
    click_cell(stage(tab, "step-picture", 2), 3, 1)
    tab.wait_for_function("() => location.search.includes('self-attention-row=3')")
    expect(tab.get_by_test_id("stCode").first).to_have_text(re.compile(r"^\s*q3"))
    expect_reopened(tab, page)


def test_a_page_link_takes_text_settings_and_place_along(visit: Open, page: Open) -> None:
    tab = visit("", t=WORDS, d=48, layer=3, head=2)
    tab.get_by_role("link", name="The scores, step by step").click()
    expect(pill(tab, "self_attention_step", "2 score")).to_have_attribute("aria-checked", "true")
    expect(pill(tab, "layer", "3")).to_have_attribute("aria-checked", "true")
    before = screen(tab)
    assert (before["text"], before["d"]) == (WORDS, "48")
    expect_reopened(tab, page)


def test_a_second_touch_opens_a_cell_of_the_journey_on_its_page(visit: Open) -> None:
    tab = visit("journey", t=WORDS, d=48, layer=2, head=3, touch=True)
    weights = stage(tab, "journey-4", 3)
    x, y, width, height = weights.evaluate(CELL_RECT, [3, 1])
    middle: Position = {"x": x + width / 2, "y": y + height / 2}
    weights.tap(position=middle)
    tip = widget(tab, "journey-4").locator(".tip")
    expect(tip).to_contain_text("Tap again to open it in Self-attention, step by step")
    expect(widget(tab, "journey-tokens").locator(".chip").nth(3)).to_have_class("chip framed lit")
    assert "/journey" in location(tab)
    before = int(tab.evaluate("() => history.length"))
    weights.tap(position=middle)
    expect(pill(tab, "self_attention_step", "5 softmax")).to_have_attribute("aria-checked", "true")
    expect(tab.get_by_test_id("stCode").first).to_have_text(re.compile(r"^\s*A\[3,1\]"))
    in_address(tab, "self-attention-row=3", "self-attention-col=1", "layer=2", "head=3", "d=48")
    assert int(tab.evaluate("() => history.length")) == before + 1


def test_the_menu_takes_text_settings_and_place_along(visit: Open, page: Open) -> None:
    tab = visit("self-attention", t=WORDS, d=48, layer=2)
    choose_page(tab, "Attention", "Heads")
    expect(widget(tab, "heads-matrix").locator(".title").first).to_contain_text("Layer 2")
    before = screen(tab)
    assert (before["text"], before["d"]) == (WORDS, "48")
    expect_reopened(tab, page)


def test_back_and_forward_bring_page_settings_and_place_back(visit: Open) -> None:
    tab = visit("self-attention", t=WORDS, d=48, layer=2)
    choose_page(tab, "Attention", "Heads")
    expect(widget(tab, "heads-matrix").locator(".title").first).to_contain_text("Layer 2")
    settled(tab)
    tab.go_back()
    expect(widget(tab, "step-picture")).to_be_visible()
    expect(pill(tab, "layer", "2")).to_have_attribute("aria-checked", "true")
    here = screen(tab)
    assert (here["text"], here["d"]) == (WORDS, "48")
    tab.go_forward()
    expect(widget(tab, "heads-matrix").locator(".title").first).to_contain_text("Layer 2")


def test_nonsense_in_an_address_is_named_and_does_no_harm(visit: Open) -> None:
    tab = visit("heads", d=99999, kind="zebra", foo="<b>bar</b>", t=WORDS, head=3)
    note = tab.get_by_test_id("stAlert").first
    for words in ("d_model cannot be “99999”", "Architecture cannot be “zebra”", "There is no setting “foo”"):
        expect(note).to_contain_text(words)
    expect(widget(tab, "d").locator("input")).to_have_value("64")
    expect(pill(tab, "head", "3")).to_have_attribute("aria-checked", "true")
    tab.get_by_role("button", name="Got it").click()
    expect(note).to_be_hidden()


def test_what_a_model_fixes_is_said_also_where_the_page_is_about_another(visit: Open) -> None:
    tab = visit("generate", model="toy-sort", kind="decoder", d=32)
    note = tab.get_by_test_id("stAlert").first
    for words in ("Architecture is fixed by the weights of “Toy, sorts letters”", "d_model is fixed"):
        expect(note).to_contain_text(words)
    expect(
        tab.get_by_text(
            "so it shows “Storyteller, with rotary positions”. Other pages show what you chose: “Toy, sorts letters”."
        )
    ).to_be_visible()
    only = "() => /[?]model=toy-sort/.test(location.search) && !/[?&](kind|d)=/.test(location.search)"
    tab.wait_for_function(only)
    tab = visit("generate", kind="encoder")
    expect(tab.get_by_text("Other pages show what you chose: “Random weights”.")).to_be_visible()


def test_an_address_without_a_usable_number_stands_also_when_it_is_come_back_to(visit: Open) -> None:
    tab = visit("positions", t=WORDS, d="inf", positions_row="1e400", positions_view="")
    note = tab.get_by_test_id("stAlert").first
    for words in ("d_model cannot be “inf”", "Row cannot be “1e400”", "Look at cannot be “”"):
        expect(note).to_contain_text(words)
    for leaves in (False, True):
        if leaves:
            tab.goto("about:blank")
            tab.go_back()
        tab.wait_for_function("() => location.search === '?model=random+weights&t=one+two+three+four'")
        settled(tab)
        expect(widget(tab, "d").locator("input")).to_have_value("64")
        assert tab.get_by_test_id("stException").count() == 0
