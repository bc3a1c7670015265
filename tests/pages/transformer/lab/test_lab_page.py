"""The page The lab: a run that learns, goes back, and ends; settings that make no model; and steps that diverge."""

from typing import Any

import numpy as np
import pytest

from core.lab.live import measured_at
from core.lab.recipe import starting_recipe
from core.tracing.run import Run
from pages.canvas import HeadGrid
from pages.shell.prepare import DEFAULTS, make_run
from pages.shell.view import Shown
from pages.transformer.lab import queries, settings
from pages.transformer.lab.page import PAGE
from pages.transformer.lab.parts import PLAYER
from pages.widgets import Columns, Control, Message, Part, Player, Values
from tests.pages.conftest import Open
from tests.pages.house import path_of
from tests.pages.screen import said

SMALL = {settings.TASK: "repeat", settings.LAYERS: "2", settings.WIDTH: "32", settings.RATE: "0.01"}


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine takes no fewer steps in these tests."""
    monkeypatch.setattr(queries, "AT_ONCE", 120)


@pytest.fixture(scope="module")
def run() -> Run:
    return make_run(DEFAULTS, "the wolf", "")


def shown(run: Run, view: str, asked: dict[Any, Any] | None = None) -> Shown:
    chosen = Values(asked)
    control: Control
    for control in PAGE.view(view).controls(run, chosen):
        chosen[control.setting] = (asked or {}).get(
            control.setting, control.options.get("default", control.setting.default)
        )
    found: Shown = PAGE.view(view).show(run, chosen)
    return found


def parts(found: Shown) -> list[Part]:
    return [
        each
        for part in found.pictures
        for each in ([e for c in part.columns for e in c] if isinstance(part, Columns) else [part])
    ]


def player(found: Shown) -> Player:
    return next(part for part in found.pictures if isinstance(part, Player))


def test_answers_turn_right_and_the_sentence_says_at_which_step(run: Run) -> None:
    assert "Nothing has been learned yet" in shown(run, "train one", SMALL).said[0]
    found = shown(run, "train one", SMALL | {settings.STEP: 120})
    assert player(found).have == 120 and found.said[0].startswith("It has happened: at step ")


def test_a_step_is_the_same_when_the_run_comes_back_to_it(run: Run) -> None:
    shown(run, "train one", SMALL | {settings.STEP: 40})
    found = shown(run, "train one", SMALL | {settings.STEP: 33})
    grid = next(part for part in parts(found) if isinstance(part, HeadGrid))
    (expected,) = measured_at(starting_recipe("repeat", lr=0.01), 33)
    assert player(found).have == 33
    assert np.array_equal(grid.shades, np.round(255 * expected.patterns).astype(np.uint8))


@pytest.mark.parametrize(
    "wrong", [{settings.WIDTH: "1", settings.HEADS: "16"}, {settings.WIDTH: "32", settings.HEADS: "3"}]
)
@pytest.mark.parametrize("view", [view.name for view in PAGE.views])
def test_settings_that_make_no_model_give_a_sentence(run: Run, view: str, wrong: dict[Any, Any]) -> None:
    (message,) = shown(run, view, wrong).pictures
    assert isinstance(message, Message) and "is not divisible by" in message.text


def test_a_run_that_diverges_says_where_and_keeps_the_last_good_step(run: Run) -> None:
    wild = {settings.RATE: "1000000000", settings.WIDTH: "16", settings.HEADS: "2", settings.LAYERS: "2"}
    found = shown(run, "train one", wild | {settings.STEP: 500})
    messages = [part.text for part in found.pictures if isinstance(part, Message)]
    assert messages and "left the numbers" in messages[0]
    assert player(found).over and f"Step {player(found).have:,} is the last good one" in messages[0]


def test_a_task_brings_its_own_settings(open_page: Open) -> None:
    at = open_page(path_of(PAGE))
    assert at.selectbox(key=settings.LAYERS.key).value == "3"
    at.selectbox(key=settings.TASK.key).set_value("induction").run()
    assert (
        at.selectbox(key=settings.LAYERS.key).value == "2"
        and at.selectbox(key=settings.POSITIONS.key).value == "rotary"
    )
    assert not at.exception


def test_play_and_ten_steps_move_the_run(open_page: Open) -> None:
    small = {settings.TASK.key: "repeat", settings.RATE.key: "0.01"}
    at = open_page(path_of(PAGE), **small)
    at.button(key=f"{PLAYER}-+10").click().run()
    assert at.number_input(key=settings.STEP.key).value == 10
    at.button(key=f"{PLAYER}-play").click().run()
    assert at.button(key=f"{PLAYER}-play").label == "Pause"
    at.button(key=f"{PLAYER}-play").click().run()
    at.number_input(key=settings.STEP.key).set_value(120).run()
    assert "It has happened" in said(at) and not at.exception


@pytest.mark.parametrize("matrix", settings.MATRIX.options)
def test_an_update_is_that_of_the_run(run: Run, matrix: str) -> None:
    found = shown(run, "one update", SMALL | {settings.MATRIX: matrix, settings.STEP: 3, settings.ROW: 999})
    assert "w  = " in found.arithmetic
    assert found.said[0].startswith(("Step 4 takes this weight", "In step 4 no position"))
    assert "rows and" in str(found.notes[0])
