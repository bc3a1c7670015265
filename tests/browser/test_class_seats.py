"""A class in real browsers: who may store nothing, who has two tabs, who types otherwise, and what leads a class."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import looked_until, tap
from tests.browser.server import serving
from tests.browser.test_class import DEMO, LAPTOP, PHONE, Lesson, Open, choose, note, sound
from tests.browser.test_class import tabs_of as tabs_of
from tests.pages.classroom.lesson import LESSON

FORBID = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });"""
ACTIVE = "() => document.activeElement.id || document.activeElement.textContent"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(DEMO) as address:
        yield address


def type_code(phone: Page, url: str, code: str) -> None:
    phone.goto(f"{url}/class")
    phone.get_by_label("The five letters on the projector").fill(code)
    tap(phone.get_by_role("button", name="Join"))
    expect(note(phone)).not_to_be_empty()


def test_a_browser_that_may_store_nothing_is_one_participant(url: str, tabs_of: Open) -> None:
    lesson = Lesson(url, tabs_of)
    phone = tabs_of(f"{url}/class", PHONE)
    phone.context.add_init_script(FORBID)
    type_code(phone, url, f" {lesson.code[:2]} {lesson.code[2:].lower()} ")
    expect(note(phone)).to_contain_text("Wait until your teacher")
    phone.reload()
    expect(note(phone)).to_contain_text("Wait until your teacher")
    type_code(phone, url, lesson.code)
    expect(note(phone)).to_contain_text("Wait until your teacher")
    lesson.do("Open the vote", "The vote is open.")
    choose(phone, "the numbers of a row")
    expect(lesson.projector.locator("#count")).to_have_text("1 of 1 have answered")


def test_a_code_is_read_as_keyboards_compose_it_and_typed_again_it_is_the_same_phone(url: str, tabs_of: Open) -> None:
    lesson = Lesson(url, tabs_of)
    phone = tabs_of(f"{url}/class", PHONE, watched=False)
    box = phone.get_by_label("The five letters on the projector")
    keyboard = phone.context.new_cdp_session(phone)
    for end in range(1, 6):  # as Android does it, letter by letter in small letters
        text = lesson.code[:end].lower()
        keyboard.send("Input.imeSetComposition", {"text": text, "selectionStart": end, "selectionEnd": end})
    keyboard.send("Input.insertText", {"text": lesson.code.lower()})
    expect(box).to_have_value(lesson.code.lower())
    tap(phone.get_by_role("button", name="Join"))
    expect(note(phone)).to_contain_text("Wait until your teacher")
    full_width = "".join(chr(ord(letter) + 0xFEE0) for letter in lesson.code)
    type_code(phone, url, full_width)
    expect(note(phone)).to_contain_text("Wait until your teacher")
    expect(lesson.projector.locator("#count")).to_have_text("1 is here")
    type_code(phone, url, lesson.code + "BB")
    expect(note(phone)).to_have_text("A code has five letters; this has 7.")
    phone.goto(f"{url}/class/{lesson.code}BB")
    expect(phone.get_by_role("heading", name="There is no such class")).to_be_focused()
    assert sound(phone) == []


def test_two_tabs_of_a_phone_share_a_stream(url: str, tabs_of: Open) -> None:
    lesson = Lesson(url, tabs_of)
    one = lesson.join()
    streams: list[str] = []
    one.context.on("request", lambda request: streams.append(request.url) if "/events?" in request.url else None)
    expect(note(one)).to_contain_text("Wait until your teacher")
    other = one.context.new_page()
    other.goto(one.url)
    expect(note(other)).to_contain_text("Wait until your teacher")
    other.wait_for_timeout(7000)  # three times the pause before a stream is opened again
    assert len(streams) <= 2
    lesson.do("Open the vote", "The vote is open.")
    for tab in (one, other):
        expect(tab.get_by_role("button", name="Answer")).to_be_visible()
    other.close()
    lesson.do("Close the vote", "The vote is closed.")
    expect(note(one)).to_have_text("The vote is closed.")
    expect(lesson.teacher.locator("#counts")).not_to_contain_text("away")
    assert len(streams) <= 3


