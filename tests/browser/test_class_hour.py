"""The plan of 45 minutes from its beginning to its end, in one room: a teacher, a projector, six phones."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from core.lessons.lesson import lessons
from pages.classroom.plans import timed_plan
from tests.browser.driver import tap
from tests.browser.test_class import ANSWERS, LAPTOP, PHONE, PROJECTOR, Open, note, send, sound, tabs_of
from tests.browser.test_class_plan import do

__all__ = ["tabs_of"]
PLAN = timed_plan("plan-45", lessons())
SENTENCE = "The tired child gave her red ball to a friend"


def first_option(phone: Page) -> None:
    phone.get_by_role("radio").first.check(force=True)


def fill_all_gaps(phone: Page) -> None:
    for gap in phone.get_by_role("combobox").all():
        gap.select_option(index=1)


def move_first(phone: Page) -> None:
    tap(phone.locator("button.down").first)


WAYS = ANSWERS | {"choice": first_option, "order": move_first, "formula": fill_all_gaps}


class Hour:
    """A room with the plan of 45 minutes, its teacher and its projector."""

    def __init__(self, url: str, tabs_of: Open) -> None:
        self.url, self.tabs_of, self.number = url, tabs_of, 1
        self.teacher = tabs_of(f"{url}/class/teach?plan={PLAN.name}", LAPTOP)
        expect(self.teacher.get_by_role("radio", name=PLAN.title)).to_be_checked()
        self.teacher.get_by_role("button", name="Open the class").click()
        expect(self.teacher.locator("#screens li")).to_have_count(len(PLAN.questions))
        self.code = self.teacher.locator(".letters").inner_text()
        link = self.teacher.get_by_role("link", name="Open the projector").get_attribute("href")
        self.projector = tabs_of(str(link), PROJECTOR)

    def join(self) -> Page:
        return self.tabs_of(f"{self.url}/class/{self.code}", PHONE)

    def open(self, *phones: Page) -> None:
        """Open the vote; every screen is at this question."""
        do(self.teacher, "Open the vote", "The vote is open.")
        for tab in (*phones, self.projector):
            expect(tab.locator("#place")).to_have_text(f"Question {self.number} of {len(PLAN.questions)}")

    def answer(self, *phones: Page, of: int) -> None:
        """Let these phones answer, in the way of the question's kind."""
        screen = PLAN.questions[self.number - 1].screen
        for phone in phones:
            expect(phone.locator("legend")).to_have_text(screen.question)
            WAYS[screen.kind](phone)
            send(phone)
            expect(note(phone)).to_contain_text("Your answer is in")
        expect(self.projector.locator("#count")).to_have_text(f"{len(phones)} of {of} have answered")

    def show(self) -> None:
        """Show what is right."""
        do(self.teacher, "Close the vote", "The vote is closed.")
        do(self.teacher, "Show what is right", "It is shown what is right.")
        expect(self.projector.locator(".verdict")).to_contain_text("The model: ")

    def next(self) -> None:
        """Go to the next question."""
        self.number += 1
        do(self.teacher, "Next question", "The question is not open yet.")


def test_a_class_takes_the_plan_of_45_minutes(serve: Callable[[str], str], tabs_of: Open) -> None:
    hour = Hour(serve("app.py"), tabs_of)
    phones = [hour.join() for _ in range(5)]
    hour.open(*phones)
    hour.answer(*phones, of=5)
    phones.append(hour.join())  # late: the others have answered
    expect(hour.projector.locator("#count")).to_have_text("5 of 6 have answered")
    hour.show()
    hour.next()
    vote_twice(hour, phones)
    while not is_about_words(hour):
        hour.next()
        hour.open(*phones)
        hour.answer(phones[0], of=6)
        hour.show()
    change_the_sentence(hour, phones)
    while hour.number < len(PLAN.questions):
        hour.next()
        hour.open(*phones)
        expect(hour.projector.locator(".sentence")).to_have_text(SENTENCE)
        hour.answer(phones[0], of=6)
        hour.show()
    see_the_drawing(hour)
    do(hour.teacher, "End the lesson", "The lesson is over.")
    for phone in phones:
        expect(phone.locator("#summary li")).to_have_count(len(PLAN.questions))
    expect(hour.projector.locator(".results li").nth(1)).to_contain_text("of 5 right, then ")
    assert sound(hour.teacher, hour.projector, phones[0], phones[5]) == []


def is_about_words(hour: Hour) -> bool:
    """Whether the class is at a question on the page of queries, keys and values."""
    return PLAN.questions[hour.number - 1].screen.page == "self-attention"


def vote_twice(hour: Hour, phones: list[Page]) -> None:
    """Five vote while the sixth phone sleeps; it comes back for the second vote."""
    asleep = phones[5]
    asleep.goto("about:blank")
    expect(hour.teacher.locator("#counts")).to_contain_text("1 asleep or away")
    hour.open(*phones[:5])
    hour.answer(*phones[:5], of=6)
    do(hour.teacher, "Close the vote", "The vote is closed.")
    do(hour.teacher, "Show the spread", "The spread is shown, without what is right.")
    do(hour.teacher, "Vote again", "The second vote is open.")
    asleep.go_back()
    expect(hour.teacher.locator("#counts")).not_to_contain_text("away")
    for phone in phones:
        expect(note(phone)).to_contain_text("Vote again")
        first_option(phone)
        send(phone)
        expect(note(phone)).to_contain_text("Your answer is in")
    expect(hour.projector.locator("#count")).to_have_text("6 of 6 have voted again")
    do(hour.teacher, "Close the vote", "The second vote is closed.")
    do(hour.teacher, "Show what is right", "It is shown what is right.")
    expect(asleep.locator("#outcome")).to_be_visible()


def change_the_sentence(hour: Hour, phones: list[Page]) -> None:
    """Ask the question that the class is at anew, about another sentence; later questions follow."""
    hour.teacher.get_by_role("button", name="Change the sentence").click()
    hour.teacher.get_by_label("The sentence of this question").fill(SENTENCE)
    hour.teacher.get_by_role("button", name="Change it for everyone").click()
    expect(hour.teacher.locator("#state")).to_have_text("The question is not open yet.")
    for phone in phones:
        expect(note(phone)).to_contain_text("Your teacher has changed the sentence.")
        expect(phone.locator(".sentence")).to_have_text(SENTENCE)
    hour.open(*phones)
    expect(hour.projector.locator("#count")).to_have_text("0 of 6 have answered")
    hour.answer(*phones, of=6)
    hour.show()


def see_the_drawing(hour: Hour) -> None:
    """The drawing is on the projector, about the sentence of now, and answers there and on the teacher's page."""
    wall, desk = (tab.frame_locator("iframe") for tab in (hour.projector, hour.teacher))
    wall.get_by_role("button", name="child").click()
    expect(wall.locator(".caption").first).to_contain_text("“child”")
    desk.get_by_role("button", name="ball").click()
    expect(wall.locator(".caption").first).to_contain_text("“ball”")
