"""What a visitor sees of every page that comes for the first time: nothing moves, the picture is on the first screen,
axe-core finds nothing in either theme, each stop of the Tab key is seen; then what a projector shows of it."""

from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from pages.shell.page import Page as Topic
from tests.browser.axe import found_by_axe
from tests.browser.driver import FRAMES, address, drawn, looked_until
from tests.browser.layout_shift import moved_too_far
from tests.browser.tab_stops import unseen_stops
from tests.browser.test_present import presented
from tests.browser.test_projector import faults_on_projector
from tests.browser.touch_targets import small_targets
from tests.pages.house import PAGES

HEADER = 120
LAPTOP, PHONE = (1440, 900), (390, 844)
ZOOMED = (720, 450)  # what a laptop shows at twice the zoom
TOUCH = {"has_touch": True, "is_mobile": True}
GAP = 40  # pixels: nothing stands between the question and the sentence that answers it
MOST_PRESSED = 15  # seven or so are the views of the page
LISTS = ("lessons",)  # pages whose picture is a list of cards
# Top and bottom of the first picture of the page's part below the header: a chart, a drawing or a list of cards.
PICTURE = """() => {
  const main = document.querySelector("[data-testid=stMain]");
  const drawings = [...main.querySelectorAll("*")].flatMap((element) => element.shadowRoot ? [element] : []);
  const shown = [...drawings, ...main.querySelectorAll("svg.marks, .st-key-lesson-cards")].filter(
    (element) => !element.closest(".st-key-header") && element.getBoundingClientRect().height > 60);
  const boxes = shown.map((element) => element.getBoundingClientRect()).sort((a, b) => a.top - b.top);
  return boxes.length ? [boxes[0].top, boxes[0].bottom] : null;
}"""
# Tops of what a page shows: the picture of its view, with a player or cards that belong to it, and drawings above it.
BEGINS = """() => [...document.querySelectorAll(".st-key-main-picture, .st-key-lesson-cards")]
  .concat([...document.querySelectorAll("[data-testid=stMain] *")].filter((element) => element.shadowRoot))
  .filter((element) => !element.closest(".st-key-header"))
  .map((element) => element.getBoundingClientRect()).filter(({ height }) => height > 60).map(({ top }) => top)"""
TALL_LINKS = """() => [...document.querySelectorAll(".st-key-routes-above a")]
  .filter((link) => link.getBoundingClientRect().height > 42).map((link) => link.innerText)"""
# What can be pressed or set between the question and the picture, each pill and button by itself.
PRESSED = """(top) => {
  const kinds = "button, input, select, textarea, [role=slider], [role=radio], [role=switch]";
  const small = "[data-testid^=stNumberInputStep], [aria-label^='Help for']";
  return [...document.querySelectorAll(`[data-testid=stMain] :is(${kinds})`)]
    .filter((element) => element.checkVisibility({ checkVisibilityCSS: true }) && !element.closest(".st-key-header"))
    .filter((element) => !element.matches(small) && element.getBoundingClientRect().bottom <= top)
    .map((element) => element.innerText || element.ariaLabel || element.value);
}"""
# Rows that hide something to the right without showing that they do: neither a fade nor a bar to move them.
UNHINTED = """() => [...document.querySelectorAll("[data-testid=stMain] *")]
  .filter((element) => element.scrollWidth > element.clientWidth + 2 && element.clientWidth > 0)
  .filter((element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowX))
  .filter((element) => element.closest(".st-key-header, .st-key-look-at, [class*=st-key-controls]"))
  .filter((element) => getComputedStyle(element).getPropertyValue("--hidden-right").trim() === "0px")
  .filter((element) => element.scrollLeft < element.scrollWidth - element.clientWidth - 2)
  .map((element) => element.className)"""
# What can be clicked or set and is out of the keyboard's reach: no Tab stops at it, nor at another of its group, whose
# arrow keys lead to it. The small buttons of a number box are the arrow keys of its input.
UNREACHED = """() => {
  const kinds = "button, input, select, textarea, a[href], [role=button], [role=slider], [role=radio], [role=switch]";
  const groups = "[role=radiogroup], [role=group], [role=toolbar], [role=listbox], .chips, [data-testid=stNumberInput]";
  const roots = [document, ...[...document.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? [])];
  const reached = (element) => element.tabIndex >= 0;
  return roots.flatMap((root) => [...root.querySelectorAll(kinds)])
    .filter((element) => element.checkVisibility({ checkVisibilityCSS: true }) && !element.disabled)
    .filter((element) => !element.closest("[aria-hidden=true]") && !reached(element))
    .filter((element) => ![...(element.closest(groups)?.querySelectorAll("*") ?? [])].some(reached))
    .map((element) => element.outerHTML.slice(0, 200));
}"""

# Titles and legends of charts that are cut, or go on outside their chart.
CUT = """() => [...document.querySelectorAll("svg.marks")].flatMap((chart) => {
  const { left, right } = chart.getBoundingClientRect();
  const words = [...chart.querySelectorAll(":is([class*=role-title], [class*=role-legend]) text")];
  const isOutside = ({ left: start, right: end }) => start < left - 5 || end > right + 5;
  return words.filter((word) => word.textContent.includes("…") || isOutside(word.getBoundingClientRect()))
    .map((word) => word.textContent);
})"""
# Words of a chart's axes, legends and titles with less than 4.5 of contrast on the page.
FAINT = """() => {
  const probe = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  const light = (css) => {
    probe.fillStyle = css;
    probe.fillRect(0, 0, 1, 1);
    const parts = [...probe.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((part) => part / 255);
    const [r, g, b] = parts.map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = light(getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor);
  const kinds = ["axis", "legend", "title"].map((kind) => `svg.marks [class*="role-${kind}"] text`);
  return [...document.querySelectorAll(kinds.join(", "))].flatMap((word) => {
    const [low, high] = [ground, light(getComputedStyle(word).fill)].sort((x, y) => x - y);
    const ratio = (high + 0.05) / (low + 0.05);
    return ratio < 4.5 ? [`faint (${ratio.toFixed(1)}): ${word.textContent}`] : [];
  });
}"""


