"""The inventory before and after a class in real browsers: a teacher, a projector and two phones."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.lessons.inventory import UNSURE_ANSWER, InventoryQuestion, inventory
from tests.browser.driver import tap
from tests.browser.server import serving
from tests.browser.test_class import DEMO, LAPTOP, LETTERS, PHONE, PROJECTOR, Open, choose, note, sound, tabs_of
from tests.browser.test_class_plan import builder, do
from tests.pages.classroom.lesson import LESSON
from tests.pages.classroom.own_plan import plan_file

__all__ = ["tabs_of"]
ASKING = plan_file(1) | {"inventory": True}
TICK = "Ask the inventory before and after"
HALF = {half: inventory().half(half) for half in "AB"}
FITS = "() => document.documentElement.scrollHeight <= innerHeight"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(DEMO) as address:
        yield address


def fill(phone: Page, half: str, right: int, word: str = "") -> None:
    """Answer the first questions of a half rightly, say of others that one does not know, and leave out the last."""
    groups = phone.locator("#question fieldset fieldset")
    expect(groups).to_have_count(len(HALF[half]))
    for number, question in enumerate(HALF[half][:-1]):
        answer = _right(question) if number < right else UNSURE_ANSWER
        group = phone.get_by_role("group", name=question.question)
        tap(group.get_by_text(answer, exact=True))
    phone.get_by_label("Your word").fill(word)
    tap(phone.get_by_role("button", name="Send"))
    expect(note(phone)).to_contain_text("Your answer is in")


def _right(question: InventoryQuestion) -> str:
    return question.options[question.right].text


def opened(tab: Page, file: Path) -> Page:
    """Open a class with the plan in a file that asks the inventory."""
    builder(tab).get_by_label("Open a saved plan").set_input_files(file)
    expect(tab.get_by_label(TICK)).to_be_checked()
    assert sound(tab) == []
    tab.get_by_role("button", name="Open the class").click()
    expect(tab.locator(".letters")).to_have_text(LETTERS)
    return tab


def test_a_class_is_asked_before_and_after_and_sees_its_gain(url: str, tabs_of: Open, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(json.dumps(ASKING))
    teacher = opened(tabs_of(f"{url}/class/teach", LAPTOP), tmp_path / "plan.json")
    code = teacher.locator(".letters").inner_text()
    projector = tabs_of(str(teacher.get_by_role("link", name="Open the projector").get_attribute("href")), PROJECTOR)
    phones = []
    for i in range(2):
        phones.append(tabs_of(f"{url}/class/{code}", PHONE, dark=bool(i)))
        expect(phones[i].locator("#place")).to_have_text("Question 1 of 3")
    do(teacher, "Open the vote", "The vote is open.")
    for phone, half, right in zip(phones, "AB", (1, 0), strict=True):
        fill(phone, half, right, word="blue whale")
    assert sound(projector, *phones) == []
    phones[0].reload()
    expect(phones[0].get_by_label("Your word")).to_have_value("blue whale")
    expect(phones[0].get_by_role("radio", checked=True)).to_have_count(len(HALF["A"]) - 1)
    expect(projector.locator("#count")).to_have_text("2 of 2 have answered")
    do(teacher, "Close the vote", "The vote is closed.")
    for tab in (projector, *phones):
        expect(tab.locator("#outcome:visible, #spread:visible, .gain, .tally, .verdict")).to_have_count(0)
    do(teacher, "Next question", "The question is not open yet.")
    do(teacher, "Open the vote", "The vote is open.")
    for phone in phones:
        choose(phone, "the numbers of a row")
    do(teacher, "Close the vote", "The vote is closed.")
    do(teacher, "Show what is right", "It is shown what is right.")
    do(teacher, "Next question", "The question is not open yet.")
    do(teacher, "Open the vote", "The vote is open.")
    for phone, half, right in zip(phones, "BA", (4, 2), strict=True):
        fill(phone, half, right)
    do(teacher, "Close the vote", "The vote is closed.")
    do(teacher, "Show what is right", "It is shown what is right.")
    see_the_gain(projector, teacher)
    see_the_corrections(phones[0])
    assert sound(teacher, projector, *phones) == []
    do(teacher, "End the lesson", "The lesson is over.")
    expect(projector.locator(".gain tbody tr")).to_have_count(len(HALF["A"]))
    expect(phones[1].locator("#summary li")).to_have_count(1)
    expect(phones[1].locator("#outcome .verdict")).to_have_text("Right: 0 of 11 before, 2 of 11 after.")


def see_the_gain(*tabs: Page) -> None:
    """Of 20 pairs 1 was right before and 6 after, which makes 5/19; without one phone 3/9, without the other 2/10."""
    for tab in tabs:
        rows = tab.locator(".gain tbody tr")
        expect(rows).to_have_count(len(HALF["A"]))
        # The first phone was right about the first idea before and after, the second after alone.
        assert rows.first.locator("td").all_inner_texts() == ["2", "50%", "100%", "1.00"]
        assert rows.last.locator("td").all_inner_texts() == ["0", "–", "–", "–"]
        expect(tab.get_by_text("The gain of all ideas together is 0.26, with a standard error of")).to_be_visible()
        expect(tab.get_by_text("not for a pupil")).to_be_visible()
    assert tabs[0].evaluate(FITS)


def see_the_corrections(phone: Page) -> None:
    expect(phone.locator("#outcome .verdict")).to_have_text("Right: 1 of 11 before, 4 of 11 after.")
    lists = phone.locator("#outcome ol")
    expect(lists).to_have_count(2)
    expect(lists.nth(0).locator("li.right")).to_have_count(1)
    expect(lists.nth(1).locator("li.right")).to_have_count(4)
    expect(lists.nth(1).locator("li").nth(4)).to_contain_text(HALF["B"][4].because)
    expect(phone.locator("#question")).to_be_hidden()


def test_the_long_plan_is_ticked_and_a_lesson_has_no_tick(url: str, tabs_of: Open, tmp_path: Path) -> None:
    tab = tabs_of(f"{url}/class/teach?plan=plan-90", LAPTOP)
    tick = tab.get_by_label(TICK)
    expect(tick).to_be_checked()
    expect(tab.locator("#asked")).to_contain_text(f"{len(HALF['A'])} questions")  # its one lesson teaches no idea
    tab.get_by_role("radio", name="Plan of 45 minutes").check()
    expect(tick).not_to_be_checked()
    tab.get_by_role("radio", name=LESSON.title).check()
    expect(tick).to_be_hidden()
    builder(tab)
    expect(tab.locator("#asked")).to_contain_text("One question, of about a minute, for each idea")
    tab.get_by_text("1 · ").click()
    tab.locator(".builder .tick input").first.check()
    tick.check()
    with tab.expect_download() as saved:
        tab.get_by_role("button", name="Save this plan").click()
    saved.value.save_as(tmp_path / "plan.json")
    assert json.loads((tmp_path / "plan.json").read_text())["inventory"] is True
