"""The page Generate in a real browser: playing, pausing, stepping and branching, by mouse and by keyboard."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.driver import address, drawn, location, pill, settled, widget

Open = Callable[..., Page]


def count(tab: Page) -> int:
    return int(widget(tab, "gn").locator("input").input_value())


def grown(tab: Page, most: int) -> None:
    tab.wait_for_function("(n) => +document.querySelector('.st-key-gn input').value >= n", arg=most, timeout=20_000)


def tokens(tab: Page) -> list[str]:
    return widget(tab, "generate-text").get_by_role("button").all_inner_texts()


def button(tab: Page, name: str) -> None:
    tab.get_by_role("button", name=name, exact=True).click()
    settled(tab)


def test_a_text_plays_until_it_is_paused_and_the_address_reopens_it(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "generate", gn=2))
    button(tab, "Play")
    grown(tab, 6)
    tab.get_by_role("button", name="Pause").click()
    expect(tab.get_by_role("button", name="Play", exact=True)).to_be_visible()
    settled(tab)
    stopped = count(tab)
    tab.wait_for_timeout(1200)
    assert count(tab) == stopped
    tab.wait_for_function("(n) => location.search.includes('gn=' + n)", arg=stopped)
    again = page(location(tab))
    drawn(again)
    expect(widget(again, "generate-text").get_by_role("button")).to_have_text(tokens(tab))
    assert count(again) == stopped


def test_steps_and_branches_by_keyboard(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "generate", gn=3))
    drawn(tab)
    step = tab.get_by_role("button", name="Step", exact=True)
    step.focus()
    tab.keyboard.press("Enter")
    grown(tab, 4)
    text = widget(tab, "generate-text").get_by_role("button")
    text.nth(text.count() - 3).focus()
    tab.keyboard.press("Enter")
    tab.wait_for_function("() => location.search.includes('gat=1')")
    candidate = widget(tab, "generate-candidates").get_by_role("button").nth(3)
    candidate.focus()
    tab.keyboard.press("Enter")
    tab.wait_for_function("() => location.search.includes('gforce=1')")
    settled(tab)
    assert count(tab) == 2


def test_every_view_is_drawn(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "generate", gn=6), width=360, dark=True)
    for view in ("along the text", "layers", "attention", "mask", "stages"):
        pill(tab, "gview", view).click()
        settled(tab)
        drawn(tab)
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
