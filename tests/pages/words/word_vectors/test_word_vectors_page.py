"""The page Word vectors: every view on its own numbers, and with words that it does not know."""

from typing import Any

import numpy as np
import pytest

from core.explorer.word_vectors import live
from core.tracing.run import Run
from pages.canvas.matrices.matrices import Matrices
from pages.shell.frame import DEFAULTS, make_run
from pages.shell.view import Shown
from pages.widgets import Values
from pages.widgets.parts import Button, Message, Row
from pages.widgets.player import Player
from pages.widgets.table import Table
from pages.words.word_vectors import settings
from pages.words.word_vectors.page import PAGE
from tests.pages.conftest import Open
from tests.pages.house import path_of
from tests.pages.screen import HOSTILE, said


@pytest.fixture(scope="module")
def run() -> Run:
    return make_run(DEFAULTS, "the wolf and the ship", "")


def shown(run: Run, view: str, values: dict[Any, Any] | None = None) -> Shown:
    chosen = Values(values)
    list(PAGE.view(view).controls(run, chosen))
    found: Shown = PAGE.view(view).show(run, chosen)
    return found


@pytest.mark.parametrize("view", [view.name for view in PAGE.views])
def test_hostile_and_empty_words_are_answered_in_words(run: Run, view: str) -> None:
    texts = [each for each in settings.SETTINGS if each.kind == "text"]
    for text in (HOSTILE, "", "qzxv"):
        values = dict.fromkeys(texts, text) | {settings.CHOICE: settings.OWN, settings.SOURCE: "my own"}
        found = shown(run, view, values)
        assert found.said or any(isinstance(part, Message) for part in found.pictures)


def test_the_map_can_hold_the_words_of_the_text_above(run: Run) -> None:
    found = shown(run, "map", {settings.CHOICE: settings.FRAMES})
    assert isinstance(found.table, Table) and list(found.table.rows) == ["the", "wolf", "and", "ship"]


def test_an_unknown_word_is_named_with_near_spellings(run: Run) -> None:
    (message,) = shown(run, "neighbours", {settings.WORD: "qeuen"}).pictures
    assert isinstance(message, Message) and "qeuen" in message.text and "“queen”" in message.text


def test_an_example_is_an_analogy(run: Run) -> None:
    row = shown(run, "analogies", {settings.A: "qzxv"}).pictures[0]
    assert isinstance(row, Row)
    button = row.parts[1]
    assert isinstance(button, Button)
    assert button.sets() == {settings.A.key: "go", settings.B.key: "went", settings.C.key: "see"}


def test_the_tables_of_a_training_are_those_of_so_many_steps(run: Run) -> None:
    found = shown(run, "train one", {settings.STEPS: 130, settings.PAIR: 999})
    setup = live.Setup()
    corpus = live.read_corpus(setup)
    now = live.trained_on(setup, corpus, live.begin(setup, corpus), 130)
    tables = next(part for part in found.pictures if isinstance(part, Matrices))
    np.testing.assert_allclose(tables.panels[1].values, now.outputs[: len(tables.panels[1].rows)])
    assert any(isinstance(part, Player) and part.have == 130 for part in found.pictures)
    assert "∂L/∂v" in found.arithmetic and "After 130 steps" in found.said[0]


def test_numbers_that_outgrow_the_computer_are_said_to(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "finite", lambda now: False)
    message = shown(run, "train one", {settings.STEPS: 3}).pictures[-1]
    assert isinstance(message, Message) and "smaller learning rate" in message.text


def test_a_leap_takes_so_many_steps_and_restart_none(open_page: Open) -> None:
    at = open_page(path_of(PAGE), **{PAGE.look_at.key: "train one", settings.STEPS.key: "40"})
    at.button(key="word-vectors-live-+100").click().run()
    assert at.number_input(key=settings.STEPS.key).value == 140 and "After 140 steps" in said(at)
    at.button(key="word-vectors-live-restart").click().run()
    assert at.number_input(key=settings.STEPS.key).value == 0 and "After 0 steps" in said(at)


def test_no_transformer_is_offered_where_none_has_a_part(open_page: Open) -> None:
    keys = {button.key for button in open_page(path_of(PAGE)).button}
    assert "pin" in keys and not keys & {"model-card", "pin-weights"}
