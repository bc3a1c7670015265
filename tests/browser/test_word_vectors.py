"""Training word vectors in a real browser: playing, stopping, resetting, and leaving it alone."""

import time
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.driver import address, drawn, location, settled, widget
from tests.browser.server import processor_seconds

Open = Callable[..., Page]
Serve = Callable[[str], str]
AT_LEAST = "(n) => +document.querySelector('.st-key-word-vectors-steps input')?.value >= n"
PICTURES = ("word-vectors-live-map", "word-vectors-live-loss")


def marks(tab: Page) -> list[str]:
    """What is drawn in the map and in the curve of the loss."""
    return [widget(tab, key).locator("svg.marks").inner_html() for key in PICTURES]


def steps(tab: Page) -> int:
    return int(widget(tab, "word-vectors-steps").locator("input").input_value())


def test_a_training_plays_stops_within_half_a_second_and_begins_again(page: Open, serve: Serve) -> None:
    settings = {"word_vectors_view": "train one", "word_vectors_steps": 20}
    tab = page(address(serve("app.py"), "word-vectors", **settings))
    drawn(tab)
    before = marks(tab)
    tab.get_by_role("button", name="Play", exact=True).click()
    tab.wait_for_function(AT_LEAST, arg=80, timeout=20_000)
    tab.get_by_role("button", name="Pause").press("Enter")
    expect(tab.get_by_role("button", name="Play", exact=True)).to_be_visible()
    settled(tab)
    tab.wait_for_timeout(500)
    stopped, shown = steps(tab), marks(tab)
    assert all(now != then for now, then in zip(shown, before, strict=True))
    tab.wait_for_timeout(700)
    assert steps(tab) == stopped and marks(tab) == shown
    expect(tab.get_by_text(f"After {stopped:,} steps")).to_be_visible()
    assert f"word-vectors-steps={stopped}" in location(tab)
    tab.get_by_role("button", name="Restart").click()
    expect(tab.get_by_text("After 0 steps")).to_be_visible()
    settled(tab)
    assert steps(tab) == 0


def test_a_training_ends_when_its_tab_is_closed(page: Open, serve: Serve) -> None:
    url = serve("app.py")
    tab = page(address(url, "word-vectors", word_vectors_view="train one"))
    drawn(tab)
    tab.get_by_role("button", name="Play", exact=True).click()
    tab.wait_for_function(AT_LEAST, arg=60, timeout=20_000)
    busy = worked(url)
    tab.close()
    time.sleep(1)
    rest = worked(url)
    assert busy > 0.1 and rest < busy / 4, (busy, rest)


def worked(url: str, seconds: float = 3) -> float:
    """Seconds of the processors that a server uses in so many."""
    before = processor_seconds(url)
    time.sleep(seconds)
    return processor_seconds(url) - before
