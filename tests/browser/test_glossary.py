"""Terms in the prose of a page: pointed at, focused, touched, and opened in the glossary."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from core.lessons.glossary import BY_NAME
from tests.browser.driver import in_address, location, settled, widget

PAGE = "scaling"
Visit = Callable[..., Page]


def term(tab: Page, name: str) -> Locator:
    return tab.locator(f'a[href*="glossary-term={name}"]').first


def opened(visit: Visit, **options: Any) -> Page:
    """The page, as soon as it listens to what its terms are told."""
    tab = visit(scaling_view="entropy", **options)
    tab.wait_for_function("() => window.attentionExplorerTerms")
    return tab


def test_a_term_explains_itself_to_mouse_and_keyboard_and_leads_to_the_glossary(visit: Visit) -> None:
    tab = opened(visit, dark=True)
    tip = tab.locator("#term-tip")
    term(tab, "entropy").hover()
    expect(tip).to_be_visible()
    expect(tip).to_contain_text(BY_NAME["entropy"].text)
    tip.hover()
    tab.mouse.move(2, 2)
    expect(tip).to_be_hidden()
    term(tab, "scaling").focus()
    expect(tip).to_contain_text("Dividing each score")
    expect(term(tab, "scaling")).to_have_attribute("aria-describedby", "term-tip")
    tab.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    tab.keyboard.press("Enter")
    expect(widget(tab, "glossary-map").locator("h2")).to_have_text("scaling")
    in_address(tab, "/glossary?", "model=random")
    tab.wait_for_function("() => !location.search.includes('scaling-view')")
    settled(tab)
    widget(tab, "glossary-map").get_by_role("button", name="softmax", exact=True).first.click()
    expect(widget(tab, "glossary-map").locator("h2")).to_have_text("softmax")
    tab.wait_for_function("() => location.href.includes('glossary-term=softmax')")


def test_a_tap_shows_the_words_and_a_second_one_leads_on(visit: Visit) -> None:
    tab = opened(visit, touch=True, width=390)
    tip = tab.locator("#term-tip")
    term(tab, "scaling").tap()
    expect(tip).to_contain_text("Dividing each score")
    assert "/scaling" in location(tab)
    tip.get_by_role("link").tap()
    expect(widget(tab, "glossary-map").locator("h2")).to_have_text("scaling")
