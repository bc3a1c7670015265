"""The lab in a real browser: a model learns while one looks, and a step of its run opens on another page."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.driver import address, drawn, go_to, in_address, looked_until

Open = Callable[..., Page]
Serve = Callable[[str], str]
LONG = 90_000  # milliseconds; half a minute is meant, on a machine that others do not use
RIGHT, ROWS = "✓", 8


def answers(tab: Page) -> list[str]:
    """The marks beside the answers, as a screen reader is told them."""
    cells = tab.get_by_test_id("stDataFrame").first.locator("[role=gridcell]").all_text_contents()
    return [cell for cell in cells if cell in (RIGHT, "✗")]


def test_a_model_learns_to_sort_while_one_looks_and_opens_on_heads(page: Open, serve: Serve) -> None:
    url = serve("app.py")
    tab = page(address(url, "lab"))
    drawn(tab)
    expect(tab.get_by_text("Nothing has been learned yet: press Play.")).to_be_visible()
    assert looked_until(tab, lambda: answers(tab), lambda now: len(now) == ROWS).count(RIGHT) == 0
    tab.get_by_role("button", name="Play", exact=True).click()
    expect(tab.get_by_text(re.compile(r"Learned: at step \d+"))).to_be_visible(timeout=LONG)
    looked_until(tab, lambda: answers(tab), lambda now: now.count(RIGHT) >= ROWS - 1)
    assert len(answers(tab)) == ROWS and answers(tab).count(RIGHT) >= ROWS - 1
    go_to(tab, address(url, "heads", model="lab:sort@100"))
    drawn(tab)
    expect(tab.get_by_role("button", name="Sort six digits, step 100", exact=True)).to_be_visible()
    slider = tab.get_by_role("slider", name="Step of the training")
    expect(slider).to_have_attribute("aria-valuetext", "100")
    slider.press("ArrowLeft")
    in_address(tab, "model=lab:sort@")
    expect(tab.get_by_role("button", name="Sort six digits, step 100", exact=True)).to_be_hidden()


HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {configurable: true, get: () => hidden});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_hidden_tab_pauses_and_goes_on_when_it_is_seen_again(page: Open, serve: Serve) -> None:
    tab = page(address(serve("app.py"), "lab", **{"lab-task": "induction", "lab-seed": "5"}))
    drawn(tab)
    step = tab.get_by_label("Step", exact=True)
    tab.get_by_role("button", name="Play", exact=True).click()
    looked_until(tab, lambda: int(step.input_value()), lambda now: now > 20)
    tab.evaluate(HIDE, True)
    tab.wait_for_timeout(3000)  # the drawing that was under way
    paused = step.input_value()
    tab.wait_for_timeout(3000)
    assert step.input_value() == paused
    tab.evaluate(HIDE, False)
    looked_until(tab, lambda: int(step.input_value()), lambda now: now > int(paused))
