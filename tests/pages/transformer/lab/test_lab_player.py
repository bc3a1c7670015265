"""The player of the page The lab: Play trains until it is paused, and Back, Step and the field go to kept steps."""

import time
from types import SimpleNamespace

import numpy as np
import pytest

from core.lab.live import LiveRun, measured_at
from core.lab.recipe import starting_recipe
from core.tracing.run import Run
from pages.canvas import HeadGrid
from pages.compute import lab_runs
from pages.transformer.lab import queries, settings
from pages.transformer.lab.page import PAGE
from pages.transformer.lab.parts import LONGEST_STRIDE, PLAYER
from pages.widgets import player as widgets_player
from tests.pages.conftest import Open
from tests.pages.house import path_of
from tests.pages.transformer.lab.views import SMALL, parts, player, shown, words_of


def test_going_back_shows_the_last_kept_step_and_trains_nothing(run: Run) -> None:
    live = lab_runs.live_run(starting_recipe("repeat", lr=0.01))
    shown(run, "train one", SMALL | {settings.STEP: 40})
    reached = live.reached
    found = shown(run, "train one", SMALL | {settings.STEP: 33})
    grid = next(part for part in parts(found) if isinstance(part, HeadGrid))
    (expected,) = measured_at(starting_recipe("repeat", lr=0.01), 30)
    assert player(found).have == player(found).asked == 30 and live.reached == reached
    assert np.array_equal(grid.shades, np.round(255 * expected.patterns).astype(np.uint8))
    assert any(f"The run is at step {reached:,} of 1,000" in words for words in words_of(found))


def test_step_and_back_go_from_kept_step_to_kept_step(open_page: Open) -> None:
    at = open_page(path_of(PAGE), **{settings.TASK.key: "repeat", settings.STEP.key: "10"})
    for button, step in (("step", 15), ("step", 20), ("back", 15), ("back", 10), ("back", 5), ("back", 3)):
        at.button(key=f"{PLAYER}-{button}").click().run()
        assert at.number_input(key=settings.STEP.key).value == step and not at.exception
    for asked, step in ((27, 25), (26, 30), (29, 25), (24, 20), (21, 25)):
        at.number_input(key=settings.STEP.key).set_value(asked).run()
        assert at.number_input(key=settings.STEP.key).value == step


def test_play_trains_on_until_it_is_paused(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "WAIT_SECONDS", 0.5)
    recipe = starting_recipe("repeat", steps=20_000, seed=91)
    small = {settings.TASK.key: "repeat", settings.LENGTH.key: "20000", settings.SEED.key: "91"}
    at = open_page(path_of(PAGE), **small)
    live = lab_runs.live_run(recipe)
    assert live.reached == 0
    at.button(key=f"{PLAYER}-play").click().run()
    assert at.button(key=f"{PLAYER}-play").label == "Pause" and at.number_input(key=settings.STEP.key).value == 0
    seen = live.reached
    at.run()
    assert live.reached > seen  # though no later step was asked for
    at.button(key=f"{PLAYER}-play").click().run()
    assert at.button(key=f"{PLAYER}-play").label == "Play"
    (job,) = [job for _, job in at.session_state["visit"].jobs.values()]
    assert not job.running and rests(live)
    at.number_input(key=settings.STEP.key).set_value(live.stop_before(live.reached)).run()
    assert not at.exception and at.number_input(key=settings.STEP.key).value == live.stop_before(live.reached)


def rests(live: LiveRun) -> bool:
    """Whether a run is trained no more; the slice that was under way may end first."""
    time.sleep(0.3)
    reached = live.reached
    time.sleep(0.3)
    return live.reached == reached


@pytest.mark.parametrize(("speed", "asked"), [(settings.SLOW, 25), (settings.FAST, 20 + LONGEST_STRIDE)])
def test_a_tick_of_the_player_asks_for_the_next_kept_step_or_for_a_second_of_training(
    run: Run, monkeypatch: pytest.MonkeyPatch, speed: str, asked: int
) -> None:
    live = lab_runs.live_run(starting_recipe("repeat", lr=0.01))
    chosen = SMALL | {settings.STEP: 20, settings.SPEED: speed}
    shown(run, "train one", chosen)
    monkeypatch.setattr(live, "seconds", 1e-4)
    found = player(shown(run, "train one", chosen))
    monkeypatch.setattr(widgets_player, "visit_state", lambda: SimpleNamespace(playing={PLAYER}, automatic=set()))
    monkeypatch.setattr(widgets_player.st, "session_state", state := {settings.STEP.key: 20})
    found._tick(20)
    assert state == {settings.STEP.key: asked}


def test_a_run_that_was_let_go_is_trained_again(run: Run) -> None:
    asked = SMALL | {settings.STEP: 15}
    assert player(shown(run, "train one", asked)).have == 15
    lab_runs._live_runs.clear()  # as if others had trained so many runs that this one was let go
    assert player(shown(run, "train one", asked)).have == 15
