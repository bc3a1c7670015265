"""Terms in the prose of a page: pointed at, focused, opened as a card, and followed with model and text kept."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from core.lessons.glossary import BY_NAME
from tests.browser.driver import address, in_address, location, query, settled, widget

PAGE, TEXT = "scaling", "the cat sat down"
Visit = Callable[..., Page]


def term(tab: Page, name: str) -> Locator:
    return tab.locator(f'a[href*="glossary-term={name}"]').first


def opened(visit: Visit, **options: Any) -> Page:
    """The page, as soon as it listens to what its terms are told."""
    tab = visit(scaling_view="entropy", t=TEXT, **options)
    tab.wait_for_function("() => window.attentionExplorerTerms")
    return tab


def test_a_term_explains_itself_to_mouse_and_keyboard_and_leads_to_the_glossary(visit: Visit) -> None:
    tab = opened(visit, dark=True)
    card = tab.locator("#term-tip")
    term(tab, "entropy").hover()
    expect(card).to_be_visible()
    expect(card).to_contain_text(BY_NAME["entropy"].text)
    card.hover()
    tab.mouse.move(2, 2)
    expect(card).to_be_hidden()
    term(tab, "scaling").focus()
    expect(card).to_contain_text("Dividing each score")
    expect(term(tab, "scaling")).to_have_attribute("aria-describedby", "term-words")
    tab.keyboard.press("Enter")
    expect(card).to_be_focused()
    expect(card).to_have_role("dialog")
    expect(card.locator("math")).to_have_count(len(BY_NAME["scaling"].formula.split(r"\qquad")))
    tab.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(term(tab, "scaling")).to_be_focused()
    term(tab, "entropy").click()
    here = query(tab)
    seen = card.get_by_role("link", name="See it here: Generate").get_attribute("href") or ""
    assert all(part in seen for part in ("generate-view=along+the+text", "model=random+weights", "t=the+cat+sat+down"))
    assert PAGE in location(tab) and query(tab) == here
    card.get_by_role("link", name="More in the glossary").click()
    expect(widget(tab, "glossary-map").locator("h2")).to_have_text("entropy")
    in_address(tab, "/glossary?", "model=random", TEXT.replace(" ", "+"))
    tab.wait_for_function("() => !/same-run|scaling-view/.test(location.search)")
    settled(tab)
    widget(tab, "glossary-map").get_by_role("button", name="softmax", exact=True).first.click()
    expect(widget(tab, "glossary-map").locator("h2")).to_have_text("softmax")
    tab.wait_for_function("() => location.href.includes('glossary-term=softmax')")
    widget(tab, "neighbours").get_by_role("link").click()
    in_address(tab, "/scaling?", "model=random", TEXT.replace(" ", "+"))


def test_a_tap_opens_the_card_whose_links_keep_model_and_text(page: Visit, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py")), has_touch=True, width=390)
    tab.wait_for_function("() => window.attentionExplorerTerms")
    text = widget(tab, "t").locator("input").input_value()
    term(tab, "attention").tap()
    card = tab.locator("#term-tip")
    expect(card).to_contain_text(BY_NAME["attention"].text.split("**")[0])
    card.get_by_role("link", name="More in the glossary").tap()
    expect(widget(tab, "glossary-map").locator("h2")).to_have_text("attention")
    expect(widget(tab, "t").locator("input")).to_have_value(text)
    expect(widget(tab, "model-card")).to_contain_text("Translator")
    widget(tab, "views").get_by_role("radio", name="A to Z").tap()
    widget(tab, "glossary-list").get_by_role("button", name="ablation", exact=True).tap()
    expect(card).to_contain_text("Switching a part off")
    assert query(tab)["glossary-view"] == "A to Z"
