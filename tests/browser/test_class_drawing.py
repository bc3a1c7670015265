"""The page's own drawing in a class, after what is right is shown: alive, and shut off from everything else."""

from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, FrameLocator, Page, ViewportSize, expect

from core.lessons.lesson import Screen, lessons
from pages.classroom.slide_picture import HEIGHT, WIDTH
from pages.shell.saved.lesson import save_picture
from tests.browser.driver import tap
from tests.browser.test_class import LAPTOP, PHONE, PROJECTOR, TOO_WIDE, Open, sound, tabs_of
from tests.browser.test_class_plan import choose_cell, do
from tests.browser.text_sizes import RECORD, small_texts
from tests.pages.classroom.test_truths import BY_ADDRESS

__all__ = ["tabs_of"]
LESSON = lessons()["weights-of-a-row"]
WORDS = lessons()["query-key-value"]
FRAME_SIZE: ViewportSize = {"width": 610, "height": 566}  # of the drawing on a projector of 1280 × 720 pixels


class DrawnClass:
    """A class that has just seen what is right about one question, with a phone of 390 pixels."""

    def __init__(
        self, url: str, tabs_of: Open, lesson: str, number: int, vote: Callable[[Page], None] = lambda phone: None
    ) -> None:
        taken = lessons()[lesson]
        self.teacher = tabs_of(f"{url}/class/teach?lesson={lesson}", LAPTOP)
        expect(self.teacher.get_by_role("radio", name=taken.title)).to_be_checked()
        self.teacher.get_by_role("button", name="Open the class").click()
        self.teacher.get_by_role("button", name=taken.screens[number - 1].question).click()
        place = f"Question {number} of {len(taken.screens)}"
        expect(self.teacher.locator("#place")).to_have_text(place)
        code = self.teacher.locator(".letters").inner_text()
        link = self.teacher.get_by_role("link", name="Open the projector").get_attribute("href")
        self.projector = tabs_of(str(link), PROJECTOR)
        self.phone = tabs_of(f"{url}/class/{code}", PHONE | {"viewport": {"width": 390, "height": 844}})
        do(self.teacher, "Open the vote", "The vote is open.")
        vote(self.phone)
        do(self.teacher, "Close the vote", "The vote is closed.")
        for tab in (self.projector, self.phone):
            expect(tab.locator("#place")).to_have_text(place)
            assert tab.locator("iframe").count() == 0
        do(self.teacher, "Show what is right", "It is shown what is right.")
        expect(self.projector.locator("iframe")).to_be_visible()

    @property
    def wall(self) -> FrameLocator:
        return self.projector.frame_locator("iframe")


def test_the_projector_shows_the_drawing_which_answers_clicks(serve: Callable[[str], str], tabs_of: Open) -> None:
    shown = DrawnClass(serve("app.py"), tabs_of, LESSON.name, 2)
    projector, teacher = shown.projector, shown.teacher
    chosen = shown.wall.get_by_role("radio", name="2").first
    chosen.check(force=True)
    expect(chosen).to_be_checked()
    do(teacher, "Explain it", "The explanation is shown.")
    expect(chosen).to_be_checked()  # it is not drawn anew
    expect(projector.locator(".verdict")).to_be_visible()
    assert projector.evaluate(TOO_WIDE) <= 0 and outside(projector) == []
    do(teacher, "Next question", "The question is not open yet.")
    for tab in (projector, teacher, shown.phone):
        expect(tab.locator("iframe")).to_have_count(0)


def test_the_projector_shows_the_view_of_a_question_that_has_charts_alone(
    serve: Callable[[str], str], tabs_of: Open
) -> None:
    shown = DrawnClass(serve("app.py"), tabs_of, "words-as-vectors", 1)
    expect(shown.wall.get_by_text("Nearest to “king” is “queen” by both methods.")).to_be_visible()
    expect(shown.wall.locator("svg.marks").first).to_contain_text("prince")
    expect(shown.wall.locator(".st-key-header")).to_be_hidden()
    assert shown.projector.evaluate(TOO_WIDE) <= 0
    assert [tab.locator("iframe").count() for tab in (shown.teacher, shown.phone)] == [0, 0]
    do(shown.teacher, "Next question", "The question is not open yet.")
    expect(shown.projector.locator("iframe")).to_have_count(0)


def test_the_teachers_click_moves_the_projectors_drawing(serve: Callable[[str], str], tabs_of: Open) -> None:
    shown = DrawnClass(serve("app.py"), tabs_of, WORDS.name, 2)
    desk = shown.teacher.frame_locator("iframe")
    word = desk.get_by_role("button", name="hungry")
    word.click()
    for drawing in (desk, shown.wall):
        expect(drawing.locator(".caption").first).to_contain_text("“hungry”")
    desk.get_by_role("radio", name="keys").check(force=True)
    expect(shown.wall.get_by_role("radio", name="keys")).to_be_checked()
    expect(shown.wall.locator(".caption").first).to_contain_text("“hungry”")
    before = top_of(shown.wall)
    desk.locator("canvas.over").last.click(position={"x": 150, "y": 80})
    expect(shown.wall.locator(".panel").last).to_be_in_viewport()
    assert top_of(shown.wall) < before  # the matrix that was clicked is below what fits
    expect(desk.locator(".caption").first).not_to_contain_text("“hungry”")
    chosen = desk.locator(".caption").first.inner_text()
    expect(shown.wall.locator(".caption").first).to_have_text(chosen)
    for tab in (shown.teacher, shown.projector):
        tab.reload()
        expect(tab.frame_locator("iframe").get_by_role("radio", name="keys")).to_be_checked()
        expect(tab.frame_locator("iframe").locator(".caption").first).to_have_text(chosen)
    assert shown.phone.locator("iframe").count() == 0


