"""Back and Forward in the browser step through what a visitor has set, as Undo does."""

from collections.abc import Callable
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.driver import OFTEN, enter, looked_until, pill, query, settled, widget

CLICKS, EVERY = 30, 80  # EVERY: milliseconds
WORDS = "one two three four"
Open = Callable[..., Page]


def chosen(tab: Page, key: str) -> str:
    """The pill of a setting that is chosen."""
    return widget(tab, key).locator("[role=radio][aria-checked=true]").inner_text()


def entries(tab: Page) -> int:
    return int(tab.evaluate("() => history.length"))


def heads_in_history(tab: Page) -> tuple[list[str], int]:
    """The head in the address of each entry of the browser's history, and the number of the present entry."""
    urls = tab.evaluate("() => navigation.entries().map((entry) => entry.url)")
    heads = [parse_qs(urlsplit(url).query).get("head", ["1"])[-1] for url in urls]
    return heads, int(tab.evaluate("() => navigation.currentEntry.index"))


def expect_chosen(tab: Page, layer: str, head: str) -> None:
    """In the pills and in the address, and to stay."""
    expect(pill(tab, "layer", layer)).to_have_attribute("aria-checked", "true")
    expect(pill(tab, "head", head)).to_have_attribute("aria-checked", "true")
    settled(tab)
    tab.wait_for_timeout(300)
    assert (chosen(tab, "layer"), chosen(tab, "head")) == (layer, head)
    assert (query(tab).get("layer", "1"), query(tab).get("head", "1")) == (layer, head)


def test_back_and_forward_step_through_settings_of_a_deep_link(visit: Open) -> None:
    tab = visit("heads", t=WORDS, layer=2, heads_view="lines")
    before = entries(tab)
    pill(tab, "layer", "3").click()
    settled(tab)
    pill(tab, "head", "4").click()
    settled(tab)
    enter(tab, "t", "five six")
    settled(tab)
    expect_chosen(tab, "3", "4")
    assert entries(tab) == before + 3
    tab.go_back()
    expect(widget(tab, "t").locator("input")).to_have_value(WORDS)
    expect_chosen(tab, "3", "4")
    tab.go_back()
    expect_chosen(tab, "3", "1")
    tab.go_back()
    expect_chosen(tab, "2", "1")
    tab.go_forward()
    expect_chosen(tab, "3", "1")
    tab.reload()
    settled(tab)
    expect_chosen(tab, "3", "1")
    tab.go_back()
    expect_chosen(tab, "2", "1")
    assert query(tab)["t"] == WORDS


def test_what_is_typed_on_in_one_box_is_one_step(visit: Open) -> None:
    tab = visit("heads", t=WORDS)
    before = entries(tab)
    box = widget(tab, "t").locator("input")
    box.click()
    box.press("End")
    for word in (" five", " six"):
        box.press_sequentially(word, delay=20)
        looked_until(tab, lambda word=word: query(tab)["t"], lambda found, word=word: found.endswith(word))  # type: ignore[misc]
        settled(tab)
    assert entries(tab) == before + 1
    tab.go_back()
    expect(box).to_have_value(WORDS)


def typed(tab: Page, text: str, end: str) -> None:
    """Write a text letter by letter in place of the one in the box, and finish it."""
    box = widget(tab, "t").locator("input")
    box.click()
    box.press("ControlOrMeta+a")
    box.press_sequentially(text, delay=40)
    looked_until(tab, lambda: query(tab).get("t"), lambda found: found == text)
    settled(tab)
    box.press(end)


def test_back_returns_to_each_text_that_was_finished(visit: Open) -> None:
    tab = visit("heads", t=WORDS)
    before, box = entries(tab), widget(tab, "t").locator("input")
    for text, end in (("one cat", "Enter"), ("two dogs", "Tab"), ("six birds", "Enter")):
        typed(tab, text, end)
    assert entries(tab) == before + 3
    for text in ("two dogs", "one cat"):
        tab.go_back()
        expect(box).to_have_value(text)
        settled(tab)
    typed(tab, "ten fish", "Enter")  # after Back too: the text gone back to keeps its entry
    assert entries(tab) == before + 2
    tab.go_back()
    expect(box).to_have_value("one cat")
    settled(tab)
    tab.go_back()
    expect(box).to_have_value(WORDS)


def test_fast_clicks_and_then_back_end_where_the_address_says(visit: Open) -> None:
    tab = visit("heads", t=WORDS)
    before, spots = entries(tab), []
    for head in ("2", "3", "4"):
        box = pill(tab, "head", head).bounding_box()
        assert box
        spots.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    for turn in range(CLICKS):
        tab.mouse.click(*spots[turn % 3])
        tab.wait_for_timeout(EVERY)
    expect_chosen(tab, "1", "4")
    heads, now = heads_in_history(tab)
    steps = heads[now - min(4, entries(tab) - before) : now + 1]  # clicks faster than the server draws are one step
    assert len(steps) > 1 and steps[-1] == "4" and all(old != new for old, new in pairwise(steps))
    for _ in steps[1:]:
        tab.evaluate("() => history.back()")
        tab.wait_for_timeout(OFTEN)
    looked_until(tab, lambda: heads_in_history(tab)[1], lambda found: found == now - len(steps) + 1)
    expect_chosen(tab, "1", steps[0])
    expect(tab.get_by_test_id("stApp")).to_have_attribute("data-test-connection-state", "CONNECTED")
    assert tab.get_by_test_id("stException").count() == 0


def test_back_goes_through_ten_changes_and_forward_again(visit: Open) -> None:
    tab = visit("heads", t=WORDS)
    before, places = entries(tab), [("1", "1")]
    for turn in range(10):
        (layer, head), label = places[-1], "213234"[turn // 2]
        places.append((layer, label) if turn % 2 else (label, head))
        pill(tab, "head" if turn % 2 else "layer", label).click()
        settled(tab)
    expect_chosen(tab, *places[-1])
    assert entries(tab) == before + len(places) - 1
    for place in reversed(places[:-1]):
        tab.go_back()
        expect_chosen(tab, *place)
    for place in places[1:]:
        tab.go_forward()
        expect_chosen(tab, *place)


def test_two_tabs_of_one_visitor_each_keep_their_own_settings(visit: Open) -> None:
    one, other = visit("heads", t=WORDS, layer=2), visit("heads", t="five six")
    pill(one, "head", "3").click()
    pill(other, "layer", "3").click()
    for tab, text, place in ((one, WORDS, ("2", "3")), (other, "five six", ("3", "1"))):
        expect_chosen(tab, *place)
        assert query(tab)["t"] == text
    one.go_back()
    expect_chosen(one, "2", "1")
    expect_chosen(other, "3", "1")


def test_the_colour_bar_of_a_legend_is_painted_after_the_address_has_changed(visit: Open) -> None:
    tab = visit("heads", heads_view="what heads do")
    bars = tab.locator('[fill*="#gradient_"]')
    expect(bars.first).to_be_attached()
    pill(tab, "layer", "2").click()
    settled(tab)
    assert query(tab)["layer"] == "2"
    leads = "(bars) => bars.map((bar) => new URL(bar.getAttribute('fill').slice(4, -1), location.href).href)"
    found, here = bars.evaluate_all(leads), tab.evaluate("() => location.href.split('#')[0]")
    assert found and {url.split("#")[0] for url in found} == {here}
