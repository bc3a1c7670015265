"""A class in real browsers: a teacher, a projector and three phones take a lesson together."""

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.driver import looked_until, tap
from tests.browser.server import processes, serving
from tests.browser.tabs import WatchedTab
from tests.browser.test_first_screen import found_by_axe
from tests.pages.classroom.lesson import LESSON

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LAPTOP = {"viewport": {"width": 1440, "height": 900}}
PROJECTOR = {"viewport": {"width": 1280, "height": 720}}
DEMO = "tests/browser/apps/class_demo.py"
TOO_WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
TOUCHED = "button, input:not([type=range], [type=radio], [type=checkbox]), select, a.main, label:is(.option, .tick)"
SMALL = f"""() => [...document.querySelectorAll("{TOUCHED}")]
  .filter((element) => element.offsetParent && !element.closest("[hidden]"))
  .filter((element) => element.getBoundingClientRect().height < 44).map((element) => element.outerHTML)"""
LETTERS = re.compile("^[B-DF-HJ-NP-TV-XZ]{5}$")
Open = Callable[..., Page]


@pytest.fixture
def tabs_of(chromium: Browser) -> Iterator[Open]:
    """`tabs_of(url, PHONE)` opens a page in a browser of its own.

    The test fails when any of them logs an error, but for those opened with watched=False.
    """
    taken: list[tuple[WatchedTab, bool]] = []

    def open_tab(url: str, device: dict[str, Any], watched: bool = True, dark: bool = False) -> Page:
        tab = WatchedTab(chromium.new_context(**device, color_scheme="dark" if dark else "light"), device)
        taken.append((tab, watched))
        tab.page.goto(url)
        return tab.page

    yield open_tab
    problems = [problem for tab, watched in taken if watched for problem in tab.problems]
    for tab, _ in taken:
        tab.close()
    assert not problems, "\n".join(problems)


class Lesson:
    """A class with its teacher and its projector."""

    def __init__(self, url: str, open_tab: Open, sentence: str = "", watched: bool = True) -> None:
        self.url, self.open_tab, self.watched = url, open_tab, watched
        self.teacher = open_tab(f"{url}/class/teach?lesson={LESSON.name}", LAPTOP, watched)
        expect(self.teacher.get_by_role("radio", name=LESSON.title)).to_be_checked()
        if sentence:
            self.teacher.get_by_label("The sentence that all questions are about").fill(sentence)
        self.teacher.get_by_role("button", name="Open the class").click()
        expect(self.teacher.locator(".letters")).to_have_text(LETTERS)
        self.code = self.teacher.locator(".letters").inner_text()
        link = self.teacher.get_by_role("link", name="Open the projector").get_attribute("href")
        self.projector = open_tab(str(link), PROJECTOR, watched)
        expect(self.projector.locator(".letters")).to_have_text(self.code)

    def join(self, watched: bool = True, **options: Any) -> Page:
        return self.open_tab(f"{self.url}/class/{self.code}", PHONE, watched and self.watched, **options)

    def do(self, name: str, then: str) -> None:
        """Click on one of the teacher's buttons, and wait until the teacher's page says that it is done."""
        self.teacher.locator("#actions").get_by_role("button", name=name, exact=True).click()
        expect(self.teacher.locator("#state")).to_have_text(then)


def note(phone: Page) -> Locator:
    return phone.locator("#note")


def send(phone: Page) -> None:
    tap(phone.get_by_role("button", name="Answer"))


def choose(phone: Page, text: str) -> None:
    tap(phone.get_by_text(text, exact=True))
    send(phone)
    expect(note(phone)).to_contain_text("Your answer is in")


def draw_row(phone: Page) -> None:
    """Draw with the finger: over the first bars, from high to low."""
    bars = phone.locator(".track")
    for bar in range(3):
        box = bars.nth(bar).bounding_box()
        assert box and box["height"] > 100 > box["width"]
        phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] * (0.2 + 0.2 * bar))


