"""The drawings that the browser gets in advance are those that the view makes after the next choice."""

import math
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.tracing.run import Run
from pages.canvas.runtime.drawing import CanvasDrawing
from pages.canvas.runtime.frames import FAST
from pages.canvas.runtime.pack import pack, unpack
from pages.canvas.runtime.stamps import Stamps
from pages.session.visit import VisitState
from pages.shell import ahead
from pages.shell.ahead import MAX_BYTES, MAX_FRAMES, MAX_STEPS, DrawnAhead, marked, send_ahead
from pages.shell.page import Page
from pages.shell.parts import drawings_in
from pages.shell.saved.frames import controls_at, shown_at
from pages.shell.view import Shown, View
from pages.widgets import HEAD, LAYER, PLACE, Setting, Values, control
from tests.pages.house import BY_ADDRESS, PAGES
from tests.pages.sentences import run_for
from tests.pages.test_canvas_frames import put_together

HEADS = BY_ADDRESS["heads"]
ALL_HEADS = HEADS.view("all heads")
# Pages without a drawing that is clicked or follows a control.
WITHOUT_FRAMES = {"welcome", "lessons", "glossary", "sources"}


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> DrawnAhead:
    """What a visitor's session holds; drawing takes as long as it takes."""
    state, visit = DrawnAhead(), VisitState()
    monkeypatch.setattr(ahead, "visit_part", {DrawnAhead: state, Stamps: Stamps()}.get)
    monkeypatch.setattr(ahead, "visit_state", lambda: visit)
    monkeypatch.setattr(ahead, "MAX_SECONDS", 600)
    monkeypatch.setattr(ahead, "MAX_STATE_SECONDS", 600)
    return state


def drawings_of(shown: Shown) -> dict[str, CanvasDrawing]:
    return {each.key: each for each in drawings_in(shown.pictures) if isinstance(each, CanvasDrawing)}


def run_of(page: Page) -> Run:
    return run_for(page, page.text or "The cat sat on the mat and the dog sat on the rug")


def settings_of(page: Page) -> dict[str, Setting]:
    return {setting.key: setting for setting in (*page.all_settings, *PLACE)}


def after_change(
    page: Page, view: View, run: Run, values: Values, held: DrawnAhead, keys: set[str]
) -> Mapping[str, bytes]:
    """The drawings with the frames that they are sent, by their keys, after these settings got the values of now."""
    shown = shown_at(page, view, run, values)[1]
    marked(page, view, run, values, shown)
    send_ahead()
    held.now = {**held.now, **dict.fromkeys(keys, "another")}
    sent: dict[str, bytes] = {}
    drawings = drawings_of(shown)

    def put_on(data: bytes) -> tuple[str, bytes]:
        """What component.js does."""
        assert len(zlib.compress(data, FAST)) < MAX_BYTES + 2000
        (added, arrays), key = unpack(data), unpack(data)[0]["of"]
        meta, known = drawings[key].unpacked()
        return key, pack({**meta, "answers": added["answers"], "frames": added["frames"]}, {**known, **arrays})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ahead, "send_frames", lambda frames: sent.update(map(put_on, frames)))
        marked(page, view, run, values, shown)
        send_ahead()
    return sent


def meta_of(data: bytes) -> dict[str, Any]:
    """What the data say of the frames."""
    frames: dict[str, Any] = unpack(data)[0]["frames"]
    return frames


def changes_of(page: Page, view: View, run: Run, values: Values) -> list[list[str]]:
    """The keys that clicks on the view's drawings change together, and those of its controls, in a fixed order."""
    controls, shown = shown_at(page, view, run, values)
    drawings = drawings_of(shown).values()
    clicked = {frozenset(click) for drawing in drawings for click in drawing.answers().values()}
    chosen = {frozenset({each.setting.key}) for each in controls if ahead._nearest(each, values)}
    return sorted(sorted(keys) for keys in clicked | chosen)


