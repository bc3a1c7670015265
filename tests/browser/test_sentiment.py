"""The page Sentiment in a real browser: the verdict follows the typing, and a word is left out by click and by key."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.driver import address, drawn, settled, widget

Open = Callable[..., Page]
Serve = Callable[[str], str]
HOSTILE = "<img src=x onerror=alert(1)> **good** $x$ `film`"


def test_the_verdict_changes_word_by_word_while_a_sentence_is_typed(page: Open, serve: Serve) -> None:
    tab = page(address(serve("app.py"), "sentiment", model="sentiment", t="a wonderful film"))
    drawn(tab)
    tokens, verdict = widget(tab, "sentiment-words").locator(".token"), tab.get_by_role("heading", level=3)
    expect(verdict).to_contain_text("positive")
    before = verdict.inner_text()
    box = widget(tab, "t").locator("input")
    box.press("End")
    for count, word in enumerate(("with", "an", "awful", "tedious", "script"), start=4):
        box.press_sequentially(f" {word}")
        expect(tokens).to_have_count(count)
        expect(tokens.last).to_contain_text(word)
    expect(verdict).to_contain_text("negative")
    assert verdict.inner_text() != before
    expect(box).to_be_focused()


def test_a_word_is_left_out_by_mouse_and_comes_back_by_key(page: Open, serve: Serve) -> None:
    tab = page(address(serve("app.py"), "sentiment", t=HOSTILE, sentiment_view="why"))
    drawn(tab)
    tokens = widget(tab, "sentiment-line").locator(".token")
    tokens.nth(1).click()
    expect(widget(tab, "sentiment-line").locator(".token.struck")).to_have_count(1)
    settled(tab)
    tokens.nth(1).press("Enter")
    expect(widget(tab, "sentiment-line").locator(".token.struck")).to_have_count(0)
    settled(tab)
    assert tab.get_by_test_id("stException").count() == 0
