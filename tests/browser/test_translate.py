"""The page Translate in a real browser, by mouse and by keyboard."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.driver import address, location, pill, settled, widget

Open = Callable[..., Page]
CAT = "The black cat sleeps on the red chair."


def texts(tab: Page, key: str) -> list[str]:
    return widget(tab, key).locator(".token").all_inner_texts()


def test_a_deep_link_brings_the_translator(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "translate", t=CAT))
    expect(widget(tab, "model-card")).to_contain_text("Translator, English to French")
    expect(widget(tab, "translate-text").locator(".token").first).to_have_text("Le")


def test_play_writes_to_the_end_and_back_takes_one_away(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "translate", t=CAT, **{"translate-tokens": 0}))
    tab.get_by_role("button", name="Play").click()
    expect(widget(tab, "translate-text").locator(".token").last).to_have_text("(end)", timeout=60_000)
    expect(tab.get_by_role("button", name="Play again")).to_be_visible()
    before = len(texts(tab, "translate-text"))
    tab.get_by_role("button", name="Back").click()
    expect(widget(tab, "translate-text").locator(".token")).to_have_count(before - 1)
    tab.wait_for_function(f"() => location.search.includes('translate-tokens={before - 1}')")


def test_pause_stops_at_once_and_keeps_the_text(page: Open, serve: Callable[[str], str]) -> None:
    long = "The black cat sleeps on the red chair and the white dog plays with a big ball in the green garden."
    tab = page(address(serve("app.py"), "translate", t=long, **{"translate-tokens": 0}))
    tab.get_by_role("button", name="Play").click()
    expect(widget(tab, "translate-text").locator(".token").first).to_be_visible()
    tab.get_by_role("button", name="Pause").click()
    expect(tab.get_by_role("button", name="Play")).to_be_visible()
    settled(tab)
    have = texts(tab, "translate-text")
    tab.wait_for_timeout(1200)
    assert texts(tab, "translate-text") == have and 0 < len(have) < 20 and have[-1] != "(end)"


def test_a_token_is_looked_at_with_the_keyboard(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "translate", t=CAT, **{"translate-tokens": 5}))
    line = widget(tab, "translate-text")
    line.locator(".token").last.focus()
    tab.keyboard.press("Home")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")
    expect(line.locator(".token").nth(1)).to_have_attribute("aria-pressed", "true")
    expect(tab.get_by_text("The ten likeliest at this place")).to_be_visible()
    tab.wait_for_function("() => location.search.includes('translate-looked-at=1')")


def test_attention_is_forced_by_two_clicks_and_the_link_reopens_it(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(
        address(
            serve("app.py"),
            "translate",
            t=CAT,
            **{"translate-view": "force it", "translate-source-token": 0},
        )
    )
    widget(tab, "translate-before").locator(".token").nth(1).click()
    tab.wait_for_function("() => location.search.includes('translate-target-token=1')")
    settled(tab)
    widget(tab, "translate-force-source").get_by_text("chair", exact=True).click()
    expect(widget(tab, "translate-after").get_by_text("fauteuil", exact=True)).to_be_visible()
    settled(tab)
    tab.wait_for_function("() => !location.search.includes('translate-source-token=0')")
    again = page(location(tab))
    expect(widget(again, "translate-after").get_by_text("fauteuil", exact=True)).to_be_visible()


def test_step_and_back_by_keyboard(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "translate", t=CAT, **{"translate-tokens": 2}))
    for name, count in (("Step", 3), ("Step", 4), ("Back", 3)):
        tab.get_by_role("button", name=name, exact=True).focus()
        tab.keyboard.press("Enter")
        expect(widget(tab, "translate-text").locator(".token")).to_have_count(count)
        settled(tab)
    expect(widget(tab, "translate-text").locator(".token").last).to_have_text("noir")


def test_attention_is_forced_by_keyboard(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(
        address(
            serve("app.py"),
            "translate",
            t=CAT,
            **{"translate-view": "force it", "translate-target-token": 0, "translate-source-token": 7},
        )
    )
    for key, there in (
        ("translate-before", "translate-target-token=1"),
        ("translate-force-source", "translate-source-token=8"),
    ):
        widget(tab, key).locator("button[aria-pressed=true]").focus()
        tab.keyboard.press("ArrowRight")
        tab.keyboard.press("Enter")
        tab.wait_for_function("(key) => location.search.includes(key)", arg=there)
        settled(tab)
    expect(widget(tab, "translate-after").get_by_text("fauteuil", exact=True)).to_be_visible()


def test_a_text_that_plays_rests_when_another_view_is_picked(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "translate", t=CAT, **{"translate-tokens": 0}))
    tab.get_by_role("button", name="Play").click()
    expect(widget(tab, "translate-text").locator(".token").first).to_be_visible()
    pill(tab, "translate-view", "ways to write").click()
    expect(tab.get_by_text("bits of surprise").first).to_be_visible()
    tab.wait_for_timeout(600)
    settled(tab)
    pill(tab, "translate-view", "step by step").click()
    expect(tab.get_by_role("button", name="Play")).to_be_visible()
