"""What a browser keeps after a visit, a lesson and a class: nothing but what the page Sources lists."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from core.sources.visitors import KEPT
from tests.browser.driver import address, settled, widget
from tests.browser.test_class import DEMO, LAPTOP, PHONE, Open, tabs_of

__all__ = ["tabs_of"]

COOKIES = {name for each in KEPT if "cookie" in each.where for name in each.browser_names}
STORED = {name for each in KEPT if "storage" in each.where for name in each.browser_names}
ELSEWHERE = """async () => [sessionStorage.length, window.name, (await indexedDB.databases()).length,
  (await caches.keys()).length, (await navigator.serviceWorker.getRegistrations()).length]"""
NOTHING = [0, "", 0, 0, 0]


def kept(tab: Page) -> tuple[set[str], set[str]]:
    """How the names of all cookies and stored entries begin; a name that is not listed stands whole."""
    cookies = [cookie.get("name", "") for cookie in tab.context.cookies(tab.url)]
    stored = tab.evaluate("() => Object.keys(localStorage)")
    assert tab.evaluate(ELSEWHERE) == NOTHING
    beginnings = (
        {next((start for start in known if name.startswith(start)), name) for name in names}
        for names, known in ((cookies, COOKIES), (stored, STORED))
    )
    first, second = beginnings
    return first, second


def test_a_visit_and_a_lesson(page: Callable[..., Page], serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "circuits", lesson="who-wrote-this-word"), new=True)
    tab.get_by_text("All feed-forward layers").first.click()
    settled(tab)
    tab.get_by_role("button", name="Answer").click()
    expect(tab.get_by_text("The next token is")).to_be_visible()
    tab.wait_for_function("() => 'attention-explorer-lessons' in localStorage")
    cookies, stored = kept(tab)
    assert cookies <= {"_streamlit_xsrf"}
    assert "attention-explorer-lessons" in stored <= STORED
    assert widget(tab, "t").locator("input").input_value() not in str(tab.context.cookies())


def test_a_class(serve: Callable[[str], str], tabs_of: Open) -> None:
    url = serve(DEMO)
    teacher = tabs_of(f"{url}/class/teach", LAPTOP)
    teacher.get_by_role("button", name="Open the class").click()
    code = teacher.locator(".letters").inner_text()
    phone = tabs_of(f"{url}/class/{code}", PHONE)
    phone.wait_for_function("() => Object.keys(localStorage).length")
    assert kept(teacher) == ({"class-"}, set())
    assert kept(phone) == (set(), {"class:"})
    (cookie,) = teacher.context.cookies(url)
    assert cookie.get("httpOnly") and cookie.get("sameSite") == "Strict"
