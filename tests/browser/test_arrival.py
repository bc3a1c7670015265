"""Going from page to page: one entry in the browser's history, every setting kept, in the widgets and the address."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.driver import WAIT, address, drawn, enter, in_address, looked_until, pill, query, settled, widget
from tests.browser.tabs import TRAFFIC
from tests.pages.house import PAGES

TITLES = {
    11: "What happens to your sentence?",
    22: "What does each head look at?",
    33: "Why divide by the square root of d_k?",
}
BOXES = re.compile(r"/(TextInput|NumberInput|Selectbox)\.")  # scripts of Streamlit, which come when they are asked for
START = {"model": "random weights", "t": "one two three four", "d": 48, "layer": 3, "head": 2}


# Opens the section Attention as soon as it stands in the menu, and in it the page that is told, before that is drawn.
LEAVE_AT_ONCE = """const leaving = setInterval(() => {
  const all = (id) => [...document.querySelectorAll(`[data-testid=${id}]`)];
  const link = all("stTopNavDropdownLink").find((each) => each.textContent.includes("Scores and scaling"));
  if (link) {
    clearInterval(leaving);
    window.inputs = all("stSidebar")[0]?.querySelectorAll("input").length;
    link.click();
  } else if (!window.opened) {
    const section = all("stTopNavSection").find((each) => each.textContent.includes("Attention"));
    section?.click();
    window.opened = Boolean(section);
  }
}, 5);"""


def choose(tab: Page, section: str, title: str) -> None:
    tab.get_by_test_id("stHeader").get_by_text(section, exact=True).click()
    tab.get_by_role("menuitem", name=title).or_(tab.get_by_role("link", name=title)).first.click()


def expect_settings(tab: Page, **wanted: Any) -> None:
    """Layer and head in the pills; everything in the address."""
    for key in ("layer", "head"):
        expect(pill(tab, key, str(wanted[key]))).to_have_attribute("aria-checked", "true")
    expect_query(tab, {key.replace("_", "-"): str(value) for key, value in wanted.items()})


def expect_query(tab: Page, wanted: dict[str, str], milliseconds: float = 300) -> None:
    """The address says this, and goes on to for so long."""
    looked_until(tab, lambda: query(tab), lambda found: found == wanted)
    settled(tab)
    tab.wait_for_timeout(milliseconds)
    assert query(tab) == wanted


def entries(tab: Page) -> int:
    return int(tab.evaluate("() => history.length"))


@pytest.mark.parametrize("way", ["link", "menu"])
def test_a_change_of_page_is_one_step_of_the_history(way: str, visit: Callable[..., Page]) -> None:
    tab = visit(**START)
    before = entries(tab)
    if way == "link":
        tab.get_by_role("link", name="The scores, step by step").click()
        expect(pill(tab, "self_attention_step", "2 score")).to_have_attribute("aria-checked", "true")
        there = START | {"self_attention_step": "2 score"}
    else:
        choose(tab, "Attention", "Heads")
        expect(widget(tab, "heads-matrix")).to_be_visible()
        there = START
    expect_settings(tab, **there)
    assert entries(tab) == before + 1
    tab.go_back()
    expect(widget(tab, "journey_cards")).to_be_visible()
    expect_settings(tab, **START)
    tab.go_forward()
    expect(widget(tab, "journey_cards")).to_be_hidden()
    expect_settings(tab, **there)


def test_settings_changed_on_one_page_are_written_on_the_next(visit: Callable[..., Page]) -> None:
    tab = visit("self-attention", **START, self_attention_step="5 softmax")
    choose(tab, "Attention", "Heads")
    expect(widget(tab, "heads-matrix")).to_be_visible()
    expect_settings(tab, **START)
    pill(tab, "head", "4").click()
    choose(tab, "Start", "The journey")
    expect(widget(tab, "journey_cards")).to_be_visible()
    expect_settings(tab, **START | {"head": 4})
    pill(tab, "layer", "2").click()
    expect_settings(tab, **START | {"head": 4, "layer": 2})
    choose(tab, "Attention", "Self-attention")
    expect(pill(tab, "self_attention_step", "5 softmax")).to_have_attribute("aria-checked", "true")
    expect_settings(tab, **START | {"head": 4, "layer": 2, "self_attention_step": "5 softmax"})


def test_the_journey_goes_on_to_cross_attention(visit: Callable[..., Page]) -> None:
    tab = visit(**START, kind="encoder-decoder", attention="decoder")
    tab.get_by_role("button", name="Next in this layer: cross-attention").click()
    expect(pill(tab, "attention", "cross")).to_have_attribute("aria-checked", "true")
    expect(widget(tab, "journey-3")).to_contain_text("from the encoder")
    expect_settings(tab, **START, kind="encoder-decoder", attention="cross")


def test_the_first_page_is_found_by_its_name_too(visit: Callable[..., Page]) -> None:
    tab = visit("journey", **START)
    assert tab.get_by_role("dialog").count() == 0
    expect_settings(tab, **START)


def test_a_first_page_left_before_it_is_drawn_keeps_its_settings(
    chromium: Browser, serve: Callable[[str], str]
) -> None:
    wanted = {"model": "random weights", "kind": "encoder-decoder", "seed": "331", "n": "4", "d": "256"}
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    for script in (TRAFFIC, LEAVE_AT_ONCE):
        context.add_init_script(script)
    tab = context.new_page()
    tab.set_default_timeout(WAIT)
    tab.goto(address(serve("app.py"), **wanted))
    expect(tab.get_by_role("heading", level=1)).to_have_text("Why divide by the square root of d_k?")
    assert not tab.evaluate("() => window.inputs")
    expect_query(tab, wanted)
    expect(widget(tab, "seed").locator("input")).to_have_value("331")
    assert entries(tab) == 3  # the empty page, this one, the next one
    tab.go_back()
    expect(widget(tab, "welcome-bridge")).to_be_visible()
    expect(widget(tab, "seed").locator("input")).to_have_value("331")
    context.close()


def test_a_page_left_before_its_boxes_are_drawn_keeps_its_settings(
    chromium: Browser, serve: Callable[[str], str]
) -> None:
    wanted = {key: str(value) for key, value in START.items()}
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(TRAFFIC)
    tab, held = context.new_page(), list[Route]()
    tab.set_default_timeout(WAIT)
    tab.route(BOXES, lambda script: held.append(script))
    tab.goto(address(serve("app.py"), "self-attention", **wanted))
    drawn(tab)
    settled(tab, complete=False)
    assert held and not tab.locator("input[type=text], input[type=number]").count()
    choose(tab, "Attention", "Heads")
    expect(tab.get_by_role("heading", level=1)).to_have_text(TITLES[22])
    settled(tab, complete=False)
    tab.unroute(BOXES)  # what was held goes on
    expect(widget(tab, "t").locator("input")).to_have_value(wanted["t"])
    expect_query(tab, wanted)
    assert entries(tab) == 3  # the empty page, this one, the next one
    tab.go_back()
    expect(widget(tab, "step-picture")).to_be_visible()
    expect_settings(tab, **START)
    context.close()


def test_quick_steps_back_and_forward_end_where_they_lead(visit: Callable[..., Page]) -> None:
    words = START["t"]
    tab = visit("", t=words, kind="decoder", seed=11, n=6)
    for title, seed in (("Heads", 22), ("Scores and scaling", 33)):
        choose(tab, "Attention", title)
        expect(tab.get_by_role("heading", level=1)).to_have_text(TITLES[seed])
        settled(tab)
        enter(tab, "seed", seed)
        in_address(tab, f"seed={seed}")
        settled(tab)
    place = 2
    for steps in ("b b 300 f f", "b f 40 b"):
        for step in steps.split():
            if step.isdecimal():
                tab.wait_for_timeout(int(step))
            else:
                place += 1 if step == "f" else -1
                tab.evaluate("(step) => history.go(step)", 2 if step == "f" else -2)  # over the seed and over the page
        expect_place(tab, (11, 22, 33)[place], str(words))


def expect_place(tab: Page, seed: int, words: str) -> None:
    """This page with its seed, in the boxes and in the address, and still so when half a second has gone by."""
    expect(tab.get_by_role("heading", level=1)).to_have_text(TITLES[seed])
    expect(widget(tab, "seed").locator("input")).to_have_value(str(seed))
    expect_query(tab, {"model": "random weights", "t": words, "kind": "decoder", "seed": str(seed), "n": "6"}, 500)
    expect(tab.get_by_role("heading", level=1)).to_have_text(TITLES[seed])
    expect(widget(tab, "seed").locator("input")).to_have_value(str(seed))


@pytest.mark.parametrize("chosen", ["next", "menu"])
def test_a_page_opens_at_its_top(chosen: str, page: Callable[..., Page], serve: Callable[[str], str]) -> None:
    """Twice, for a page that the server has drawn before comes at once, in the place of the other."""
    tab = page(address(serve("app.py"), "journey"))
    menu = [("Attention", "Heads"), ("Words", "Word vectors"), ("Start", "The journey")]
    steps = [("", "")] * 4 if chosen == "next" else menu
    for turn in range(2):
        if turn:
            tab.goto(address(serve("app.py"), "journey"))
        for section, title in steps:
            drawn(tab)
            settled(tab)
            before = tab.url
            roll_down(tab)
            if title:
                choose(tab, section, title)
            else:
                tab.locator(".st-key-neighbours a").last.click()
            tab.wait_for_url(lambda url, before=before: url != before)  # type: ignore[misc]
            expect(tab.locator(".st-key-neighbours a").last).to_be_attached()
            settled(tab)
            tab.wait_for_timeout(300)
            assert top(tab) == 0, tab.url


def test_a_page_that_is_still_drawn_is_the_visitors_to_move(visit: Callable[..., Page]) -> None:
    tab = visit("journey")
    roll_down(tab)
    tab.locator(".st-key-neighbours a").last.click()
    expect(tab.get_by_role("heading", level=1)).not_to_have_text(TITLES[11])
    settled(tab)
    roll_down(tab)
    tab.wait_for_timeout(1000)
    assert top(tab) > 100


def roll_down(tab: Page) -> None:
    """To the end of the page, by the wheel."""
    tab.mouse.move(640, 600)
    tab.mouse.wheel(0, 20_000)
    looked_until(tab, lambda: top(tab), lambda found: found > 100)


def top(tab: Page) -> int:
    """How far down the page is."""
    return int(tab.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTop"))


def test_thirty_fast_clicks_over_pages_end_at_the_last_one(visit: Callable[..., Page]) -> None:
    tab = visit("heads", **START)
    for turn in range(30):
        links = tab.locator(".st-key-neighbours a")
        tab.evaluate(
            """(turn) => {
              const links = document.querySelectorAll(".st-key-neighbours a");
              (turn % 3 ? links[links.length - 1] : links[0])?.click();
            }""",
            turn,
        )
        tab.wait_for_timeout(60)
    settled(tab)
    expect(links.first).to_be_visible()
    drawn(tab)
    settled(tab)
    shown = tab.get_by_role("heading", level=1).inner_text()
    here = tab.evaluate("() => location.pathname.split('/').pop()")
    wanted = next(each.question for each in PAGES if each.address == here)
    assert shown == wanted
    expect_query(tab, {key: str(value) for key, value in START.items()})
    assert tab.get_by_test_id("stException").count() == 0
    tab.go_back()
    settled(tab)
    expect(links.first).to_be_visible()
    here = tab.evaluate("() => location.pathname.split('/').pop()")
    question = next(each.question for each in PAGES if each.address == (here or "welcome"))
    expect(tab.get_by_role("heading", level=1)).to_have_text(question)
