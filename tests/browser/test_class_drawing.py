"""The page's own drawing on the projector, after what is right is shown: alive, and shut off from everything else."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from core.lessons.lesson import lessons
from tests.browser.test_class import LAPTOP, PROJECTOR, TOO_WIDE, Open, tabs_of
from tests.browser.test_class_plan import do

__all__ = ["tabs_of"]
LESSON = lessons()["weights-of-a-row"]


def test_the_projector_shows_the_drawing_which_answers_clicks(serve: Callable[[str], str], tabs_of: Open) -> None:
    teacher = tabs_of(f"{serve('app.py')}/class/teach?lesson={LESSON.name}", LAPTOP)
    expect(teacher.get_by_role("radio", name=LESSON.title)).to_be_checked()
    teacher.get_by_role("button", name="Open the class").click()
    teacher.get_by_role("button", name=LESSON.screens[1].question).click()
    expect(teacher.locator("#place")).to_have_text(f"Question 2 of {len(LESSON.screens)}")
    projector = tabs_of(str(teacher.get_by_role("link", name="Open the projector").get_attribute("href")), PROJECTOR)
    do(teacher, "Open the vote", "The vote is open.")
    do(teacher, "Close the vote", "The vote is closed.")
    expect(projector.locator("#place")).to_have_text(f"Question 2 of {len(LESSON.screens)}")
    assert projector.locator("iframe").count() == 0
    do(teacher, "Show what is right", "It is shown what is right.")
    expect(projector.locator("iframe")).to_be_visible()
    picture = projector.frame_locator("iframe")
    chosen = picture.get_by_role("radio", name="2").first
    chosen.check(force=True)
    expect(chosen).to_be_checked()
    do(teacher, "Explain it", "The explanation is shown.")
    expect(chosen).to_be_checked()  # it is not drawn anew
    expect(projector.locator(".verdict")).to_be_visible()
    assert projector.evaluate(TOO_WIDE) <= 0 and outside(projector) == []
    do(teacher, "Next question", "The question is not open yet.")
    expect(projector.locator("iframe")).to_have_count(0)


def outside(projector: Page) -> list[str]:
    """What the drawing's page can reach of the projector's or of the app."""
    frame = projector.frames[1]
    ways = {
        "origin": "() => self.origin !== 'null'",
        "parent": "() => { try { return Boolean(parent.document); } catch { return false; } }",
        "network": f"() => fetch('{projector.url}').then(() => true, () => false)",
    }
    return [name for name, way in ways.items() if frame.evaluate(way)]