def fill_gaps(phone: Page) -> None:
    for gap, label in enumerate(("√d_k", "V")):
        phone.get_by_role("combobox").nth(gap).select_option(label)


ANSWERS: dict[str, Callable[[Page], None]] = {
    "token": lambda phone: tap(phone.locator(".pick").nth(1)),
    "cell": lambda phone: tap(phone.locator("td .pick").nth(2)),
    "row": draw_row,
    "order": lambda phone: tap(phone.get_by_role("button", name="Move the down")),
    "number": lambda phone: phone.get_by_role("textbox").fill("6"),
    "formula": fill_gaps,
}


def sound(*tabs: Page) -> list[str]:
    """What is wrong with pages: what axe finds, what is too wide, and what is too small for a thumb."""
    found: list[str] = []
    for tab in tabs:
        found += found_by_axe(tab)
        if (width := tab.evaluate(TOO_WIDE)) > 0:
            found.append(f"{tab.url} is {width} pixels too wide")
        if (tab.viewport_size or {"width": 0})["width"] < 500:
            found += [f"{tab.url}: too small: {element}" for element in tab.evaluate(SMALL)]
    return found


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(DEMO) as address:
        yield address


def test_a_class_takes_a_whole_lesson(url: str, tabs_of: Open) -> None:
    lesson = Lesson(url, tabs_of)
    join = tabs_of(f"{url}/class", PHONE)
    assert sound(join, lesson.projector, lesson.teacher) == []
    join.get_by_label("The five letters on the projector").fill(lesson.code.lower())
    tap(join.get_by_role("button", name="Join"))
    one, other = join, lesson.join(watched=False, dark=True)
    for phone in (one, other):
        expect(note(phone)).to_contain_text("Wait until your teacher")
    expect(lesson.projector.locator("#count")).to_have_text("2 are here")
    first_vote(lesson, one, other)
    late = closed_vote(lesson, one)
    second_vote(lesson, one, other, late)
    for number in range(2, len(LESSON.screens) + 1):
        one_vote(lesson, number, one, other, late)
    expect(one.locator("#summary")).to_contain_text("3 of 7 right")
    expect(lesson.projector.locator(".results li").first).to_contain_text("1 of 2 right, then 3 of 3 right")
    assert sound(one, lesson.teacher, lesson.projector) == []


def first_vote(lesson: Lesson, one: Page, other: Page) -> None:
    """One votes, reloads and is stuck; the other is offline while answering."""
    count = lesson.projector.locator("#count")
    lesson.do("Open the vote", "The vote is open.")
    assert sound(one, other, lesson.teacher, lesson.projector) == []
    choose(one, "the numbers of a row")
    expect(count).to_have_text("1 of 2 have answered")
    other.context.set_offline(True)
    tap(other.get_by_text("the numbers of a column", exact=True))
    send(other)
    expect(note(other)).to_contain_text("Your answer is kept")
    other.context.set_offline(False)
    expect(note(other)).to_contain_text("Your answer is in")
    expect(count).to_have_text("2 of 2 have answered")
    one.reload()
    expect(one.get_by_role("radio", name="the numbers of a row")).to_be_checked()
    tap(one.get_by_role("button", name="I am stuck"))
    expect(lesson.teacher.locator("#counts")).to_contain_text("1 stuck")


def closed_vote(lesson: Lesson, one: Page) -> Page:
    """The vote stays closed through reloads, and for somebody who comes late."""
    lesson.do("Close the vote", "The vote is closed.")
    expect(lesson.teacher.locator("#advice")).to_contain_text("50% are right. Let them talk in pairs")
    late = lesson.join()
    for phone in (one, late):
        phone.reload()
        expect(note(phone)).to_have_text("The vote is closed.")
        expect(phone.get_by_role("button", name="Answer")).to_be_hidden()
    return late


