"""Every lesson taken in a real browser: questions answered rightly and wrongly, the picture uncovered, the end."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, expect

from core.lessons.lesson import Screen, lessons
from core.lessons.words import read_explanation
from core.topics.shared.truth import Truth
from pages.compute.cache import compute
from pages.shell.lesson.cover import COVER_TEXT
from pages.shell.settings import MODEL
from tests.browser.driver import address, looked_until, settled, stands_at_every_width, widget
from tests.browser.test_first_screen import found_by_axe
from tests.pages.house import BY_ADDRESS
from tests.pages.lesson_pictures import SAID_BY_BOTH, TEXTS, is_said
from tests.pages.screens import opened_run

Show = Callable[..., Page]
MOST_TABS = 6  # from what is new to the button that leads on
OTHER_SENTENCE = "Yesterday the old teacher opened the old window because it was hot."


def truth_of(screen: Screen, text: str) -> Truth:
    run = opened_run(BY_ADDRESS[screen.page], text, screen.settings.get(MODEL.key, ""))
    found: Truth = compute(partial(screen.function, **screen.arguments), run)
    return found


def fill(form: Locator, screen: Screen, truth: Truth, right: bool) -> None:
    """Answer a question with what is true, or with something else."""
    match screen.kind:
        case "choice":
            wrong = next(option.name for option in screen.options if option.name != truth.answer)
            option = screen.option(truth.answer if right else wrong)
            assert option
            form.get_by_text(option.text, exact=True).click()
        case "token":
            index = truth.answer if right else (truth.answer + 1) % len(truth.labels)
            form.locator(".pick").nth(index).click()
        case "cell":
            row, column = truth.answer if right else ((truth.answer[0] + 1) % len(truth.rows), truth.answer[1])
            form.get_by_role("row").nth(row + 1).get_by_role("button").nth(column).click()
        case "row":
            weights = list(truth.answer)
            chosen = weights.index(max(weights) if right else min(weights))
            for index, weight in enumerate(weights):
                height = round(100 * weight / max(weights)) if right else 100 * (index == chosen)
                form.get_by_role("slider").nth(index).fill(str(5 * round(height / 5)))
        case "order":
            wanted = list(truth.answer) if right else list(truth.answer)[::-1]
            put_in_order(form, list(range(len(truth.labels))), wanted)
        case "number":
            form.get_by_role("textbox").fill(f"{truth.answer + (0 if right else screen.tolerance + 1):.6g}")
        case "formula":
            for index, name in enumerate(truth.answer):
                other = next(option.name for option in screen.options if option.name != name)
                form.get_by_role("combobox").nth(index).select_option(name if right else other)


def put_in_order(form: Locator, now: list[int], wanted: list[int]) -> None:
    """Move the items of a list up until they stand in this order."""
    for place, item in enumerate(wanted):
        for at in range(now.index(item), place, -1):
            form.get_by_role("listitem").nth(at).get_by_role("button", name="up").click()
            now[at - 1], now[at] = now[at], now[at - 1]
    if now == list(range(len(now))):  # an order that was not touched is no answer
        form.get_by_role("listitem").nth(1).get_by_role("button", name="up").click()
        form.get_by_role("listitem").nth(1).get_by_role("button", name="up").click()


IN_A_TABLE = [("scaling-and-blocks", 3), ("scaling-and-blocks", 4)]  # which is drawn, so that a page has no words of it
# What is written below a lesson, a line each, but the numbered labels of tokens.
WRITTEN = """() => {
  const lesson = document.querySelector(".st-key-lesson");
  const roots = (node) => [...node.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? []);
  const all = [...document.querySelectorAll("[data-testid=stMain] [data-testid=stMarkdownContainer], code")];
  const outside = all.filter((element) => !lesson.contains(element)).map((element) => element.innerText);
  const drawn = roots(document).filter((root) => !lesson.contains(root.host));
  const parts = drawn.flatMap((root) => [...root.querySelectorAll("*")]);
  const labels = parts.flatMap((part) => [part.children.length ? "" : part.textContent, part.ariaLabel ?? ""]);
  return [...outside, ...labels].flatMap((text) => text.split("\\n")).filter((text) => text && !/^\\d+:/.test(text));
}"""


@pytest.mark.parametrize("name", lessons())
def test_a_lesson_is_taken_from_its_first_question_to_its_end(
    name: str, page: Show, serve: Callable[[str], str]
) -> None:
    """On a sentence of the learner's; a question that cannot use it says so and takes the lesson's own.

    Lesson and picture say the same of it.
    """
    lesson, text = lessons()[name], TEXTS[[*lessons()].index(name) % len(TEXTS)]
    dark, narrow = lesson.number % 2 == 0, lesson.number % 3 == 0
    tab = page(address(serve("app.py"), "lessons", t=text), dark=dark, width=360 if narrow else 1280)
    widget(tab, f"lessons-{name}").get_by_role("button").click()
    count = len(lesson.screens)
    panel = widget(tab, "lesson")
    for number, screen in enumerate(lesson.screens, 1):
        expect(panel).to_contain_text(f"screen {number} of {count}")
        expect(tab.get_by_text(COVER_TEXT)).to_be_visible()
        settled(tab)
        try:
            truth = truth_of(screen, text)
        except ValueError:
            expect(panel).to_contain_text("cannot be used here")
            truth = truth_of(screen, lesson.words)
        fill(panel.locator(".answer-form"), screen, truth, right=number % 2 == 1)
        panel.get_by_role("button", name="Answer", exact=True).click()
        expect(panel.get_by_role("button", name="Answer again")).to_be_visible()
        expect(tab.get_by_text(COVER_TEXT)).to_have_count(0)
        expect(widget(tab, "lesson-news")).to_be_focused()
        expect(widget(tab, "lesson-news-said").get_by_role("status")).to_contain_text(re.compile(r"\w"))
        expect(panel).to_contain_text(read_explanation(screen, truth, None)[0].split("**")[0][:40])
        say_the_same(tab, panel, name, number, truth)
        if number == 1:
            stands_at_every_width(tab)
            settled(tab)  # what waits for its run is faded
            assert looked_until(tab, lambda: found_by_axe(tab), lambda found: not found) == []
        if number < count:
            widget(tab, "lesson-news").focus()
            press_until_focused(tab, panel.get_by_role("button", name="Next"))
            tab.keyboard.press("Enter")
            expect(panel).to_contain_text(f"screen {number + 1} of {count}")
            expect(widget(tab, "lesson-news")).to_be_focused()
    end = f"The end: {(count + 1) // 2} of {count} right"
    expect(panel).to_contain_text(end)
    tab.reload()
    settled(tab)
    expect(panel).to_contain_text(end)  # kept in the browser


def press_until_focused(tab: Page, button: Locator) -> None:
    """Press Tab until a button has the focus; fail if it takes more than six times."""
    for _ in range(MOST_TABS):
        tab.keyboard.press("Tab")
        if button.evaluate("(element) => element === document.activeElement"):
            return
    raise AssertionError(f"not reached with {MOST_TABS} times Tab")


def say_the_same(tab: Page, panel: Locator, name: str, number: int, truth: Truth) -> None:
    """Fail if the lesson or the picture below it does not say a fact that both have to say."""
    if (name, number) in IN_A_TABLE:
        return
    for fact in SAID_BY_BOTH.get((name, number), ()):
        wanted = truth.facts[fact]
        said = looked_until(tab, lambda: tab.evaluate(WRITTEN), partial(is_said, wanted))
        assert is_said(wanted, said), f"{name} {number}: {fact} is {wanted}"
        assert is_said(wanted, panel.inner_text().split("\n"))


def test_a_lesson_asks_about_the_learners_own_sentence(page: Show, serve: Callable[[str], str]) -> None:
    screen = lessons()["what-is-a-token"].screens[0]
    tab = page(address(serve("app.py"), "tokens", lesson="what-is-a-token", t=OTHER_SENTENCE))
    truth = truth_of(screen, OTHER_SENTENCE)
    fill(widget(tab, "lesson").locator(".answer-form"), screen, truth, True)
    widget(tab, "lesson").get_by_role("button", name="Answer", exact=True).click()
    expect(widget(tab, "lesson")).to_contain_text("That is right.")