def test_a_teacher_locks_clears_comes_back_and_saves_before_closing(url: str, tabs_of: Open) -> None:
    lesson = Lesson(url, tabs_of, watched=False)
    teacher, phone = lesson.teacher, lesson.join()
    assert teacher.url == f"{url}/class/teacher/{lesson.code}" and teacher.evaluate("() => document.cookie") == ""
    expect(note(phone)).to_contain_text("Wait until your teacher")
    lesson.do("Open the vote", "The vote is open.")
    assert teacher.evaluate(ACTIVE) == "state"
    choose(phone, "the numbers of a row")
    teacher.get_by_role("button", name="Nobody else may join").click()
    expect(teacher.get_by_role("button", name="Nobody else may join", pressed=True)).to_be_focused()
    teacher.emulate_media(forced_colors="active")
    fills = teacher.locator("#tools button").evaluate_all(
        "(all) => all.map((each) => getComputedStyle(each).backgroundColor)"
    )
    assert fills[1] not in (fills[0], fills[2]) and fills[0] == fills[2]  # what is pressed is seen in forced colours
    teacher.emulate_media(forced_colors="none")
    late = lesson.join()
    expect(late.locator("#connection")).to_have_text("Your teacher lets nobody else join. Trying again…")
    teacher.get_by_role("button", name="Clear this vote").click()
    teacher.get_by_role("button", name="Clear all answers to this question").click()
    expect(note(phone)).to_have_text("Your teacher has cleared this vote. Answer again.")
    expect(teacher.locator("#counts")).to_contain_text("0 of 1")
    choose(phone, "the numbers of a column")
    teacher.goto(f"{url}/class/teach")  # as after closing the tab
    teacher.get_by_role("link", name="Back to your class").click()
    expect(teacher.locator("#state")).to_have_text("The vote is open.")
    teacher.get_by_role("button", name="Nobody else may join").click()
    expect(note(late)).to_have_text("")  # the phone comes in by itself
    expect(late.get_by_role("button", name="Answer")).to_be_visible()
    assert sound(teacher, late) == []
    teacher.get_by_role("button", name="Close the class").click()
    with teacher.expect_download() as saved:
        teacher.locator(".asked-first").get_by_role("link", name="Counts as CSV").click()
    assert "the numbers of a column" in Path(saved.value.path()).read_text(encoding="utf-8")
    teacher.get_by_role("button", name="Close it for everyone").click()
    expect(teacher.get_by_role("heading", name="This class is over")).to_be_focused()
    expect(phone.get_by_role("heading", name="This class is over")).to_be_visible()
    teacher.goto(f"{url}/class/teach")
    expect(teacher.get_by_role("radio", name=LESSON.title)).to_be_checked()
    expect(teacher.get_by_role("link", name="Back to your class")).to_have_count(0)


def test_a_browser_without_cookies_is_told_why_it_leads_no_class(url: str, tabs_of: Open) -> None:
    lesson = Lesson(url, tabs_of)
    other = tabs_of(f"{url}/class/teacher/{lesson.code}", LAPTOP, watched=False)
    expect(other.get_by_role("heading", name="This browser does not lead this class")).to_be_visible()
    other.context.add_init_script("Object.defineProperty(document, 'cookie', { get: () => '', set() {} })")
    other.goto(f"{url}/class/teach")
    expect(note(other)).to_contain_text("keeps none here")
    expect(other.get_by_role("link", name="in a tab of its own")).to_have_attribute("target", "_blank")
    expect(other.get_by_role("button", name="Open the class")).to_be_hidden()
    assert looked_until(other, lambda: sound(other), lambda found: not found) == []
