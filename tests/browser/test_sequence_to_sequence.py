"""The page Sequence to sequence in a real browser: the alignment is forced by mouse and by keyboard."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.driver import address, drawn, location, settled, widget

Open = Callable[..., Page]
Serve = Callable[[str], str]
CAT = "The black cat sleeps on the red chair."


def forced(tab: Page) -> list[str]:
    return widget(tab, "sequence-to-sequence-after").locator(".token").all_inner_texts()


def test_the_alignment_is_forced_by_mouse_and_keyboard_and_the_link_reopens_it(page: Open, serve: Serve) -> None:
    asked = {"sequence_to_sequence_view": "force it", "sequence_to_sequence_redirected": 1}
    tab = page(address(serve("app.py"), "sequence-to-sequence", t=CAT, sequence_to_sequence_towards=2, **asked))
    drawn(tab)
    source, before = (widget(tab, f"sequence-to-sequence-{name}") for name in ("force-source", "before"))
    after = widget(tab, "sequence-to-sequence-after").locator(".token")
    expect(after.nth(1)).to_have_text("chat")
    source.get_by_text("chair", exact=True).click()
    expect(after.nth(1)).to_have_text("fauteuil")
    settled(tab)
    before.locator(".token").nth(1).press("Home")
    before.locator(".token").first.press("Enter")
    expect(before.locator(".token").first).to_have_attribute("aria-pressed", "true")
    expect(after.first).to_have_text("La")
    tab.wait_for_function("() => location.search.includes('sequence-to-sequence-redirected=0')")
    settled(tab)
    again = page(location(tab))
    drawn(again)
    assert forced(again) == forced(tab)