def second_vote(lesson: Lesson, *phones: Page) -> None:
    """All see the spread without the truth, vote again, and see the truth and its explanation."""
    lesson.do("Show the spread", "The spread is shown, without what is right.")
    for tab in (*phones, lesson.projector):
        expect(tab.locator(".tally li")).to_have_count(3)
        assert tab.locator(".tally .right").count() == 0 and "✓" not in tab.inner_text("main")
    lesson.do("Vote again", "The second vote is open.")
    for phone in phones:
        expect(note(phone)).to_contain_text("Vote again")
        choose(phone, "the numbers of a row")
    expect(lesson.projector.locator("#count")).to_have_text("3 of 3 have voted again")
    lesson.do("Close the vote", "The second vote is closed.")
    lesson.do("Show what is right", "It is shown what is right.")
    expect(lesson.projector.locator(".tally .right")).to_contain_text("the numbers of a row")
    for phone in phones:
        expect(phone.locator("#outcome")).to_contain_text("That is right.")
    lesson.do("Explain it", "The explanation is shown.")
    for phone in phones:
        expect(phone.locator("#outcome")).to_contain_text("The weights of a query share the whole.")
    assert sound(*phones, lesson.teacher, lesson.projector) == []
    lesson.do("Next question", "The question is not open yet.")


def one_vote(lesson: Lesson, number: int, *phones: Page) -> None:
    """A question with one vote, answered in the way of its kind."""
    screen, is_last = LESSON.screens[number - 1], number == len(LESSON.screens)
    lesson.do("Open the vote", "The vote is open.")
    for phone in phones:
        expect(phone.locator("legend")).to_have_text(screen.question)
        ANSWERS[screen.kind](phone)
        assert screen.kind == "cell" or sound(phone) == []  # a table of cells scrolls in itself
        send(phone)
        expect(note(phone)).to_contain_text("Your answer is in")
    lesson.do("Close the vote", "The vote is closed.")
    lesson.do("Show what is right", "It is shown what is right.")
    lesson.do("Explain it", "The explanation is shown.")
    assert sound(phones[0], lesson.projector) == []
    if is_last:
        lesson.do("End the lesson", "The lesson is over.")
    else:
        lesson.do("Next question", "The question is not open yet.")


def test_everyone_goes_at_their_own_pace(url: str, tabs_of: Open) -> None:
    lesson = Lesson(url, tabs_of)
    phone = lesson.join()
    expect(note(phone)).to_contain_text("Wait")
    lesson.teacher.get_by_role("button", name="Let everyone go at their own pace").click()
    expect(lesson.projector.locator("main")).to_contain_text("Everyone works at their own pace.")
    tap(phone.get_by_text("the numbers of a column", exact=True))
    send(phone)
    expect(phone.locator("#outcome")).to_contain_text("A key may get any sum")
    expect(phone.locator("#outcome-title")).to_be_focused()
    expect(phone.locator("#news")).to_have_text(phone.locator("#outcome .verdict").inner_text())
    tap(phone.get_by_role("button", name="Next question"))
    expect(phone.locator("legend")).to_have_text(LESSON.screens[1].question)
    expect(phone.locator("legend")).to_be_focused()
    expect(phone.locator("#news")).to_contain_text(f"Question 2 of 7. {LESSON.screens[1].text}".strip())
    expect(lesson.projector.locator(".results li").first).to_contain_text("1 answered")
    lesson.teacher.get_by_role("button", name="Bring everyone together again").click()
    expect(phone.locator("#place")).to_have_text("Question 1 of 7")


def test_a_lesson_can_be_led_and_answered_with_the_keyboard_alone(url: str, tabs_of: Open) -> None:
    lesson = Lesson(url, tabs_of)
    learner = tabs_of(f"{url}/class/{lesson.code}", LAPTOP)
    expect(note(learner)).to_contain_text("Wait")
    _tab_to(lesson.teacher, "Open the vote")
    lesson.teacher.keyboard.press("Enter")
    expect(learner.locator("legend")).to_be_visible()
    expect(learner.locator("#news")).to_contain_text(LESSON.screens[0].question)
    expect(lesson.teacher.locator("#state")).to_be_focused()
    learner.keyboard.press("Tab")
    learner.keyboard.press("ArrowDown")
    learner.keyboard.press("Enter")
    expect(note(learner)).to_contain_text("Your answer is in")
    expect(lesson.projector.locator("#count")).to_have_text("1 of 1 have answered")


