"""The page KV cache in a real browser: stepping and playing, measuring and leaving, at every width."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.analysis.kv_costs import total, with_cache, without_cache
from core.checkpoints import shipped
from core.limits import LIMITS
from core.readings.kv_cache import counted
from tests.browser.driver import address, drawn, enter, location, pill, settled, widget
from tests.browser.server import serving

Open = Callable[..., Page]
Serve = Callable[[str], str]


def pieces(tab: Page) -> list[str]:
    tokens = widget(tab, "kv-cache-text").locator(".token")
    tokens.first.wait_for()
    return tokens.all_inner_texts()


def test_a_step_reads_one_token_more_by_mouse_and_by_keyboard(page: Open, serve: Serve) -> None:
    tab = page(address(serve("app.py"), "kv-cache", kv_cache_tokens=2, kv_cache_view="operations"))
    drawn(tab)
    step = tab.get_by_role("button", name="Step", exact=True)
    for how in (step.click, lambda: step.press("Enter")):
        settled(tab)
        before = len(pieces(tab))
        how()
        expect(widget(tab, "kv-cache-text").locator(".token")).to_have_count(before + 1)
    settled(tab)
    length, start = len(pieces(tab)), len(pieces(tab)) - 4
    config = shipped.read("storyteller").config
    mine, other = (total(config, each) for each in (with_cache(length, 0, start), without_cache(length)))
    said = f"takes {counted(mine)} multiply-adds with the cache and {counted(other)} without"
    expect(tab.get_by_text(said)).to_be_visible()


def test_a_text_plays_and_is_paused(page: Open, serve: Serve) -> None:
    tab = page(address(serve("app.py"), "kv-cache", kv_cache_tokens=1))
    drawn(tab)
    before = len(pieces(tab))
    tab.get_by_role("button", name="Play", exact=True).click()
    tab.wait_for_function("() => +document.querySelector('.st-key-kv-cache-tokens input')?.value >= 4")
    tab.get_by_role("button", name="Pause").click()
    expect(tab.get_by_role("button", name="Play", exact=True)).to_be_visible()
    settled(tab)
    read = int(widget(tab, "kv-cache-tokens").locator("input").input_value())
    expect(widget(tab, "kv-cache-text").locator(".token")).to_have_count(before + read - 1)
    tab.wait_for_timeout(800)
    assert len(pieces(tab)) == before + read - 1
    again = page(location(tab))
    drawn(again)
    expect(widget(again, "kv-cache-text").locator(".token")).to_have_text(pieces(tab))


@pytest.fixture
def unhurried(foreign: Path) -> Iterator[str]:
    """The app, where a measurement has the time to go on until it is stopped, also on a busy machine."""
    with serving("app.py", foreign=foreign, variables={LIMITS["MEASURE_SECONDS"].variable: "30"}) as url:
        yield url


def test_measuring_is_shown_can_be_stopped_and_goes_on_beside_another_text(page: Open, unhurried: str) -> None:
    tab = page(address(unhurried, "kv-cache", kv_cache_view="time"))
    drawn(tab)
    measure, stop = (tab.get_by_role("button", name=name, exact=True) for name in ("Measure", "Stop"))
    going_on = tab.get_by_text(re.compile(r"Measured at [\d,]+ tokens?"))
    measure.press("Enter")
    expect(going_on).to_be_visible()
    stop.press("Enter")
    expect(measure).to_be_visible()
    settled(tab)
    expect(widget(tab, "kv-cache-time")).to_be_visible()
    measure.press("Enter")
    expect(stop).to_be_visible()
    enter(tab, "t", "The old king had three sons.")
    expect(widget(tab, "kv-cache-text").locator(".token").nth(2)).to_have_text("king")
    expect(going_on).to_be_visible()
    stop.press("Enter")
    expect(measure).to_be_visible()
    settled(tab)
    expect(widget(tab, "kv-cache-time")).to_be_visible()
    assert tab.get_by_test_id("stException").count() == 0


def test_one_token_and_a_full_context(page: Open, serve: Serve) -> None:
    tab = page(address(serve("app.py"), "kv-cache", t="a", kv_cache_tokens=0, kv_cache_view="why it may be kept"))
    expect(tab.get_by_text("Only one token has been read")).to_be_visible()
    enter(tab, "t", "the dog saw the cat. " * 90)
    settled(tab)
    pill(tab, "kv-cache-view", "one step").click()
    drawn(tab)
    assert tab.get_by_test_id("stException").count() == 0
