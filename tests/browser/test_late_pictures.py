"""What stands below a picture is hidden until the picture is there, so that nothing is seen to move."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.driver import WAIT, address, drawn, looked_until, settled, widget
from tests.browser.layout_shift import moved_too_far
from tests.browser.tabs import TRAFFIC
from tests.browser.test_first_screen import PHONE

SEEN = "(element) => getComputedStyle(element).visibility"


@pytest.fixture
def new_tab(chromium: Browser) -> Iterator[Page]:
    """A tab of a phone's size with nothing in its cache."""
    context = chromium.new_context(viewport={"width": PHONE[0], "height": PHONE[1]})
    context.add_init_script(TRAFFIC)
    tab = context.new_page()
    tab.set_default_timeout(WAIT)
    yield tab
    context.close()


def test_what_stands_below_a_picture_is_seen_when_the_picture_is(new_tab: Page, serve: Callable[[str], str]) -> None:
    tab, held = new_tab, list[Route]()
    tab.route("**/bridge/bridge.js", lambda route: held.append(route))
    tab.goto(address(serve("app.py")))
    below = widget(tab, "welcome-second-look").or_(tab.locator(".st-key-neighbours")).first
    expect(below).to_be_attached()
    assert looked_until(tab, lambda: held, bool) and below.evaluate(SEEN) == "hidden"
    expect(tab.get_by_role("heading", level=1)).to_be_visible()
    held[0].continue_()
    drawn(tab)
    expect(below).to_have_css("visibility", "visible")


def test_where_a_picture_does_not_come_the_rest_is_seen(new_tab: Page, serve: Callable[[str], str]) -> None:
    new_tab.route("**/bridge/bridge.js", lambda route: route.abort())
    new_tab.goto(address(serve("app.py")))
    expect(new_tab.get_by_text("This picture could not be loaded")).to_be_visible()
    expect(new_tab.locator(".st-key-neighbours")).to_have_css("visibility", "visible")


def test_a_second_page_of_a_tab_is_seen_as_soon_as_it_is_complete(new_tab: Page, serve: Callable[[str], str]) -> None:
    """The marks go in the moment in which the last part comes; a rule with :has() stayed for half a second more."""
    for page in ("masks", "translate", "masks", "translate"):
        new_tab.goto(address(serve("app.py"), page))
        settled(new_tab)
        assert new_tab.locator(".st-key-neighbours").evaluate(SEEN) == "visible"


@pytest.mark.parametrize("topic", ["lab", "masks", "depth"])  # many controls below, one beside, a long sentence above
def test_nothing_moves_when_a_slow_picture_comes(
    topic: str, page: Callable[..., Page], serve: Callable[[str], str]
) -> None:
    slow = serve("tests/browser/apps/slow_views.py")
    tab = page(address(slow, topic), width=PHONE[0], height=PHONE[1], new=True)
    drawn(tab)
    assert moved_too_far(tab) == []