def test_a_proxy_that_answers_for_a_server_that_is_away_is_told_from_a_lost_connection(url: str, tabs_of: Open) -> None:
    """A proxy's own answer is no JSON, and often empty; what was asked is asked again."""
    away, lesson = "The server does not answer just now.", Lesson(url, tabs_of, watched=False)
    phone = lesson.join()
    expect(note(phone)).to_contain_text("Wait")
    lesson.do("Open the vote", "The vote is open.")
    choice = phone.get_by_text("the numbers of a row", exact=True)
    expect(choice).to_be_visible()
    phone.route("**/class/**", lambda route: route.fulfill(status=502, body=""))
    tap(choice)
    send(phone)
    expect(note(phone)).to_have_text(f"{away} Your answer is kept, and is sent as soon as it can be.")
    phone.evaluate("() => dispatchEvent(new Event('online'))")
    expect(phone.locator("#connection")).to_have_text(f"{away} Trying again…")
    phone.unroute("**/class/**")
    expect(note(phone)).to_contain_text("Your answer is in")
    expect(phone.locator("#connection")).to_have_text("")
    expect(lesson.projector.locator("#count")).to_have_text("1 of 1 have answered")
    for page in ("", "/teach"):
        tab = tabs_of(f"{url}/class{page}", PHONE, watched=False)
        tab.route("**/class/**", lambda route: route.fulfill(status=503, body="<p>Later.</p>"))
        if page:
            tab.get_by_role("button", name="Open the class").click()
        else:
            tab.get_by_label("The five letters on the projector").fill("BBBBB")
            tab.get_by_role("button", name="Join").click()
        expect(note(tab)).to_have_text(away)


def _tab_to(tab: Page, name: str) -> None:
    for _ in range(30):
        tab.keyboard.press("Tab")
        if tab.evaluate("() => document.activeElement.textContent") == name:
            return
    raise AssertionError(f"the Tab key does not lead to “{name}”")


def test_a_server_that_was_started_again_is_told_everywhere(tabs_of: Open) -> None:
    hostile = "<img src=x onerror=document.title='hit'> cat **bold**"
    with ExitStack() as servers:
        url = servers.enter_context(serving(DEMO, base="foo/bar"))
        port = int(url.split(":")[2].split("/")[0])
        lesson = Lesson(url, tabs_of, hostile, watched=False)
        phone = lesson.join()
        expect(note(phone)).to_contain_text("Wait")
        for tab in (phone, lesson.teacher, lesson.projector):
            expect(tab.locator(".sentence")).to_have_text(hostile)
            assert tab.locator("img[src=x]").count() == 0 and "hit" not in tab.title()
        for folder in processes(url):
            os.kill(int(folder.name), signal.SIGKILL)
        expect(phone.locator("#connection")).to_contain_text("No connection")
        servers.enter_context(serving(DEMO, base="foo/bar", port=port))
        for tab in (phone, lesson.teacher, lesson.projector):
            expect(tab.get_by_role("heading", name="This class is over")).to_be_visible()
            alone = tab.get_by_role("link", name="on your own").get_attribute("href") or ""
            assert alone.startswith(f"{url}/{LESSON.screens[0].page}?lesson={LESSON.name}&screen=1&t=")
        assert sound(phone) == []


def test_a_server_with_open_streams_stops_when_it_is_told_to(tabs_of: Open) -> None:
    with serving(DEMO) as url:
        lesson = Lesson(url, tabs_of, watched=False)
        expect(note(lesson.join())).to_contain_text("Wait")
        for folder in processes(url):
            os.kill(int(folder.name), signal.SIGTERM)
        assert looked_until(lesson.projector, lambda: [*processes(url)], lambda running: not running) == []