def top_of(drawing: FrameLocator) -> float:
    """Where the upper edge of a drawing's page is, in pixels below that of its frame."""
    return float(drawing.locator("main").evaluate("(element) => element.getBoundingClientRect().top"))


def test_a_phone_opens_the_drawing_with_one_tap(serve: Callable[[str], str], tabs_of: Open) -> None:
    shown = DrawnClass(serve("app.py"), tabs_of, WORDS.name, 2)
    phone, asked = shown.phone, list[str]()
    phone.on("request", lambda request: asked.append(request.url))
    see = phone.get_by_role("button", name="See the picture")
    expect(see).to_be_visible()
    expect(phone.locator("#picture .quiet")).to_contain_text(" kB.")
    assert sound(phone) == [] and not any("/drawing/" in url for url in asked)
    tap(see)
    expect(phone.locator("#picture-title")).to_be_focused()
    drawing = phone.frame_locator("iframe")
    tap(drawing.get_by_role("button", name="hungry"))
    expect(drawing.locator(".caption").first).to_contain_text("“hungry”")
    expect(shown.wall.locator(".caption").first).to_contain_text("“bone”")  # a phone moves its own drawing alone
    assert sound(phone, shown.teacher, shown.projector) == [] and outside(phone) == []
    fits = "() => [scrollHeight, scrollWidth].every((size, i) => size <= [innerHeight, innerWidth][i])"
    assert phone.frames[1].evaluate(fits.replace("scroll", "document.documentElement.scroll"))
    do(shown.teacher, "Explain it", "The explanation is shown.")
    expect(phone.locator("#outcome")).to_contain_text(WORDS.screens[1].vary[:20])
    expect(drawing.locator(".caption").first).to_contain_text("“hungry”")  # it is not loaded anew
    assert sum("/drawing/" in url for url in asked) == 1


def test_the_teacher_saves_the_slide_as_a_picture(serve: Callable[[str], str], tabs_of: Open, tmp_path: Path) -> None:
    shown = DrawnClass(serve("app.py"), tabs_of, WORDS.name, 4, choose_cell)  # a cell of a table of weights
    with shown.teacher.expect_download() as saved:
        shown.teacher.get_by_role("button", name="Save this slide as PNG").click()
    assert saved.value.suggested_filename == "slide-4.png"
    saved.value.save_as(tmp_path / "slide.png")
    with Image.open(tmp_path / "slide.png") as picture:
        assert picture.size == (WIDTH, HEIGHT)
        table = picture.convert("RGB").crop((WIDTH // 2, HEIGHT // 4, WIDTH, HEIGHT - HEIGHT // 4))
    assert len(table.getcolors(WIDTH * HEIGHT) or ()) > 50  # shades of weights


def outside(tab: Page) -> list[str]:
    """What the drawing's page can reach of the page around it or of the app."""
    frame = tab.frames[1]
    ways = {
        "origin": "() => self.origin !== 'null'",
        "parent": "() => { try { return Boolean(parent.document); } catch { return false; } }",
        "network": f"() => fetch('{tab.url}').then(() => true, () => false)",
    }
    return [name for name, way in ways.items() if frame.evaluate(way)]


def different_pictures() -> list[tuple[str, Screen, str]]:
    """A question for each view that lessons show, with its sentence."""
    found: dict[tuple[str, ...], tuple[str, Screen, str]] = {}
    for lesson in lessons().values():
        for number, screen in enumerate(lesson.screens, 1):
            view = screen.settings.get(f"{screen.page}-view", "")
            found.setdefault((screen.page, view), (f"{lesson.number}.{number}", screen, lesson.words))
    return list(found.values())


def test_letters_of_drawings_are_large_enough_for_a_projector(chromium: Browser, tmp_path: Path) -> None:
    tab = chromium.new_page(viewport=FRAME_SIZE)
    tab.add_init_script(f"({RECORD})()")
    problems, measured = [], 0
    for name, screen, text in different_pictures():
        html = save_picture(BY_ADDRESS[screen.page], screen, text, max_frames=1)
        if not html:
            continue
        (tmp_path / f"{name}.html").write_text(html)
        tab.goto(f"file://{tmp_path}/{name}.html#large")
        tab.locator("html[data-ready]").wait_for()
        measured += 1
        problems += [f"{name}: {each}" for each in small_texts(tab, "main", "main")]
        if (width := tab.evaluate(TOO_WIDE)) > 0:
            problems.append(f"{name} is {width} pixels too wide")
    tab.close()
    assert problems == [] and measured > 10
