"""A saved page, opened from disk without a network: it draws, and each choice shows the app's numbers."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from core.lessons.lesson import lessons
from core.topics.heads.all_heads import patterns
from core.topics.shared.open_run import open_run
from core.topics.shared.places import HeadAddress
from core.tracing.run import Run
from pages.canvas import Matrices, Panel
from pages.canvas.runtime.standalone import Facts
from pages.shell.saved.document import save_page, save_view
from pages.shell.saved.frames import shown_at
from pages.shell.saved.lesson import save_lesson
from pages.widgets import HEAD, LAYER, Values, plain
from tests.browser.axe import found_by_axe
from tests.pages.house import BY_ADDRESS
from tests.pages.sentences import run_for

HEADS = BY_ADDRESS["heads"]
TEXT = "The cat sat on the mat and the dog sat on the rug"

PIXELS = "canvas => canvas.toDataURL()"


@pytest.fixture(scope="module")
def run() -> Run:
    return run_for(HEADS, TEXT)


@contextmanager
def opened_file(chromium: Browser, file: Path, dark: bool = False) -> Iterator[Page]:
    """A file in a tab without a network; it may not report anything."""
    with chromium.new_context(color_scheme="dark" if dark else "light", offline=True) as context:
        tab = context.new_page()
        reports: list[str] = []
        tab.on("console", lambda message: reports.append(message.text))
        tab.on("pageerror", lambda error: reports.append(str(error)))
        tab.on("request", lambda asked: reports.append(asked.url) if asked.url.startswith("http") else None)
        tab.goto(file.as_uri())
        tab.wait_for_selector("html[data-ready]")
        yield tab
        assert not reports


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def saved(request: pytest.FixtureRequest, run: Run, chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    """The saved view of all heads."""
    file = tmp_path / "heads.html"
    html = save_view(HEADS, HEADS.view("all heads"), run, Values(), Facts(TEXT, "A model"), max_seconds=600)
    file.write_text(html, encoding="utf-8")
    with opened_file(chromium, file, request.param) as tab:
        yield tab


def chosen(tab: Page) -> list[str]:
    """The values that the controls show."""
    return [
        str(value).strip('"') for value in tab.locator("input:checked").evaluate_all("all => all.map(e => e.value)")
    ]


def table(tab: Page) -> list[list[float]]:
    """The numbers of the table below the picture; "–" is 0, a weight that is masked."""
    rows = tab.locator("tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].slice(1).map(c => c.textContent))"
    )
    return [[float(cell.replace("−", "-")) if re.search(r"\d", cell) else 0.0 for cell in row] for row in rows]


def test_each_choice_shows_the_numbers_of_the_app(saved: Page, run: Run) -> None:
    saved.get_by_text("The numbers: pattern").click()
    model, tokenizer = open_run(run)
    for layer, head in ((0, 0), (5, 7), (2, 3)):
        saved.get_by_role("group", name="Layer").get_by_role("radio", name=str(layer + 1), exact=True).check()
        saved.get_by_role("group", name="Head").get_by_role("radio", name=str(head + 1), exact=True).check()
        expected = patterns(model, tokenizer, run, HeadAddress("decoder", layer)).pattern[head]
        assert abs(expected - table(saved)).max() < 1e-5
        title = f"Layer {layer + 1} · head {head + 1}"
        expect(saved.locator("[data-drawing=matrices] .title").first).to_contain_text(title)


def test_it_opens_with_what_the_page_said(saved: Page, run: Run) -> None:
    values = Values()
    said = shown_at(HEADS, HEADS.view("all heads"), run, values)[1].said[0]
    assert re.sub(r"[*_\\]", "", plain(said)) in saved.locator(".takeaway").first.inner_text()
    assert chosen(saved) == [values[LAYER], values[HEAD]]


def test_a_click_on_a_head_is_a_choice(saved: Page) -> None:
    stage = saved.locator("[data-drawing=head_grid] .stage")
    box = stage.bounding_box()
    assert box
    stage.click(position={"x": box["width"] * 0.93, "y": box["height"] * 0.83})
    assert chosen(saved) == ["6", "8"]
    expect(saved.locator("[data-drawing=matrices] .title").first).to_contain_text("Layer 6 · head 8")
    stage.press("ArrowLeft")
    stage.press("Enter")
    assert chosen(saved) == ["6", "7"]


def test_a_picture_saved_from_it_names_the_text_and_no_file_of_this_computer(saved: Page) -> None:
    with saved.expect_download() as download:
        saved.locator("[data-drawing=matrices] .save-svg").click()
    picture = download.value.path().read_text(encoding="utf-8")
    assert TEXT in picture and "A model" in picture and "file:" not in picture


def test_axe_finds_nothing(saved: Page) -> None:
    assert not found_by_axe(saved)


def test_all_views_of_a_page_answer_in_one_file(chromium: Browser, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "all.html"
    file.write_text(save_page(HEADS, run, Values(), Facts(TEXT, "A model"), max_frames=8), encoding="utf-8")
    with opened_file(chromium, file) as tab:
        sections = tab.locator("section")
        tab.get_by_role("navigation").get_by_role("link", name="lines").click()
        for section in sections.all():
            heads = section.get_by_role("group", name="Head", exact=True)
            if heads.count():
                heads.get_by_role("radio", name="3", exact=True).check()
                expect(heads.get_by_role("radio", name="3", exact=True)).to_be_checked()
        assert sections.count() == len(HEADS.views)
        assert not tab.locator(".stale:visible").count() and not found_by_axe(tab)


def test_any_row_and_cell_of_the_six_steps_answers_without_a_network(chromium: Browser, tmp_path: Path) -> None:
    page, file = BY_ADDRESS["self-attention"], tmp_path / "steps.html"
    run = run_for(page, "the cat sat on the mat " * 3 + "the cat sat")  # 24 tokens
    html = save_view(page, page.view("six steps"), run, Values(), max_seconds=600)
    assert len(html.encode()) < 400_000
    file.write_text(html, encoding="utf-8")
    with opened_file(chromium, file) as tab:
        words, picture = tab.locator("[data-drawing=token_buttons]"), tab.locator("[data-drawing=matrices]")
        arithmetic = tab.locator("pre").filter(visible=True)
        expect(arithmetic).to_have_count(1)
        pressed, stages = words.get_by_role("button", pressed=True), picture.locator(".stage")
        looks = [(pressed.get_attribute("aria-label"), stages.first.locator("canvas").first.evaluate(PIXELS))]
        for share in (0.45, 0.75):
            box = stages.nth(2).bounding_box()
            assert box
            stages.nth(2).click(position={"x": box["width"] * 0.6, "y": box["height"] * share})
            looks.append((pressed.get_attribute("aria-label"), stages.first.locator("canvas").first.evaluate(PIXELS)))
        expect(arithmetic).to_have_count(0)  # it is that of another cell
        words.get_by_role("button").nth(6).click()
        expect(words.get_by_role("button").nth(6)).to_have_attribute("aria-pressed", "true")
        looks.append((pressed.get_attribute("aria-label"), stages.first.locator("canvas").first.evaluate(PIXELS)))
        rows, pictures = zip(*looks, strict=True)
        assert len(set(rows)) == 4, "the words follow the row"
        assert len(set(pictures)) == 3 and pictures[0] == pictures[3], "the row of X is outlined from which Q was made"
        assert not tab.locator(".stale").count()


def test_a_file_without_a_drawing_comes_to_life(chromium: Browser, tmp_path: Path) -> None:
    """A view that measures only when it is asked to has no numbers yet."""
    page, file = BY_ADDRESS["kv-cache"], tmp_path / "time.html"
    file.write_text(save_view(page, page.view("time"), run_for(page, TEXT), Values()), encoding="utf-8")
    with opened_file(chromium, file) as tab:
        assert page.question in tab.inner_text("h1") and not tab.locator("[data-drawing]").count()


def test_a_saved_lesson_shows_each_picture_once_it_is_asked_for(chromium: Browser, tmp_path: Path) -> None:
    file, lesson = tmp_path / "lesson.html", lessons()["several-heads"]
    file.write_text(save_lesson(lesson, BY_ADDRESS, lesson.words), encoding="utf-8")
    with opened_file(chromium, file) as tab:
        for section in tab.locator("section").all():
            drawing = section.locator("[data-drawing]").first
            expect(drawing).not_to_be_visible()
            section.get_by_text("Show what is right").click()
            expect(drawing).to_be_visible()
            boxes = [each.bounding_box() for each in section.locator("[data-drawing]").all()]
            assert max(box["height"] for box in boxes if box) > 40
        assert not tab.locator(".stale:visible").count() and not found_by_axe(tab)


def test_a_drawing_answers_in_the_frame_of_a_notebook(chromium: Browser, request: pytest.FixtureRequest) -> None:
    matrices = Matrices([Panel("eye", "Eye", np.eye(3))], key="eye", name="Eye")
    context = chromium.new_context(offline=True)
    request.addfinalizer(context.close)
    tab = context.new_page()
    tab.set_content(matrices._repr_html_())
    stage = tab.frame_locator("iframe").locator(".stage")
    stage.hover(position={"x": 10, "y": 10})
    expect(tab.frame_locator("iframe").locator(".tip")).to_contain_text("1")
