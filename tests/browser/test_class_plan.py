"""A class with a plan in real browsers: put together, saved, opened again, and led with one code through all of it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driver import tap
from tests.browser.server import serving
from tests.browser.test_class import DEMO, LAPTOP, LETTERS, PHONE, PROJECTOR, Open, choose, note, send, sound, tabs_of
from tests.pages.classroom.lesson import LESSON, WORDS
from tests.pages.classroom.own_plan import OWN, plan_file

__all__ = ["tabs_of"]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(DEMO) as address:
        yield address


def builder(tab: Page) -> Page:
    """The page with the box open in which a plan is put together."""
    tab.get_by_role("radio", name="A plan of your own").check()
    expect(tab.locator(".builder")).to_be_visible()
    return tab


def put_together(tab: Page) -> None:
    """Choose two questions and write one, in the order: first, own, third."""
    tab.get_by_text(f"1 · {LESSON.title}").click()
    for screen in (LESSON.screens[2], LESSON.screens[0]):
        tab.get_by_label(screen.question).check()
    tab.get_by_text("A question of your own").click()
    tab.get_by_label("The question", exact=True).fill(OWN["own"])
    tab.get_by_role("button", name="Add this question").click()
    expect(tab.locator(".own .problem")).to_have_text("Your question, option 1 has no text.")
    for number, option in enumerate(OWN["options"], 1):
        tab.get_by_label(f"Option {number}").fill(option)
    tab.locator(".own-option").nth(OWN["right"] - 1).get_by_role("radio").check()
    tab.get_by_label("Why it is right").fill(OWN["explanation"])
    tab.get_by_role("button", name="Add this question").click()
    expect(tab.locator(".chosen li")).to_have_count(3)
    tab.get_by_role("button", name="Move question 1 down").click()
    tab.get_by_role("button", name="Move question 2 down").click()
    expect(tab.locator(".chosen li").first).to_contain_text(LESSON.screens[0].question)
    tab.get_by_label("The title of the plan").fill("Our hour")


def opened(tab: Page, file: Path) -> Page:
    """Open a class with the plan in a file and a sentence that does not suit its third question."""
    builder(tab).get_by_label("Open a saved plan").set_input_files(file)
    expect(tab.locator(".chosen li")).to_have_count(3)
    tab.get_by_label("The sentence that all questions are about").fill("a dog")
    tab.get_by_role("button", name="Open the class").click()
    expect(tab.locator("#problems")).to_contain_text("Question 3, “")
    assert sound(tab) == []
    tab.get_by_role("button", name="Open the class nevertheless").click()
    expect(tab.locator(".letters")).to_have_text(LETTERS)
    return tab


def test_a_plan_is_put_together_saved_and_opened_again(url: str, tabs_of: Open, tmp_path: Path) -> None:
    tab = builder(tabs_of(f"{url}/class/teach", LAPTOP, watched=False))  # a question without options is refused
    put_together(tab)
    assert sound(tab) == []
    with tab.expect_download() as saved:
        tab.get_by_role("button", name="Save this plan").click()
    saved.value.save_as(tmp_path / "plan.json")
    assert saved.value.suggested_filename == "our-hour.json"
    assert json.loads((tmp_path / "plan.json").read_text()) == plan_file(1, OWN, 3)
    teacher = opened(tabs_of(f"{url}/class/teach", LAPTOP), tmp_path / "plan.json")
    expect(teacher.get_by_role("heading", name="Our hour")).to_be_visible()
    expect(teacher.locator("#screens li")).to_have_count(3)


class PlanClass:
    """A class with a plan of three questions: a teacher, a projector and two phones."""

    def __init__(self, url: str, open_tab: Open, file: Path, watched: bool = True) -> None:
        file.write_text(json.dumps(plan_file(1, OWN, 3)))
        self.teacher = opened(open_tab(f"{url}/class/teach", LAPTOP, watched), file)
        code = self.teacher.locator(".letters").inner_text()
        link = self.teacher.get_by_role("link", name="Open the projector").get_attribute("href")
        self.projector = open_tab(str(link), PROJECTOR, watched)
        self.phones = [open_tab(f"{url}/class/{code}", PHONE, watched, dark=bool(i)) for i in range(2)]
        self.tabs = (self.teacher, self.projector, *self.phones)

    def ask(self, number: int) -> None:
        """Open the vote on a question; every screen says which of the three it is."""
        do(self.teacher, "Open the vote", "The vote is open.")
        for tab in self.tabs:
            expect(tab.locator("#place")).to_have_text(f"Question {number} of 3")

    def vote(self, number: int, *answers: str) -> None:
        """Ask a question, let both phones choose an answer, and show what is right."""
        self.ask(number)
        for phone, answer in zip(self.phones, answers, strict=True):
            choose(phone, answer)
        expect(self.projector.locator("#count")).to_have_text("2 of 2 have answered")
        self.show()

    def show(self) -> None:
        do(self.teacher, "Close the vote", "The vote is closed.")
        do(self.teacher, "Show what is right", "It is shown what is right.")
        expect(self.projector.locator(".verdict")).to_contain_text("The model: ")


def choose_cell(phone: Page) -> None:
    tap(phone.locator("td .pick").nth(2))
    send(phone)
    expect(note(phone)).to_contain_text("Your answer is in")


def test_one_code_leads_through_a_plan_of_three_questions(url: str, tabs_of: Open, tmp_path: Path) -> None:
    led = PlanClass(url, tabs_of, tmp_path / "plan.json")
    led.vote(1, "the numbers of a row", "all numbers together")
    do(led.teacher, "Next question", "The question is not open yet.")
    led.vote(2, OWN["options"][2], OWN["options"][0])
    expect(led.projector.locator("h2")).to_have_text(OWN["own"])
    assert sound(*led.tabs) == [] and led.projector.locator("main b, main i").count() == 0  # its text is text
    do(led.teacher, "Previous question", "It is shown what is right.")
    expect(led.phones[0].locator("#place")).to_have_text("Question 1 of 3")
    do(led.teacher, "Next question", "It is shown what is right.")
    do(led.teacher, "Next question", "The question is not open yet.")
    led.ask(3)
    expect(led.projector.locator(".sentence")).to_have_text(LESSON.words)  # the typed one does not suit this question
    choose_cell(led.phones[0])
    table = led.projector.get_by_role("table", name="rows are queries, columns are keys")
    expect(table.get_by_role("rowheader")).to_have_text(list(WORDS))
    expect(table.get_by_role("columnheader")).to_have_text(list(WORDS))
    assert sound(led.projector) == []
    led.show()
    expect(table).to_have_count(0)
    do(led.teacher, "End the lesson", "The lesson is over.")
    expect(led.phones[0].locator("#summary li")).to_have_count(3)
    expect(led.phones[0].locator("#summary .verdict")).to_have_text("2 of 3 right.")
    expect(led.phones[1].locator("#summary .verdict")).to_have_text("0 of 3 right.")
    expect(led.projector.locator(".results li")).to_have_count(3)
    assert sound(*led.tabs) == []


def test_everybody_is_told_of_another_sentence_and_votes_anew(url: str, tabs_of: Open, tmp_path: Path) -> None:
    led = PlanClass(url, tabs_of, tmp_path / "plan.json", watched=False)  # a sentence is refused
    led.teacher.get_by_role("button", name=LESSON.screens[2].question).click()
    led.ask(3)
    choose_cell(led.phones[0])
    led.teacher.get_by_role("button", name="Change the sentence").click()
    sentence = led.teacher.get_by_label("The sentence of this question")
    sentence.fill("a dog")
    led.teacher.get_by_role("button", name="Change it for everyone").click()
    expect(led.teacher.locator("#note")).to_have_text("This question needs a text with a cat.")
    sentence.fill("one cat <b>ran</b>")
    led.teacher.get_by_role("button", name="Change it for everyone").click()
    expect(led.teacher.locator("#state")).to_have_text("The question is not open yet.")
    for phone in led.phones:
        expect(note(phone)).to_contain_text("Your teacher has changed the sentence.")
        expect(phone.locator(".sentence")).to_have_text("one cat <b>ran</b>")
    expect(led.projector.locator(".hint")).to_have_text("The sentence has changed.")
    assert sound(*led.tabs) == []
    led.ask(3)
    expect(led.projector.locator("#count")).to_have_text("0 of 2 have answered")
    choose_cell(led.phones[1])
    expect(led.projector.locator("#count")).to_have_text("1 of 2 have answered")


def do(teacher: Page, name: str, then: str) -> None:
    teacher.locator("#actions").get_by_role("button", name=name, exact=True).click()
    expect(teacher.locator("#state")).to_have_text(then)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "This file is no plan of Attention Explorer."),
        ("[]", "This is no plan of Attention Explorer."),
        (json.dumps(plan_file(99)), "Question 1 is not in its lesson"),
        (" " * 200_000, "This file is too large for a plan."),
    ],
)
def test_a_file_that_is_no_plan_leaves_the_plan_as_it_is(
    content: str, sentence: str, url: str, tabs_of: Open, tmp_path: Path
) -> None:
    tab = builder(tabs_of(f"{url}/class/teach", PHONE, watched=False))
    tap(tab.get_by_text(f"1 · {LESSON.title}"))
    tab.get_by_label(LESSON.screens[0].question).check()
    (tmp_path / "plan.json").write_text(content)
    tab.get_by_label("Open a saved plan").set_input_files(tmp_path / "plan.json")
    expect(tab.locator(".builder > .problem")).to_contain_text(sentence)
    expect(tab.locator(".chosen li")).to_have_count(1)
    assert sound(tab) == []