def alike(one: Any, other: Any) -> bool:
    """Whether two values are the same, but for the last digits of numbers, which depend on the number of threads."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-4, abs_tol=1e-6)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.address)
def test_every_frame_is_what_the_view_draws_after_the_change(
    page: Page, held: DrawnAhead, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "MAX_STEPS", 6)
    run, settings, brought = run_of(page), settings_of(page), 0
    for view in page.views:
        values = Values()
        for keys in changes_of(page, view, run, values):
            held.given_up = set()  # each change by itself
            for key, data in after_change(page, view, run, values, held, set(keys)).items():
                frames = meta_of(data)
                assert len(frames["list"]) > 1
                for number in range(1, len(frames["list"]), max(1, len(frames["list"]) // 3)):
                    choice = zip(frames["keys"], frames["list"][number]["choice"], strict=True)
                    changed = values.but({settings[name]: value for name, value in choice})
                    after = drawings_of(shown_at(page, view, run, changed)[1])[key]
                    meta, arrays = put_together(data, number)
                    expected_meta, expected = unpack(after.packed())
                    assert alike({name: value for name, value in meta.items() if name != "answers"}, expected_meta)
                    assert arrays.keys() == expected.keys()
                    assert all(np.array_equal(arrays[name], expected[name]) for name in expected)
                    brought += 1
    assert bool(brought) == (page.address not in WITHOUT_FRAMES)


def test_before_a_change_nothing_is_sent_and_a_player_causes_nothing(
    held: DrawnAhead, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, values = run_of(HEADS), Values()
    shown = shown_at(HEADS, ALL_HEADS, run, values)[1]
    monkeypatch.setattr(ahead, "send_frames", pytest.fail)
    for _ in range(2):  # the second time, nothing has changed
        assert marked(HEADS, ALL_HEADS, run, values, shown) is shown
        send_ahead()
    ahead.visit_state().automatic = {"head"}
    assert not after_change(HEADS, ALL_HEADS, run, values, held, {"head"})
    assert not held.states


def test_a_click_brings_the_frames_of_all_that_can_be_clicked(held: DrawnAhead) -> None:
    sent = after_change(HEADS, ALL_HEADS, run_of(HEADS), Values(), held, {"head"})
    assert 1 < len(meta_of(sent["heads-grid"])["list"]) <= MAX_FRAMES + 1
    assert held.states


def test_what_was_sent_stays_true_until_something_else_changes(held: DrawnAhead) -> None:
    run, values = run_of(HEADS), Values()
    sent = after_change(HEADS, ALL_HEADS, run, values, held, {"head"})
    about = meta_of(sent["heads-grid"])["about"]
    other = values.but({LAYER: "3"})
    shown = shown_at(HEADS, ALL_HEADS, run, other)[1]
    frames = meta_of(drawings_of(marked(HEADS, ALL_HEADS, run, other, shown))["heads-grid"].data())
    assert frames["about"] == about and frames["list"] is None
    assert dict(zip(frames["keys"], frames["at"], strict=True))["layer"] == "3"
    vivid = other.but({settings_of(HEADS)["heads-vivid"]: True})
    assert marked(HEADS, ALL_HEADS, run, vivid, shown) is shown, "these colours are in no frame"


def test_what_the_browser_has_is_not_sent_again(held: DrawnAhead, monkeypatch: pytest.MonkeyPatch) -> None:
    run, values = run_of(HEADS), Values()
    assert after_change(HEADS, ALL_HEADS, run, values, held, {"head"})
    monkeypatch.setattr(ahead, "sleep", pytest.fail)
    assert not after_change(HEADS, ALL_HEADS, run, values.but({LAYER: "3"}), held, {"layer", "head"})
    monkeypatch.undo()


def test_a_control_brings_the_frames_of_its_other_values(held: DrawnAhead) -> None:
    page, brought = BY_ADDRESS["scaling"], 0
    run, values = run_of(page), Values()
    for view in page.views:
        for each in controls_at(page, view, run, values)[0]:
            for data in after_change(page, view, run, values, held, {each.setting.key}).values():
                frames = meta_of(data)
                offered = frames["controls"][each.setting.key]
                place = frames["keys"].index(each.setting.key)
                assert {frame["choice"][place] for frame in frames["list"]} <= set(offered or range(1000))
                brought += 1
    assert brought


def test_of_a_control_the_nearest_values_are_drawn() -> None:
    slider = control(Setting("slider", "", "slider", 50, low=0, high=500))
    assert sorted(ahead._nearest(slider, Values())) == list(range(50 - MAX_STEPS // 2, 50 + MAX_STEPS // 2))
    steps = control(Setting("steps", "", "select_slider", "8", options=("2", "4", "8", "16")))
    assert ahead._nearest(steps, Values()) == ["8", "4", "16", "2"]
    long = control(Setting("list", "", "pills", "1", options=tuple(map(str, range(99)))))
    assert not ahead._nearest(long, Values()), "it is drawn as a list"


def test_of_a_number_box_the_next_values_up_and_down_are_drawn() -> None:
    whole = Setting("box", "", "int", 5, low=2, high=9)
    assert ahead._nearest(control(whole), Values())[:4] == [6, 4, 7, 3]
    assert ahead._nearest(control(whole, high=6), Values()) == [6, 4, 3, 2]
    assert not ahead._nearest(control(whole), Values({whole: None})), "an empty box has no steps"
    real = Setting("real", "", "float", 1.01, low=1.01, high=1e9)
    assert ahead._nearest(control(real), Values())[:3] == [1.02, 1.03, 1.04]
    assert ahead._nearest(control(real), Values({real: 1.234}))[:2] == [1.24, 1.22], "it shows 1.23"
    assert ahead._nearest(control(real, step=0.5, format="%g"), Values({real: 2.5}))[:2] == [3.0, 2.0]


def test_a_long_text_gets_no_frames_and_is_not_drawn_again(held: DrawnAhead, monkeypatch: pytest.MonkeyPatch) -> None:
    run, values = run_for(HEADS, " ".join(["The cat sat on the mat."] * 60)), Values()
    assert not after_change(HEADS, ALL_HEADS, run, values, held, {"head"})
    assert held.given_up and not held.states
    monkeypatch.setattr(ahead, "_snapshots", pytest.fail)
    assert not after_change(HEADS, ALL_HEADS, run, values, held, {"head"})


def test_of_frames_that_are_too_large_together_the_nearest_are_sent(
    held: DrawnAhead, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, values = run_for(HEADS, " ".join(["The cat sat on the mat."] * 8)), Values({LAYER: "3", HEAD: "3"})
    sent = after_change(HEADS, ALL_HEADS, run, values, held, {"head"})
    choices = [frame["choice"] for frame in meta_of(sent["heads-matrix"])["list"]]
    heads = [dict(zip(meta_of(sent["heads-matrix"])["keys"], choice, strict=True))["head"] for choice in choices]
    assert heads[:5] == ["3", "2", "4", "1", "5"] and len(choices) < run.config.heads * run.config.layers
    assert len(meta_of(sent["heads-grid"])["list"]) == len(choices)
    monkeypatch.setattr(ahead, "sleep", pytest.fail)
    assert not after_change(HEADS, ALL_HEADS, run, values.but({HEAD: "4"}), held, {"head"}), "3 and 5 are there"


def test_at_24_tokens_every_head_has_its_frame(held: DrawnAhead) -> None:
    run = run_for(HEADS, "the cat sat on the mat " * 3 + "the cat sat")
    for data in after_change(HEADS, ALL_HEADS, run, Values(), held, {"head"}).values():
        frames = meta_of(data)
        places = {
            tuple(frame["choice"][frames["keys"].index(key)] for key in ("layer", "head")) for frame in frames["list"]
        }
        assert len(places) == run.config.layers * run.config.heads


def test_nothing_is_drawn_ahead_while_others_wait_or_where_it_takes_long(
    held: DrawnAhead, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, values = run_of(HEADS), Values()
    with monkeypatch.context() as patch:
        patch.setattr(ahead.run_slots(), "waiting", [object()])
        assert not after_change(HEADS, ALL_HEADS, run, values, held, {"head"}) and not held.given_up
    monkeypatch.setattr(ahead, "MAX_STATE_SECONDS", 0)
    assert not after_change(HEADS, ALL_HEADS, run, values, held, {"head"})
    monkeypatch.setattr(ahead, "_snapshots", pytest.fail)
    assert not after_change(HEADS, ALL_HEADS, run, values, held, {"head"})


def test_what_was_drawn_for_another_text_is_forgotten(held: DrawnAhead) -> None:
    for text in ("The cat sat", "A dog ran"):
        run = replace(run_of(HEADS), text=text)
        after_change(HEADS, ALL_HEADS, run, Values(), held, {"head"})
        assert held.about == (HEADS.address, ALL_HEADS.name, run)
