"""Questions of every kind: answered with a mouse, a finger and the keyboard."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from core.lessons.lesson import KINDS
from pages.canvas.runtime import modules
from tests.browser.apps.answers_demo import QUESTIONS
from tests.browser.driver import settled, widget
from tests.browser.test_canvas_access import heard
from tests.browser.test_first_screen import UNREACHED, found_by_axe

APP = "tests/browser/apps/answers_demo.py"
Show = Callable[..., Page]


@pytest.fixture
def demo(page: Show, serve: Callable[[str], str]) -> Show:
    def show(query: str = "", **options: Any) -> Page:
        tab = page(f"{serve(APP)}/?{query}", **options)
        expect(tab.locator(".answer-form").first).to_be_visible()
        expect(tab.locator(".canvas-root:empty")).to_have_count(0)
        return tab

    return show


def answer(tab: Page, kind: str) -> None:
    widget(tab, kind).get_by_role("button", name="Answer", exact=True).click()


def came(tab: Page, kind: str, value: object) -> None:
    """Wait until Python has this answer."""
    expect(tab.get_by_text(f"{kind}: {json.dumps(value)}", exact=True)).to_be_visible()


def bar_point(tab: Page, place: int, height: float) -> tuple[float, float]:
    """The point of the window at this height, from 0 to 1, of a bar."""
    track = widget(tab, "row").locator(".track").nth(place)
    track.scroll_into_view_if_needed()
    box = track.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] * (1 - height)


def choose(tab: Page) -> object:
    widget(tab, "choice").get_by_text("Nothing.").click()
    return "nothing"


def pick_token(tab: Page) -> object:
    widget(tab, "token").get_by_role("button", name="did, 3 of 7").click()
    return 2


def pick_cell(tab: Page) -> object:
    widget(tab, "cell").get_by_role("row").nth(3).get_by_role("button").nth(1).click()
    return [2, 1]


def draw_row(tab: Page) -> object:
    tab.mouse.click(*bar_point(tab, 0, 0.5))
    tab.mouse.click(*bar_point(tab, 6, 0.25))
    return [50, 0, 0, 0, 0, 0, 25]


def put_in_order(tab: Page) -> object:
    widget(tab, "order").get_by_role("button", name="Move layer 1, head 2 down").click()
    return [1, 0, 2]


def write_number(tab: Page) -> object:
    widget(tab, "number").get_by_role("textbox").fill("1,200.5")
    return 1200.5


def fill_formula(tab: Page) -> object:
    for place, name in enumerate(names := ["Q", "K", "d_k", "V"], 1):
        widget(tab, "formula").get_by_role("combobox", name=f"gap {place} of 4").select_option(name)
    return names


WAYS = {
    "choice": choose,
    "token": pick_token,
    "cell": pick_cell,
    "row": draw_row,
    "order": put_in_order,
    "number": write_number,
    "formula": fill_formula,
}
MADE = """(form) => [...form.querySelectorAll("input, select, button, li, .level")].map((each) =>
  [each.value, each.checked, each.ariaPressed, each.ariaValueText, each.style.height, each.textContent].join("|"))"""


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_arrives_in_python_and_may_be_changed(demo: Show, kind: str) -> None:
    tab = demo(f"kind={kind}")
    expected = WAYS[kind](tab)
    answer(tab, kind)
    came(tab, kind, expected)
    if kind == "token":
        widget(tab, kind).locator(".pick").last.click()
        answer(tab, kind)
        came(tab, kind, 6)


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"order"}))
def test_an_answer_that_is_not_complete_is_not_sent(demo: Show, kind: str) -> None:
    tab = demo(f"kind={kind}")
    if kind == "formula":
        widget(tab, kind).get_by_role("combobox").first.select_option("Q")
    asked = tab.evaluate("() => window.traffic.asked")
    answer(tab, kind)
    expect(widget(tab, kind).get_by_role("status")).to_contain_text(" first")
    settled(tab)
    assert tab.evaluate("() => window.traffic.asked") == asked
    WAYS[kind](tab)
    expect(widget(tab, kind).get_by_role("status")).to_be_empty()


def test_a_redraw_keeps_answers_that_are_half_made_and_another_question_begins_anew(demo: Show) -> None:
    tab = demo()
    forms = {kind: widget(tab, kind).locator(".answer-form") for kind in KINDS}
    empty = {kind: form.evaluate(MADE) for kind, form in forms.items()}
    for way in WAYS.values():
        way(tab)
    made = {kind: form.evaluate(MADE) for kind, form in forms.items()}
    assert not [kind for kind in KINDS if made[kind] == empty[kind]]
    for label in ("Run again", "A line above"):
        tab.get_by_text(label, exact=True).click()
        settled(tab)
        assert {kind: form.evaluate(MADE) for kind, form in forms.items()} == made
    answer(tab, "choice")  # another form's answer
    came(tab, "choice", "nothing")
    assert {kind: form.evaluate(MADE) for kind, form in forms.items()} == made
    tab.get_by_text("Another question", exact=True).click()
    expect(tab.get_by_role("group", name="Another question?")).to_have_count(7)
    assert {kind: form.evaluate(MADE) for kind, form in forms.items()} == empty


FORMER = [
    ("choice", '"hides"'),
    ("token", "3"),
    ("cell", "[1,2]"),
    ("row", "[0,0.5,0.25,0.25,0,0,0]"),
    ("order", "[2,0,1]"),
    ("number", "0.25"),
    ("formula", '["Q","K","V","V"]'),
]


@pytest.mark.parametrize(("kind", "value"), FORMER)
def test_a_former_answer_is_shown_and_can_be_sent_again(demo: Show, kind: str, value: str) -> None:
    tab = demo(f"kind={kind}&value={value}")
    answer(tab, kind)
    came(tab, kind, [0, 100, 50, 50, 0, 0, 0] if kind == "row" else json.loads(value))


@pytest.mark.parametrize(("kind", "value"), FORMER)
def test_a_locked_form_shows_the_answer_and_takes_none(demo: Show, kind: str, value: str) -> None:
    tab = demo(f"kind={kind}&value={value}&locked")
    form = widget(tab, kind).locator(".answer-form")
    expect(form.get_by_role("button", name="Answer", exact=True)).to_be_hidden()
    before = form.evaluate(MADE)
    assert form.locator("input, select, .way button").evaluate_all("(all) => all.every((e) => e.matches(':disabled'))")
    if kind == "row":
        tab.mouse.click(*bar_point(tab, 0, 0.5))
    elif kind == "token":
        form.locator(".pick").first.click(force=True)
    assert form.evaluate(MADE) == before
    tab = demo(f"kind={kind}&locked")
    expect(widget(tab, kind).get_by_text("No answer was given.")).to_be_visible()


def test_a_finger_draws_from_bar_to_bar_and_scrolls_beside_them(demo: Show) -> None:
    tab = demo("kind=row", width=390, height=700, has_touch=True, is_mobile=True)
    devtools = tab.context.new_cdp_session(tab)

    def touch(kind: str, *point: float) -> None:
        points = [{"x": point[0], "y": point[1]}] if point else []
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    tab.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    (x, y), (next_x, next_y) = bar_point(tab, 1, 0.2), bar_point(tab, 2, 0.8)
    touch("touchStart", x, y)
    touch("touchMove", x + 24, y)  # over the edge, but not far
    touch("touchMove", x, y - 70)
    touch("touchMove", next_x, next_y)
    touch("touchEnd")
    answer(tab, "row")
    came(tab, "row", [0, 70, 80, 0, 0, 0, 0])
    track, label = widget(tab, "row").locator(".track").first, widget(tab, "row").locator(".bar .label").first
    assert track.evaluate("(e) => getComputedStyle(e).touchAction") == "none"
    assert label.evaluate("(e) => getComputedStyle(e).touchAction") == "auto"


def test_bars_are_shares_of_their_sum(demo: Show) -> None:
    tab = demo("kind=row&labels=3")
    sliders = widget(tab, "row").get_by_role("slider")
    sliders.nth(0).press("ArrowUp")
    expect(sliders.nth(0)).to_have_attribute("aria-valuetext", "The: 100%")
    sliders.nth(1).press("End")
    sliders.nth(1).press("ArrowDown")
    expect(sliders.nth(0)).to_have_attribute("aria-valuetext", "The: 5%")
    expect(sliders.nth(1)).to_have_attribute("aria-valuetext", "animal: 95%")
    assert widget(tab, "row").locator(".share").all_inner_texts() == ["5%", "95%", "0%"]
    sliders.nth(1).press("Enter")
    came(tab, "row", [5, 95, 0])


def test_a_handle_is_dragged_to_another_place(demo: Show) -> None:
    tab = demo("kind=order")
    items = widget(tab, "order").get_by_role("listitem")
    start, end = (items.nth(place).locator(".handle").bounding_box() for place in (0, 2))
    assert start and end
    tab.mouse.move(start["x"] + 9, start["y"] + 9)
    tab.mouse.down()
    for y in (end["y"] - 20, end["y"] + 40):
        tab.mouse.move(end["x"] + 9, y)
    tab.mouse.up()
    tab.mouse.move(start["x"] + 9, start["y"] + 9)  # which moves nothing any more
    answer(tab, "order")
    came(tab, "order", [1, 2, 0])


def test_keys_alone_answer_every_question(demo: Show) -> None:
    tab = demo()
    radios, words = (widget(tab, "choice").get_by_role("radio"), widget(tab, "token").locator(".pick"))
    radios.first.press("ArrowDown")
    radios.nth(1).press("Enter")
    came(tab, "choice", "deletes")
    words.first.focus()
    for key in ("End", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowLeft", "Space"):
        tab.keyboard.press(key)
    expect(words.nth(5)).to_be_focused()
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    came(tab, "token", 5)
    widget(tab, "cell").locator(".pick").first.focus()
    for key in (
        "ArrowUp",
        "ArrowDown",
        "End",
        "ArrowRight",
        "ArrowDown",
        "Home",
        "ArrowRight",
        "Enter",
        "Tab",
        "Enter",
    ):
        tab.keyboard.press(key)
    came(tab, "cell", [2, 1])
    down = widget(tab, "order").get_by_role("button", name="Move layer 1, head 2 down")
    down.focus()
    for _ in range(3):
        tab.keyboard.press("Enter")
        expect(down).to_be_focused()
    expect(widget(tab, "order").locator(".spoken")).to_have_text("layer 1, head 2: now 3 of 3")
    answer(tab, "order")
    came(tab, "order", [1, 2, 0])
    widget(tab, "number").get_by_role("textbox").press_sequentially("12")
    tab.keyboard.press("Enter")
    came(tab, "number", 12)
    assert not tab.evaluate(UNREACHED)


READ = {
    "12": 12, " 12 tokens": 12, "1,000": 1000, "1,234,567.5": 1234567.5, "0,125": 0.125, "1,5": 1.5, "\u22122": -2,
    "+.5": 0.5, "1e-3": 0.001, "20 %": 0.2, "1 000": 1000,
    "\uff11\uff12": 12, "\uff0d\uff12\uff0e\uff15": -2.5, "\u0662\u0660\u066a": 0.2, "\u06f1\u066b\u06f5": 1.5,
    "\u0967\u0968": 12, "\u0661\u066c\u0665\u0668\u0665": 1585, "\u2167": None, "\u00b2": 2, "\u4e8c": None,
    "": None, "-": None, "twelve": None, "1.2.3": None, "Infinity": None, "0x10": None, "1e999": None,
}  # fmt: skip


def test_numbers_are_read_as_people_write_them(page: Show, serve: Callable[[str], str]) -> None:
    tab = page(f"{serve(APP)}/?kind=number")
    script = """async ([file, texts]) => {
      const { numberIn } = await import(new URL(file, document.baseURI));
      return [texts.map((text) => numberIn(text, "tokens")), numberIn("20 %", "%")];
    }"""
    found, percent = tab.evaluate(script, [modules.address("answers/kinds/number.js"), list(READ)])
    assert dict(zip(READ, found, strict=True)) == READ and percent == 20


@pytest.mark.parametrize("dark", [True, False])
def test_axe_finds_nothing(demo: Show, dark: bool) -> None:
    tab = demo("labels=12", dark=dark, width=390)
    choose(tab)
    for kind in ("token", "cell"):
        widget(tab, kind).locator(".pick").nth(2).click()
    for kind in ("row", "number", "formula"):
        answer(tab, kind)
    expect(tab.get_by_role("status").filter(has_text=" first")).to_have_count(3)
    assert found_by_axe(tab) == []


def test_a_screen_reader_is_told_each_thing_once(demo: Show) -> None:
    tab = demo("labels=3")
    said = {kind: heard(tab, kind) for kind in KINDS}
    for kind, nodes in said.items():
        forms = [node["name"] for node in nodes if node["role"] == "form"]
        groups = [node["name"] for node in nodes if node["role"] == "group"]
        assert forms == ["Your answer"] and groups == [QUESTIONS[kind]]
    moves = [node["name"] for node in said["order"] if node["role"] == "button"]
    assert len(set(moves)) == 7 and moves[1] == "Move layer 1, head 2 down"
    assert [node["name"] for node in said["row"] if node["role"] == "slider"] == [
        "The, 1 of 3",
        "animal, 2 of 3",
        "did, 3 of 3",
    ]
    cells = [node["name"] for node in said["cell"] if node["role"] == "gridcell"]
    assert len(cells) == 6 and cells[1] == "row \u201c\u2066The\u2069\u201d, column \u201c\u2066animal\u2069\u201d"
    assert [node["name"] for node in said["number"] if node["role"] == "textbox"] == ["number, in tokens"]


SMALL = """() => [...document.querySelectorAll("*")].flatMap((each) => [...(each.shadowRoot?.querySelectorAll(
    ".answer-form :is(button, .option, .track, .handle, select, .entry input)") ?? [])])
  .map((each) => [each.className || each.tagName, each.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44).map(([name]) => name)"""


@pytest.mark.parametrize("labels", [2, 7, 40])
def test_on_a_small_phone_everything_fits_and_is_large_enough_for_a_thumb(demo: Show, labels: int) -> None:
    tab = demo(f"labels={labels}", width=360, height=700, has_touch=True, is_mobile=True)
    assert tab.evaluate(SMALL) == []
    wide = "() => document.querySelector('[data-testid=stMain]').scrollWidth"
    assert tab.evaluate(wide) <= 360 and tab.evaluate("() => document.documentElement.scrollWidth") <= 360
    for kind in KINDS:
        form = widget(tab, kind).locator(".answer-form")
        assert form.evaluate("(e) => e.scrollWidth - e.clientWidth") <= 0, kind


STYLE = "(element, name) => getComputedStyle(element)[name]"
SYSTEM = """(name) => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = name;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}"""


@pytest.mark.parametrize("dark", [True, False])
def test_the_colours_of_the_system_are_kept(demo: Show, dark: bool) -> None:
    tab = demo("labels=7", dark=dark, forced_colors="active")
    for way in (pick_token, draw_row):
        way(tab)
    text, ground = (tab.evaluate(SYSTEM, name) for name in ("CanvasText", "Canvas"))
    words = widget(tab, "token").locator(".pick")
    assert words.first.evaluate(STYLE, "color") == text != ground
    assert words.nth(2).evaluate(STYLE, "boxShadow") != "none" == words.first.evaluate(STYLE, "boxShadow")
    level = widget(tab, "row").locator(".level").first
    assert level.evaluate(STYLE, "backgroundColor") == "rgb(216, 67, 125)", "bars are seen"


def test_a_projector_has_everything_larger(demo: Show) -> None:
    tab = demo()
    seen = "(form) => [getComputedStyle(form).fontSize, form.querySelector('.track')?.clientHeight]"
    before = widget(tab, "row").locator(".answer-form").evaluate(seen)
    tab.evaluate("() => document.documentElement.style.setProperty('--picture-scale', 1.5)")
    assert before == ["16px", 138]
    assert widget(tab, "row").locator(".answer-form").evaluate(seen) == ["24px", 208]
