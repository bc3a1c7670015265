"""The menu of the pages on a phone: it shows every page, and never covers the page that it has opened."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import address, settled, widget
from tests.pages.house import PAGES

MENU = "[data-testid=stSidebar][data-collapsed=false]"
Open = Callable[..., Page]


@pytest.fixture
def phone(page: Open, serve: Callable[[str], str]) -> Page:
    """A phone with the menu open over the page Positions."""
    tab = page(address(serve("app.py"), "positions"), width=390, height=844, has_touch=True, is_mobile=True)
    tab.wait_for_function("() => window.attentionExplorerAddress")
    tab.get_by_test_id("stExpandSidebarButton").tap()
    expect(tab.locator(MENU)).to_be_visible()
    return tab


def test_every_page_stands_in_the_menu(phone: Page) -> None:
    names = phone.get_by_test_id("stSidebarNavLink").all_inner_texts()
    shown = [name.rpartition("\n")[2].rpartition(" · ")[2] for name in names]
    assert [title for title in shown if title in {page.title for page in PAGES}] == [page.title for page in PAGES]


def test_a_choice_closes_the_menu_and_a_reload_does_not_open_it(phone: Page) -> None:
    phone.get_by_test_id("stSidebarNavLink").filter(has_text="Heads").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("What does each head look at?")
    expect(phone.locator(MENU)).to_have_count(0)
    phone.reload()
    settled(phone)
    expect(phone.locator(MENU)).to_have_count(0)


def test_a_reload_closes_an_open_menu(phone: Page) -> None:
    phone.reload()
    settled(phone)
    expect(phone.locator(MENU)).to_have_count(0)


def test_escape_and_a_touch_beside_it_close_the_menu(phone: Page) -> None:
    phone.keyboard.press("Escape")
    expect(phone.locator(MENU)).to_have_count(0)
    phone.get_by_test_id("stExpandSidebarButton").tap()
    expect(phone.locator(MENU)).to_be_visible()
    phone.touchscreen.tap(370, 700)
    expect(phone.locator(MENU)).to_have_count(0)


def test_escape_closes_the_open_list_of_models_before_the_menu(phone: Page) -> None:
    box = phone.get_by_test_id("stSidebar").get_by_role("combobox").first
    box.scroll_into_view_if_needed()
    settled(phone)
    box.click()
    expect(phone.get_by_role("listbox")).to_be_visible()
    phone.keyboard.press("Escape")
    expect(phone.get_by_role("listbox")).to_have_count(0)
    expect(phone.locator(MENU)).to_be_visible()


def test_the_way_to_other_models_shows_the_settings_below_the_pages(phone: Page) -> None:
    phone.keyboard.press("Escape")
    expect(phone.locator(MENU)).to_have_count(0)
    widget(phone, "open-drawer").get_by_role("button").tap()
    expect(phone.get_by_test_id("stSidebar").get_by_role("combobox").first).to_be_in_viewport()
