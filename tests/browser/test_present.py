"""Present in a real browser: its keys, its QR code, and what stays on the screen."""

from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.browser.driver import location, query, settled, widget

Open = Callable[..., Page]
PHONE = 390


def presented(tab: Page) -> Page:
    """The same tab, presenting."""
    widget(tab, "present").locator("label").first.click()
    expect(widget(tab, "presenter").locator(".keys")).to_be_visible()
    settled(tab)
    return tab


def name_of(tab: Page) -> str:
    return urlsplit(location(tab)).path.rsplit("/", 1)[-1]


def press(tab: Page, key: str) -> None:
    """A key while nothing has the focus, as a clicker sends it."""
    tab.evaluate("() => document.activeElement?.blur()")
    tab.keyboard.press(key)
    settled(tab)


def on_page(tab: Page, name: str) -> None:
    tab.wait_for_function("(name) => location.pathname.endsWith('/' + name)", arg=name)
    settled(tab)


def test_the_text_the_menu_and_the_tools_stay(visit: Open) -> None:
    tab = presented(visit("heads"))
    for part in (widget(tab, "t").locator("input"), tab.get_by_test_id("stTopNav"), widget(tab, "tools")):
        expect(part).to_be_in_viewport()
    assert tab.evaluate("""() => [...document.querySelectorAll("[data-testid=stMain] *")].every(
        (each) => !each.matches('[class*="st-key-"]') || getComputedStyle(each).opacity === "1")""")
    assert "present" not in location(tab)


def test_a_clicker_goes_through_the_steps_and_on_to_the_next_page(visit: Open) -> None:
    tab = presented(visit("self-attention"))
    steps = widget(tab, "self-attention-step").get_by_role("radio")
    press(tab, "PageDown")
    expect(steps.nth(1)).to_have_attribute("aria-checked", "true")
    press(tab, "PageUp")
    expect(steps.nth(0)).to_have_attribute("aria-checked", "true")
    steps.last.click()
    settled(tab)
    press(tab, "PageDown")
    on_page(tab, "heads")
    expect(widget(tab, "presenter").locator(".keys")).to_be_visible()
    press(tab, "ArrowLeft")
    on_page(tab, "self-attention")


def test_an_arrow_steps_through_a_text_that_is_written(visit: Open) -> None:
    tab = presented(visit("generate"))
    written = widget(tab, "generate-player").locator("input").first
    before = int(written.input_value())
    press(tab, "ArrowRight")
    expect(written).to_have_value(str(before + 1))
    press(tab, "ArrowLeft")
    expect(written).to_have_value(str(before))
    press(tab, "PageUp")
    on_page(tab, "heads")


def test_keys_are_left_to_whoever_types_or_walks_over_a_picture(visit: Open) -> None:
    tab = presented(visit("heads", heads_view="Q, K, V"))
    box = widget(tab, "t").locator("input")
    box.click()
    for key in ("q", "ArrowRight", "PageDown", "Escape"):
        box.press(key)
    cells = tab.locator(".stage").first
    cells.focus()
    for key in ("ArrowRight", "PageDown"):
        cells.press(key)
    pill = widget(tab, "heads-view").get_by_role("radio").first
    pill.focus()
    pill.press("ArrowRight")
    settled(tab)
    assert name_of(tab) == "heads" and tab.locator("dialog").count() == 0
    expect(widget(tab, "presenter").locator(".keys")).to_be_visible()


def test_escape_leaves_and_then_no_key_acts(visit: Open) -> None:
    tab = presented(visit("heads"))
    press(tab, "Escape")
    expect(widget(tab, "presenter").locator(".keys")).to_be_hidden()
    press(tab, "PageDown")
    press(tab, "q")
    assert name_of(tab) == "heads" and tab.locator("dialog").count() == 0


def test_q_fills_the_screen_and_says_why_this_server_has_no_code(visit: Open) -> None:
    tab = presented(visit("heads", t="the cat sat"))
    press(tab, "q")
    screen = widget(tab, "presenter").locator("dialog")
    expect(screen).to_be_visible()
    box = screen.bounding_box()
    assert box and (box["width"], box["height"]) == (1280, 900)
    expect(screen).to_contain_text("this server answers on this computer alone")
    expect(screen).to_contain_text("t=the+cat+sat")
    press(tab, "PageDown")
    expect(screen).to_be_hidden()
    assert name_of(tab) == "heads", "the key closed the code and did nothing else"


def test_an_old_address_that_presents_harms_no_phone(visit: Open) -> None:
    tab = visit("heads", width=PHONE, present="true")
    expect(widget(tab, "t").locator("input")).to_be_visible()
    expect(tab.get_by_test_id("stHeader")).to_be_visible()
    expect(tab.get_by_test_id("stAlert")).to_have_count(0)
    assert "present" not in query(tab)
    press(tab, "PageDown")
    assert name_of(tab) == "heads"


def test_a_picture_that_was_too_high_for_a_moment_grows_back(visit: Open) -> None:
    tab = presented(visit("journey"))
    zoom = "Number(document.querySelector('.st-key-main-picture').style.zoom)"
    tab.wait_for_function(f"() => {zoom} > 1")
    tab.evaluate("""() => document.querySelector('.st-key-main-picture').append(
        Object.assign(document.createElement('div'), { id: 'tall', style: 'height: 3000px' }))""")
    tab.wait_for_function(f"() => {zoom} < 0.5")
    tab.evaluate("() => document.querySelector('#tall').remove()")
    tab.wait_for_function(f"() => {zoom} > 1")
