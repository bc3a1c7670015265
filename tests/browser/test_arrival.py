"""Going from page to page: one entry in the browser's history, every setting kept, in the widgets and the address."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import location, pill, settled, widget

START = {"t": "one two three four", "d": 48, "layer": 3, "head": 2}


def choose(tab: Page, section: str, title: str) -> None:
    tab.get_by_test_id("stHeader").get_by_text(section, exact=True).click()
    tab.get_by_role("menuitem", name=title).or_(tab.get_by_role("link", name=title)).first.click()


def expect_settings(tab: Page, **wanted: Any) -> None:
    """Layer and head in the pills; everything in the address."""
    for key in ("layer", "head"):
        expect(pill(tab, key, str(wanted[key]))).to_have_attribute("aria-checked", "true")
    settled(tab)
    tab.wait_for_timeout(300)
    query = {key: values[-1] for key, values in parse_qs(urlsplit(location(tab)).query).items()}
    assert query == {key: str(value) for key, value in wanted.items()}


def entries(tab: Page) -> int:
    return int(tab.evaluate("() => history.length"))


@pytest.mark.parametrize("way", ["link", "menu"])
def test_a_change_of_page_is_one_step_of_the_history(way: str, visit: Callable[..., Page]) -> None:
    tab = visit(**START)
    before = entries(tab)
    if way == "link":
        tab.get_by_role("link", name="The scores, step by step").click()
        expect(pill(tab, "self_attention_step", "2 score")).to_have_attribute("aria-checked", "true")
        there = START | {"self_attention_step": "2 score"}
    else:
        choose(tab, "Attention", "Heads")
        expect(widget(tab, "heads-matrix")).to_be_visible()
        there = START
    expect_settings(tab, **there)
    assert entries(tab) == before + 1
    tab.go_back()
    expect(widget(tab, "stages")).to_be_visible()
    expect_settings(tab, **START)
    tab.go_forward()
    expect(widget(tab, "stages")).to_be_hidden()
    expect_settings(tab, **there)


def test_settings_changed_on_one_page_are_written_on_the_next(visit: Callable[..., Page]) -> None:
    tab = visit("self-attention", **START, self_attention_step="5 softmax")
    choose(tab, "Attention", "Heads")
    expect(widget(tab, "heads-matrix")).to_be_visible()
    expect_settings(tab, **START)
    pill(tab, "head", "4").click()
    choose(tab, "Start", "The journey")
    expect(widget(tab, "stages")).to_be_visible()
    expect_settings(tab, **START | {"head": 4})
    pill(tab, "layer", "2").click()
    expect_settings(tab, **START | {"head": 4, "layer": 2})
    choose(tab, "Attention", "Self-attention")
    expect(pill(tab, "self_attention_step", "5 softmax")).to_have_attribute("aria-checked", "true")
    expect_settings(tab, **START | {"head": 4, "layer": 2, "self_attention_step": "5 softmax"})


def test_the_journey_goes_on_to_cross_attention(visit: Callable[..., Page]) -> None:
    tab = visit(**START, kind="encoder-decoder", attention="decoder")
    tab.get_by_role("button", name="Next in this layer: cross-attention").click()
    expect(pill(tab, "attention", "cross")).to_have_attribute("aria-checked", "true")
    expect(widget(tab, "journey-3")).to_contain_text("from the encoder")
    expect_settings(tab, **START, kind="encoder-decoder", attention="cross")


def test_the_first_page_is_found_by_its_name_too(visit: Callable[..., Page]) -> None:
    tab = visit("journey", **START)
    assert tab.get_by_role("dialog").count() == 0
    expect_settings(tab, **START)
