"""Training word vectors in a real browser: playing, stopping, resetting, and leaving it alone."""

import time
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.driver import address, drawn, in_address, looked_until, settled, widget
from tests.browser.server import processor_seconds

Open = Callable[..., Page]
Serve = Callable[[str], str]
AT_LEAST = "(n) => +document.querySelector('.st-key-word-vectors-steps input')?.value >= n"
PICTURES = ("word-vectors-live-map", "word-vectors-live-loss")


def marks(tab: Page) -> list[str]:
    """What is drawn in the map and in the curve of the loss."""
    return [widget(tab, key).locator("svg.marks").inner_html() for key in PICTURES]


def at_rest(tab: Page) -> list[str]:
    """The same where it does not change for a while; nothing where it does."""
    now = marks(tab)
    tab.wait_for_timeout(300)
    return now if now == marks(tab) else []


def steps(tab: Page) -> int:
    return int(widget(tab, "word-vectors-steps").locator("input").input_value())


def test_a_training_plays_stops_within_half_a_second_and_begins_again(page: Open, serve: Serve) -> None:
    settings = {"word_vectors_view": "train one", "word_vectors_steps": 20}
    tab = page(address(serve("app.py"), "word-vectors", **settings))
    drawn(tab)
    before = marks(tab)
    tab.get_by_role("button", name="Play", exact=True).click()
    tab.wait_for_function(AT_LEAST, arg=80)
    tab.evaluate("() => document.querySelector('.st-key-word-vectors-live-play button').click()")  # between two ticks
    expect(tab.get_by_role("button", name="Play", exact=True)).to_be_visible()
    settled(tab)
    stopped = steps(tab)
    expect(tab.get_by_text(f"After {stopped:,} steps")).to_be_visible()
    shown = looked_until(tab, lambda: at_rest(tab), lambda now: now and not set(now) & set(before))
    assert len(shown) == len(before) and not set(shown) & set(before)
    tab.wait_for_timeout(700)
    assert steps(tab) == stopped and marks(tab) == shown
    in_address(tab, f"word-vectors-steps={stopped}")
    tab.get_by_role("button", name="Restart").click()
    expect(tab.get_by_text("At first, with random vectors").first).to_be_visible()
    expect(widget(tab, "word-vectors-steps").locator("input")).to_have_value("0")


def test_a_training_ends_when_its_tab_is_closed(page: Open, serve: Serve) -> None:
    url = serve("app.py")
    tab = page(address(url, "word-vectors", word_vectors_view="train one"))
    drawn(tab)
    tab.get_by_role("button", name="Play", exact=True).click()
    tab.wait_for_function(AT_LEAST, arg=60)
    end = time.monotonic() + 45
    while (busy := worked(url)) <= 0.1 and time.monotonic() < end:  # a browser short of time asks for few steps
        pass
    tab.close()
    end = time.monotonic() + 45  # other tests may be at work with the same server
    while (rest := worked(url)) >= busy / 4 and time.monotonic() < end:
        pass
    assert busy > 0.1 and rest < busy / 4, (busy, rest)


def worked(url: str, seconds: float = 3) -> float:
    """Seconds of the processors that a server uses in so many."""
    before = processor_seconds(url)
    time.sleep(seconds)
    return processor_seconds(url) - before
