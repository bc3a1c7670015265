"""The page Generate in a real browser: playing, pausing, stepping and branching, by mouse and by keyboard."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.driver import address, drawn, in_address, location, looked_until, pill, settled, widget

Open = Callable[..., Page]
Serve = Callable[[str], str]


def count(tab: Page) -> int:
    return int(widget(tab, "generate-tokens").locator("input").input_value())


def counted(tab: Page, number: int) -> None:
    expect(widget(tab, "generate-tokens").locator("input")).to_have_value(str(number))


def grown(tab: Page, most: int) -> None:
    tab.wait_for_function("(n) => +document.querySelector('.st-key-generate-tokens input')?.value >= n", arg=most)


def written(tab: Page) -> Locator:
    return widget(tab, "generate-text").get_by_role("button")


def button(tab: Page, name: str) -> Locator:
    return tab.get_by_role("button", name=name, exact=True)


def test_a_text_plays_until_it_is_paused_and_the_address_reopens_it(page: Open, serve: Serve) -> None:
    tab = page(address(serve("app.py"), "generate", generate_tokens=2))
    button(tab, "Play").click()
    grown(tab, 6)
    button(tab, "Pause").click()
    expect(button(tab, "Play")).to_be_visible()
    settled(tab)
    stopped = looked_until(tab, lambda: count(tab), lambda number: number == written(tab).count())
    expect(written(tab)).to_have_count(stopped)
    tab.wait_for_timeout(1000)
    assert count(tab) == stopped
    in_address(tab, f"generate-tokens={stopped}")
    again = page(location(tab))
    expect(written(again)).to_have_text(written(tab).all_inner_texts())
    counted(again, stopped)


def test_playing_keeps_the_focus_and_moves_nothing(page: Open, serve: Serve) -> None:
    tab = page(address(serve("app.py"), "generate", generate_tokens=2, generate_view="along the text"))
    drawn(tab)
    tab.wait_for_function("() => document.fonts.status === 'loaded'")
    settled(tab)
    view = widget(tab, "generate-view")
    top = view.bounding_box()
    play = button(tab, "Play")
    play.focus()
    tab.keyboard.press("Enter")
    grown(tab, 8)
    assert view.bounding_box() == top
    assert tab.evaluate("document.activeElement.innerText").endswith("Pause")
    tab.keyboard.press("Enter")
    expect(button(tab, "Play")).to_be_visible()


def test_a_slow_click_on_a_token_counts_while_the_text_plays(page: Open, serve: Serve) -> None:
    tab = page(address(serve("app.py"), "generate", generate_tokens=2, generate_view="along the text"))
    button(tab, "Play").click()
    grown(tab, 4)
    written(tab).first.hover()
    tab.mouse.down()
    tab.wait_for_timeout(400)
    tab.mouse.up()
    in_address(tab, "generate-looked=0")
    expect(written(tab).first).to_have_attribute("aria-pressed", "true")
    grown(tab, 5)
    pill(tab, "generate-view", "next word").click()
    expect(tab.get_by_text("Pause to choose one.")).to_be_visible()
    button(tab, "Pause").click()
    expect(tab.get_by_text("it is written as token 0")).to_be_visible()


def test_a_click_at_any_moment_counts_while_the_text_plays(page: Open, serve: Serve) -> None:
    tab = page(address(serve("app.py"), "generate", generate_tokens=3, generate_view="along the text"))
    button(tab, "Play").click()
    grown(tab, 4)
    for number, wait in enumerate((0, 60, 120, 180, 240, 300)):
        tab.wait_for_timeout(wait)
        written(tab).nth(number % 3).click()
        in_address(tab, f"generate-looked={number % 3}")


# Touches the page as soon as its script is in a state, and tells how many milliseconds later the next tick comes.
TOUCHED = """(state) => new Promise((tell) => {
  const app = document.querySelector("[data-test-script-state]");
  const touch = () => {
    if (app.dataset.testScriptState !== state) return;
    watch.disconnect();
    setTimeout(press); // as a visitor's touch, once all that watch the page have heard of its state
  };
  const press = () => {
    const [began, { send }] = [performance.now(), WebSocket.prototype];
    WebSocket.prototype.send = function (...parts) {
      WebSocket.prototype.send = send;
      tell(performance.now() - began);
      return send.apply(this, parts);
    };
    document.querySelector("h1").dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  };
  const watch = new MutationObserver(touch);
  watch.observe(app, { attributeFilter: ["data-test-script-state"] });
})"""


# Which of a chart’s marks is the guess of this layer after this token.
GUESS = """(marks, [layer, token]) => marks.findIndex(
  ({ __data__: { datum } }) => String(datum.layer) === layer && datum.token === token)"""


@pytest.mark.parametrize("state", ["running", "notRunning"])  # before and after the page is drawn anew
def test_the_clock_waits_for_the_run_that_a_touch_may_cause(page: Open, serve: Serve, state: str) -> None:
    tab = page(address(serve("app.py"), "generate", generate_tokens=3, generate_view="along the text"))
    button(tab, "Play").click()
    grown(tab, 5)
    assert tab.evaluate(TOUCHED, state) >= 900
    grown(tab, count(tab) + 1)


def test_step_and_back_by_mouse_and_a_bar_opens_its_token(page: Open, serve: Serve) -> None:
    tab = page(address(serve("app.py"), "generate", generate_tokens=4, generate_view="along the text"))
    button(tab, "Step").click()
    counted(tab, 5)
    expect(written(tab)).to_have_count(5)
    for left in (4, 3):
        button(tab, "Back").click()
        counted(tab, left)
    settled(tab)
    drawn(tab)
    widget(tab, "generate-along").locator(".mark-rect path").nth(1).click()
    in_address(tab, "generate-looked=1")
    expect(written(tab).nth(1)).to_have_attribute("aria-pressed", "true")
    pill(tab, "generate-view", "layer by layer").click()
    lens = widget(tab, "generate-lens")
    lens.locator(".mark-text text").nth(0).wait_for()
    settled(tab)
    marks = lens.locator(".mark-text text")
    marks.nth(marks.evaluate_all(GUESS, ["2", "17:girl"])).click()
    in_address(tab, "generate-looked=0")
    expect(written(tab).first).to_have_attribute("aria-pressed", "true")


def test_a_candidate_that_is_clicked_is_written_and_the_address_keeps_the_branch(page: Open, serve: Serve) -> None:
    tab = page(address(serve("app.py"), "generate", generate_tokens=6))
    written(tab).nth(2).click()
    expect(tab.get_by_text("it is written as token 2")).to_be_visible()
    settled(tab)
    other = widget(tab, "generate-candidates").get_by_role("button").nth(4)
    piece = other.locator(".piece").inner_text()
    other.click()
    in_address(tab, "generate-branches=2:")
    expect(written(tab)).to_have_count(3)
    expect(written(tab).last).to_have_text(piece)
    button(tab, "Step").click()
    counted(tab, 4)
    expect(written(tab)).to_have_count(4)
    in_address(tab, "generate-tokens=4")
    again = page(location(tab))
    expect(written(again)).to_have_text(written(tab).all_inner_texts())


def test_steps_and_branches_by_keyboard(page: Open, serve: Serve) -> None:
    tab = page(address(serve("app.py"), "generate", generate_tokens=3))
    drawn(tab)
    button(tab, "Step").focus()
    tab.keyboard.press("Enter")
    counted(tab, 4)
    expect(written(tab)).to_have_count(4)
    written(tab).last.focus()
    tab.keyboard.press("Home")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")
    in_address(tab, "generate-looked=1")
    expect(tab.get_by_text("it is written as token 1")).to_be_visible()
    settled(tab)
    rows = widget(tab, "generate-candidates").get_by_role("button")
    rows.first.focus()
    for _ in range(3):
        tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    in_address(tab, "generate-branches=1:")
    counted(tab, 2)


def test_more_tokens_than_there_is_room_for_are_refused_with_a_sentence(page: Open, serve: Serve) -> None:
    tab = page(address(serve("app.py"), "generate", t="cat " * 224 + "cat", generate_tokens=150))
    expect(tab.get_by_text("Tokens written cannot be “150” here")).to_be_visible()
    counted(tab, 32)
    expect(written(tab)).to_have_count(32)
    in_address(tab, "generate-tokens=32")