@pytest.mark.parametrize("topic", PAGES, ids=lambda topic: topic.address)
def test_the_first_screen_and_a_projector_show_the_picture(
    topic: Topic, page: Callable[..., Page], serve: Callable[[str], str]
) -> None:
    path = "" if topic is PAGES[0] else topic.address
    problems: list[str] = []
    for (width, height), dark, touch in ((PHONE, True, TOUCH), (LAPTOP, False, {})):
        tab = page(address(serve("app.py"), path), width=width, height=height, dark=dark, new=True, **touch)
        ground = "rgb(17, 21, 28)" if dark else "rgb(255, 255, 255)"
        expect(tab.get_by_test_id("stApp")).to_have_css("background-color", ground)
        if topic.address not in LISTS:
            drawn(tab)
        expect(tab.locator(".st-key-neighbours a").first).to_be_attached()
        problems += [f"{width} {each}" for each in moved_too_far(tab)]
        problems += looked_until(tab, partial(faults, tab, width, height), lambda found: not found)
    problems += unseen_stops(tab)
    problems += faults_at_twice_the_zoom(tab)
    if not topic.reference:
        tab.set_viewport_size({"width": 1280, "height": 900})
        tab.emulate_media(color_scheme="light")
        tab.evaluate(FRAMES)  # in which pictures take the new colours
        problems += faults_on_projector(presented(tab))
    assert not problems, "\n".join(problems)


def test_a_phone_shows_which_view_is_chosen(page: Callable[..., Page], serve: Callable[[str], str]) -> None:
    block = next(each for each in PAGES if each.address == "block")
    asked = address(serve("app.py"), block.address, **{block.look_at.key: block.views[-1].name})
    tab = page(asked, width=PHONE[0], height=PHONE[1])
    chosen = tab.locator(".st-key-look-at [aria-checked=true]")
    expect(chosen).to_have_text(block.views[-1].name)
    expect(chosen).to_be_in_viewport(ratio=0.9)


def test_a_phone_shows_titles_and_legends_of_charts_whole(
    page: Callable[..., Page], serve: Callable[[str], str]
) -> None:
    views = {
        "words-in-context": ("what it drew from", "neighbours by sense"),
        "scaling": ("entropy", "gradient"),
        "layer-costs": ("path length",),
        "masks": ("wrong ways",),
        "architecture": ("known models",),
        "kv-cache": ("time",),
    }
    for topic in filter(lambda each: each.address in views, PAGES):
        for view in views[topic.address]:
            asked = address(serve("app.py"), topic.address, **{topic.look_at.key: view})
            tab = page(asked, width=PHONE[0], height=PHONE[1], **TOUCH)
            drawn(tab)
            assert looked_until(tab, partial(tab.evaluate, CUT), lambda found: not found) == [], view


def faults_at_twice_the_zoom(tab: Page) -> list[str]:
    """What is wrong where a laptop's window has half its width and height: the picture does not begin in it."""
    tab.set_viewport_size({"width": ZOOMED[0], "height": ZOOMED[1]})
    tab.evaluate(FRAMES)
    tops = tab.evaluate(BEGINS)
    return [] if tops and min(tops) < ZOOMED[1] - 40 else [f"{ZOOMED[0]} the picture begins too low: {tops}"]


def faults(tab: Page, width: int, height: int) -> list[str]:
    """What is wrong on the first screen of a page, one line each."""
    wide, found = (width, height) == LAPTOP, list[str]()
    header, picture = tab.locator(".st-key-header").bounding_box(), tab.evaluate(PICTURE)
    question, definition = (tab.locator(each).bounding_box() for each in (".st-key-header h1", ".st-key-definition"))
    if wide and not (header and header["height"] <= HEADER):
        found.append(f"the header is too high: {header}")
    if not (question and definition and 0 <= definition["y"] - question["y"] - question["height"] <= GAP):
        found.append(f"the definition is not under the question: {question}, {definition}")
    if not picture:
        found.append("there is no picture")
    else:
        top, bottom = picture
        if wide and len(pressed := tab.evaluate(PRESSED, top)) > MOST_PRESSED:
            found.append(f"{len(pressed)} things to press stand above the picture: {pressed}")
        if not ((min(bottom, height) - top) / (bottom - top) >= 2 / 3 if wide else top < height - 60):
            found.append(f"the picture is too low: {top} to {bottom}")
    if not wide:
        found += [f"it hides what is to the right: {row}" for row in tab.evaluate(UNHINTED)]
        found += small_targets(tab)
        found += [f"this link takes two lines: {each}" for each in tab.evaluate(TALL_LINKS)]
    found += found_by_axe(tab, *(() if wide else ("color-contrast",)))  # the rest is the same in either theme
    return [f"{width} {each}" for each in [*found, *tab.evaluate(UNREACHED), *tab.evaluate(FAINT)[:3]]]
