"""The drawings that the browser gets in advance are those that the view makes after the click."""

from dataclasses import replace

import numpy as np
import pytest

from core.tracing.run import Run
from pages.canvas.runtime import asked, clicks
from pages.canvas.runtime.asked import AskedFrames
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.pack import unpack
from pages.shell import ahead
from pages.shell.ahead import MAX_FRAMES, with_frames
from pages.shell.page import Page
from pages.shell.parts import drawings_in
from pages.shell.saved.frames import shown_at
from pages.shell.view import Shown, View
from pages.widgets import PLACE, Values
from tests.pages.house import BY_ADDRESS, PAGES
from tests.pages.sentences import run_for
from tests.pages.test_canvas_frames import put_together

VIEWS = [(page, view) for page in PAGES for view in page.views if view.answers_ahead]
IDS = [f"{page.address}-{view.name}" for page, view in VIEWS]
HEADS = BY_ADDRESS["heads"]


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> AskedFrames:
    """What a visitor's session holds; drawing takes as long as it takes."""
    state = AskedFrames()
    monkeypatch.setattr(clicks.st, "session_state", {})
    monkeypatch.setattr(asked, "visit_part", lambda kind: state)
    monkeypatch.setattr(ahead, "MAX_SECONDS", 600)
    return state


def drawings_of(shown: Shown) -> dict[str, CanvasDrawing]:
    return {each.key: each for each in drawings_in(shown.pictures) if isinstance(each, CanvasDrawing)}


def run_of(page: Page) -> Run:
    return run_for(page, page.text or "The cat sat on the mat and the dog sat on the rug")


@pytest.mark.parametrize(("page", "view"), VIEWS, ids=IDS)
def test_every_frame_is_what_the_view_draws_after_the_click(page: Page, view: View, held: AskedFrames) -> None:
    run, values = run_of(page), Values()
    shown = shown_at(page, view, run, values)[1]
    held.asked = True
    drawn = drawings_of(with_frames(page, view, run, values, shown))
    settings = {setting.key: setting for setting in (*page.all_settings, *PLACE)}
    frames = {key: unpack(each.data())[0].get("frames") for key, each in drawn.items()}
    assert any(those is not None and len(those["list"]) > 1 for those in frames.values())
    for key, those in frames.items():
        if those is None:
            continue
        for number in range(0, len(those["list"]), 7):
            choice = dict(zip(those["keys"], those["list"][number]["choice"], strict=True))
            after = shown_at(page, view, run, values.but({settings[name]: value for name, value in choice.items()}))[1]
            meta, arrays = put_together(drawn[key].data(), number)
            expected_meta, expected = unpack(drawings_of(after)[key].packed())
            assert {name: value for name, value in meta.items() if name != "answers"} == expected_meta
            assert arrays.keys() == expected.keys()
            assert all(np.array_equal(arrays[name], expected[name]) for name in expected)


@pytest.mark.parametrize(("page", "view"), VIEWS, ids=IDS)
def test_without_a_click_there_are_no_frames(page: Page, view: View, held: AskedFrames) -> None:
    shown = shown_at(page, view, run_of(page), Values())[1]
    assert with_frames(page, view, run_of(page), Values(), shown) is shown
    assert not held.states


@pytest.mark.parametrize("sentences", [5, 60])  # whose frames are too large, and whose matrix is by itself
def test_a_long_text_gets_no_frames_and_is_not_asked_again(sentences: int, held: AskedFrames) -> None:
    run, values = run_for(HEADS, " ".join(["The cat sat on the mat."] * sentences)), Values()
    view = HEADS.view("all heads")
    shown = shown_at(HEADS, view, run, values)[1]
    for was_too_large in (False, sentences == 5):
        assert held.are_too_large == was_too_large
        held.asked = True
        drawings = drawings_of(with_frames(HEADS, view, run, values, shown)).values()
        assert not any("frames" in unpack(drawing.data())[0] for drawing in drawings)


def test_at_24_tokens_every_head_has_its_frame(held: AskedFrames) -> None:
    run, values = run_for(HEADS, "the cat sat on the mat " * 3 + "the cat sat"), Values()
    view = HEADS.view("all heads")
    held.asked = True
    drawn = drawings_of(with_frames(HEADS, view, run, values, shown_at(HEADS, view, run, values)[1]))
    for drawing in drawn.values():
        frames = unpack(drawing.data())[0]["frames"]
        places = {
            tuple(frame["choice"][frames["keys"].index(key)] for key in ("layer", "head")) for frame in frames["list"]
        }
        assert len(places) == run.config.layers * run.config.heads


def test_a_click_brings_the_frames_and_the_next_change_does_not(held: AskedFrames) -> None:
    view, run, values = HEADS.view("all heads"), run_of(HEADS), Values()
    shown = shown_at(HEADS, view, run, values)[1]
    clicks.store({"no setting": 1})
    drawn = drawings_of(with_frames(HEADS, view, run, values, shown))["heads-grid"]
    assert 1 < len(unpack(drawn.data())[0]["frames"]["list"]) <= MAX_FRAMES + 1
    assert held.states
    assert with_frames(HEADS, view, run, values, shown) is shown


def test_the_states_of_another_text_are_forgotten(held: AskedFrames) -> None:
    view, values = HEADS.view("all heads"), Values()
    for text in ("The cat sat", "A dog ran"):
        run = replace(run_of(HEADS), text=text)
        held.asked = True
        with_frames(HEADS, view, run, values, shown_at(HEADS, view, run, values)[1])
        assert held.about == (HEADS.address, view.name, run)
