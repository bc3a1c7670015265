"""Nothing that is seen moves while a page comes for the first time, as the browser itself measures it."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from pages.shell.page import Page as Topic
from tests.browser.driver import OFTEN, WAIT, address, drawn, looked_until, settled, widget
from tests.browser.tabs import TRAFFIC
from tests.browser.test_first_screen import LAPTOP, LISTS, PHONE
from tests.pages.house import PAGES

# Sum of shares of the screen that moved times how far: below 0.1 is called good. The pills of the views make place for
# a button beside them.
MOST = 0.02
WATCH = """window.moved = [];
new PerformanceObserver((list) => list.getEntries().forEach(({ value, sources }) => {
  const names = sources.map(({ node, previousRect, currentRect }) => {
    const element = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    return `${element?.textContent.slice(0, 30)} from ${previousRect.top} to ${currentRect.top}`;
  });
  window.moved.push([value, names.join("; ")]);
})).observe({ type: "layout-shift", buffered: true });"""
SEEN = "(element) => getComputedStyle(element).visibility"


@pytest.fixture
def first_visit(chromium: Browser) -> Iterator[Callable[[tuple[int, int]], Page]]:
    """Opens a tab of this size that has nothing in its cache, where what appears takes its time."""
    contexts = []

    def open_tab(size: tuple[int, int]) -> Page:
        contexts.append(chromium.new_context(viewport={"width": size[0], "height": size[1]}))
        for script in (TRAFFIC, WATCH):
            contexts[-1].add_init_script(script)
        tab = contexts[-1].new_page()
        tab.set_default_timeout(WAIT)
        return tab

    yield open_tab
    for context in contexts:
        context.close()


@pytest.mark.parametrize("topic", PAGES, ids=lambda topic: topic.address)
def test_a_page_comes_without_moving(
    topic: Topic, first_visit: Callable[[tuple[int, int]], Page], serve: Callable[[str], str]
) -> None:
    for size in (LAPTOP, PHONE):
        tab = first_visit(size)
        tab.goto(address(serve("app.py"), "" if topic is PAGES[0] else topic.address))
        if topic.address not in LISTS:
            drawn(tab)
        expect(tab.locator(".st-key-neighbours a").first).to_be_attached()
        settled(tab)
        tab.wait_for_function(
            "() => !document.querySelector('[data-testid=stMain] [data-testid=stSkeleton]')", polling=OFTEN
        )
        moved = tab.evaluate("() => window.moved")
        assert sum(value for value, _ in moved) < MOST, moved


def test_what_stands_below_a_picture_is_seen_when_the_picture_is(
    first_visit: Callable[[tuple[int, int]], Page], serve: Callable[[str], str]
) -> None:
    tab, held = first_visit(PHONE), list[Route]()
    tab.route("**/bridge/bridge.js", lambda route: held.append(route))
    tab.goto(address(serve("app.py")))
    below = widget(tab, "welcome-second-look").or_(tab.locator(".st-key-neighbours")).first
    expect(below).to_be_attached()
    settled(tab)
    assert looked_until(tab, lambda: held, bool) and below.evaluate(SEEN) == "hidden"
    expect(tab.get_by_role("heading", level=1)).to_be_visible()
    held[0].continue_()
    drawn(tab)
    expect(below).to_have_css("visibility", "visible")


def test_where_a_picture_does_not_come_the_rest_is_seen(
    first_visit: Callable[[tuple[int, int]], Page], serve: Callable[[str], str]
) -> None:
    tab = first_visit(PHONE)
    tab.route("**/bridge/bridge.js", lambda route: route.abort())
    tab.goto(address(serve("app.py")))
    expect(tab.get_by_text("This picture could not be loaded")).to_be_visible()
    expect(tab.locator(".st-key-neighbours")).to_have_css("visibility", "visible")
