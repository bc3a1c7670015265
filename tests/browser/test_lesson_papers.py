"""What learners know, and what they and their teachers print: with the keyboard, for axe, on a phone and on paper."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from core.lessons.inventory import inventory
from core.lessons.lesson import lessons
from pages.classroom.plans import PLANS
from pages.classroom.printed.routes import FOR_TEACHERS
from pages.classroom.printed.sheets import SHEETS
from tests.browser.driver import WAIT, address, settled

KEY = "attention-explorer-lessons"
HOSTILE = "<img src=x onerror=alert(1)>"
VIEW = {"lessons_view": "what do you know?"}
FIRST = inventory().half("A")
Open = Callable[..., Page]


@pytest.fixture
def sheet(page: Open, serve: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Page]:
    """`sheet("report", held={...}, width=390)` opens a page to print, in a browser that holds these answers."""
    monkeypatch.setattr("tests.browser.conftest.settled", lambda tab: None)  # no page of the app

    def open_sheet(name: str, held: Any = None, **options: Any) -> Page:
        base = serve("app.py")
        tab: Page = page(f"{base}/print/report", **options)
        if held is not None:
            tab.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEY, json.dumps(held)])
        if name in FOR_TEACHERS:  # whom the cookie of a class tells
            opened = tab.context.request.post(f"{base}/class/rooms", data={"lesson": next(iter(lessons()))})
            assert opened.ok
        tab.goto(f"{base}/print/{name}", timeout=4 * WAIT)  # the first to be opened computes all that it prints
        return tab

    return open_sheet


def faults(tab: Page, within: str | None = None) -> list[str]:
    """What axe-core finds."""
    found = Axe().run(tab, context=within)
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found.response["violations"]]


@pytest.mark.parametrize("name", SHEETS)
def test_a_page_to_print_is_plain_and_fits_a_phone(name: str, sheet: Callable[..., Page]) -> None:
    tab = sheet(name, width=390, dark=True)
    assert faults(tab) == [] and ("Right: " in tab.content()) is (name in FOR_TEACHERS)
    assert tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    colours = "() => { const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]; }"
    assert tab.evaluate(colours) == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]  # also in the dark
    tab.emulate_media(media="print")
    expect(tab.get_by_role("navigation")).to_be_hidden()
    tab.emulate_media(media="screen")


@pytest.mark.parametrize("minutes", PLANS.values())
def test_the_worksheet_of_a_plan_takes_two_to_four_sheets_of_paper(minutes: int, sheet: Callable[..., Page]) -> None:
    tab = sheet(f"worksheet-{minutes}")
    tab.emulate_media(media="print")  # the tab may be one that another test has set to "screen"
    printed = tab.pdf(prefer_css_page_size=True)
    tab.emulate_media(media="screen")
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", printed)) <= 4


def test_a_report_lists_what_was_right_and_what_to_look_at_again(sheet: Callable[..., Page]) -> None:
    lesson = next(iter(lessons().values()))
    given = {"answer": 1, "text": f"my {HOSTILE} text", "right": False, "share": 0.0}
    held = {
        f"{lesson.name}/1": given,
        "gone/1": given,
        "inventory/A": [FIRST[0].right, *((question.right + 1) % 4 for question in FIRST[1:])],
        "inventory/B": ["x"],
    }
    tab = sheet("report", held)
    expect(tab.get_by_role("heading", level=2)).to_have_count(2)
    expect(tab.locator(".count").first).to_have_text(f"0 of {len(lesson.screens)} right.")
    item = tab.locator(f"[data-lesson='{lesson.name}'] [data-screen='1']")
    expect(item).to_contain_text(f"To look at again. Your text: “my {HOSTILE} text”")
    assert tab.locator("img").count() == 0
    cells = tab.locator("#inventory [data-half=A]")
    expect(cells.nth(0)).to_have_text("right")
    expect(cells.nth(1)).to_have_text("to look at again")
    expect(tab.locator("#inventory [data-half=B]").first).to_have_text("–")
    assert faults(tab) == []


@pytest.mark.parametrize("held", [None, [], {}, 7, "text", {"what-is-a-token/1": None}, {"inventory/A": 3}])
def test_a_report_stands_whatever_the_browser_holds(held: Any, sheet: Callable[..., Page]) -> None:
    tab = sheet("report", held)
    expect(tab.locator("#date")).not_to_be_empty()
    shown = tab.locator("section:visible").count()
    assert tab.locator("#empty").is_visible() == (shown == 0)


def test_a_report_without_scripts_says_what_is_missing(chromium: Browser, serve: Callable[[str], str]) -> None:
    context = chromium.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(f"{serve('app.py')}/print/report")
    assert "needs a script" in tab.locator("main").inner_text()
    context.close()


def choose(tab: Page, question: str, option: int) -> None:
    """Choose an option of a question with the keyboard alone."""
    radio = tab.get_by_role("radiogroup", name=question, exact=True).get_by_role("radio")
    radio.first.focus()
    tab.keyboard.press("Space")
    for _ in range(option):
        tab.keyboard.press("ArrowDown")
    expect(radio.nth(option)).to_be_checked()
    settled(tab)


def test_a_half_is_answered_with_the_keyboard_and_stays_in_the_browser(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "lessons", **VIEW))
    send = tab.get_by_role("button", name="Show what is right")
    send.click()
    settled(tab)
    expect(tab.get_by_text("Not answered yet: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11")).to_be_visible()
    assert faults(tab, ".st-key-choices-lessons-A") == []
    for number, question in enumerate(FIRST, 1):
        choose(tab, f"{number}. {question.question}", (question.right + (number == 2)) % 4)
    expect(tab.get_by_text("Not answered yet")).to_have_count(0)
    send.focus()
    tab.keyboard.press("Enter")
    expect(tab.get_by_text("10 of 11 right before the lessons.")).to_be_visible()
    expect(tab.get_by_text(FIRST[1].because)).to_be_visible()
    expect(tab.get_by_text("Many think:")).to_have_count(1)
    assert faults(tab, ".st-key-lessons-A-wrong") == []
    tab.wait_for_function(f"() => localStorage.getItem('{KEY}')?.includes('inventory/A')", timeout=WAIT)
    tab.goto(address(serve("app.py"), "lessons", **VIEW))
    settled(tab)
    expect(tab.get_by_text("10 of 11 right before the lessons.")).to_be_visible()


def test_the_card_for_teachers_leads_to_the_plan(page: Open, serve: Callable[[str], str]) -> None:
    tab = page(address(serve("app.py"), "lessons"))
    with tab.context.expect_page() as opened:
        tab.get_by_role("link", name="Plan of 90 minutes").click()
    opened.value.wait_for_load_state()
    expect(opened.value.get_by_role("heading", level=1)).to_have_text("Plan of 90 minutes")
    opened.value.close()


def test_the_end_of_a_lesson_leads_to_the_report_of_it(page: Open, serve: Callable[[str], str]) -> None:
    lesson = lessons()["what-is-a-token"]
    number = next(n for n in range(len(lesson.screens), 0, -1) if lesson.screens[n - 1].kind == "choice")
    assert number == len(lesson.screens)
    tab = page(address(serve("app.py"), lesson.screens[-1].page, lesson=lesson.name, screen=number))
    form = tab.locator(f".st-key-lesson-answer-{lesson.name}-{number}")
    form.get_by_role("radio").first.check()
    form.get_by_role("button", name="Answer").click()
    settled(tab)
    tab.wait_for_function(f"() => localStorage.getItem('{KEY}')?.includes('{lesson.name}/{number}')", timeout=WAIT)
    with tab.context.expect_page() as opened:
        tab.get_by_role("link", name="Print what you did").click()
    report = opened.value
    expect(report.locator(f"[data-lesson={lesson.name}] [data-screen='{number}'] .text")).to_contain_text(lesson.words)
    expect(report.locator(f"[data-lesson={lesson.name}] [data-screen='1'] .result")).to_have_text("Not answered.")
    report.close()
