"""The page Word vectors: every view on its own numbers, and with words that it does not know."""

import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.readings.words import plural
from core.topics.word_vectors import live
from core.tracing.run import Run
from pages.canvas import TokenButtons
from pages.canvas.matrices.matrices import Matrices
from pages.compute.heavy_queue import exclusive
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.view import Shown
from pages.widgets import Values
from pages.widgets.parts import Button, Message, Row
from pages.widgets.player import Player
from pages.widgets.table import Table
from pages.words.word_vectors import queries, settings
from pages.words.word_vectors.page import PAGE
from pages.words.word_vectors.parts import PLAYER
from tests.pages.conftest import Open
from tests.pages.house import path_of
from tests.pages.screen import HOSTILE, look, said


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine takes no fewer steps in these tests."""
    monkeypatch.setattr(queries, "AT_ONCE", 60)


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
        values = dict.fromkeys(texts, text) | {settings.CHOICE: settings.OWN_WORDS, settings.SOURCE: "my own"}
        found = shown(run, view, values)
        assert found.said or any(isinstance(part, Message) for part in found.pictures)


def test_the_map_can_hold_my_own_words(run: Run) -> None:
    found = shown(run, "map", {settings.CHOICE: settings.OWN_WORDS, settings.WORDS: "the wolf and ship"})
    assert isinstance(found.table, list) and isinstance(found.table[0], Table)
    assert list(found.table[0].rows) == ["the", "wolf", "and", "ship"]


def test_an_unknown_word_is_named_with_near_spellings(run: Run) -> None:
    found = shown(run, "neighbours", {settings.WORD: "quren"})
    message, row, *pictures = found.pictures
    assert isinstance(message, Message) and "quren" in message.text and "“queen”" in message.text
    known = shown(run, "neighbours")
    assert found.said == known.said and len(pictures) == len(known.pictures)  # below: the word that the page opens with
    assert isinstance(row, Row)
    words = [button.sets() for button in row.parts if isinstance(button, Button)]
    assert len(words) == len(row.parts) and {settings.WORD.key: "queen"} in words
    assert not queries.sort_words(" ".join(each[settings.WORD.key] for each in words if each), 50).unknown


def test_the_pairs_are_those_of_the_largest_and_the_smallest_cosine(run: Run) -> None:
    found = shown(run, "similarity")
    most, least = [part for part in found.pictures if isinstance(part, TokenButtons)]
    assert isinstance(found.table, Table)
    cosines = np.asarray(found.table.values)
    above = cosines[np.triu_indices(len(cosines), 1)]
    assert most.tokens[0].shade == pytest.approx(above.max()) and least.tokens[0].shade == pytest.approx(above.min())
    row, column = np.unravel_index((cosines - 2 * np.eye(len(cosines))).argmax(), cosines.shape)
    assert most.sets is not None
    assert most.sets(0) == {settings.ROW.key: row, settings.COLUMN.key: column}
    assert (
        found.arithmetic == shown(run, "similarity", {settings.ROW: int(row), settings.COLUMN: int(column)}).arithmetic
    )
    assert found.arithmetic.startswith(most.tokens[0].piece.split(" · ")[0])


def test_two_words_are_told_that_they_are_two(run: Run) -> None:
    message = shown(run, "neighbours", {settings.WORD: "New York"}).pictures[0]
    assert isinstance(message, Message) and "“New York” is two words" in message.text


def test_an_example_is_an_analogy(run: Run) -> None:
    row = shown(run, "analogies", {settings.A: "qzxv"}).pictures[0]
    assert isinstance(row, Row)
    button = row.parts[1]
    assert isinstance(button, Button)
    assert button.sets() == {settings.A.key: "go", settings.B.key: "went", settings.C.key: "see"}


def test_the_tables_of_a_training_are_those_of_so_many_steps(run: Run) -> None:
    found = shown(run, "train one", {settings.STEPS: 130, settings.PAIR: 999})
    setup = live.TrainingSettings()
    corpus = live.read_corpus(setup)
    now = live.trained_on(setup, corpus, live.begin(setup, corpus), 130)
    tables = next(part for part in found.pictures if isinstance(part, Matrices))
    np.testing.assert_allclose(tables.panels[1].values, now.outputs[: len(tables.panels[1].rows)])
    assert any(isinstance(part, Player) and part.have == 130 for part in found.pictures)
    assert "∂L/∂v" in found.arithmetic and found.said[1].startswith("After 130 steps")


def test_a_training_that_runs_away_is_ended_and_said_to(run: Run) -> None:
    wild = {settings.SOURCE: "my own", settings.TEXT: " ".join("abcdefgh" * 5) + ".", settings.RATE: 0.5}
    found = shown(run, "train one", wild | {settings.WINDOW: 8, settings.NOISE: 15, settings.STEPS: 5000})
    player, message = found.pictures
    assert isinstance(player, Player) and 0 < player.have < 1000 and not player.asked
    assert isinstance(message, Message) and "smaller learning rate" in message.text


def test_a_leap_takes_so_many_steps_and_restart_none(open_page: Open) -> None:
    at = open_page(path_of(PAGE), **{PAGE.look_at.key: "train one", settings.STEPS.key: "40"})
    at.button(key="word-vectors-live-+100").click().run()
    assert at.number_input(key=settings.STEPS.key).value == 140 and "After 140 steps" in said(at)
    at.button(key="word-vectors-live-restart").click().run()
    assert at.number_input(key=settings.STEPS.key).value == 0 and "After 0 steps" in said(at)


def test_steps_that_take_long_come_bit_by_bit_and_are_paused_where_they_stand(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "AT_ONCE", 0)
    monkeypatch.setattr(queries, "SLICE_SECONDS", 0)
    at = open_page(path_of(PAGE), **{PAGE.look_at.key: "train one", settings.STEPS.key: "5000", settings.SEED.key: "9"})
    box, button = at.number_input(key=settings.STEPS.key), at.button(key="word-vectors-live-play")
    assert box.value == 5000 and button.label == "Pause"
    while not (done := now(at)):
        at.run()
    assert done < 5000 and f"After {plural(done, 'step')}" in said(at)
    at.button(key="word-vectors-live-play").click().run()
    assert at.number_input(key=settings.STEPS.key).value == done == now(at)
    assert at.button(key="word-vectors-live-play").label == "Play"
    at.run()
    assert now(at) == done


def test_a_training_stands_still_while_heavy_work_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "AT_ONCE", 0.1)
    with exclusive():
        assert queries.trained_live(live.TrainingSettings(seed=99), 50).steps == 0
    monkeypatch.setattr(queries, "AT_ONCE", 60)
    assert queries.trained_live(live.TrainingSettings(seed=99), 50).steps == 50


def now(at: AppTest) -> int:
    """The step that the page says it stands at."""
    (bar,) = at.get("progress")
    found = re.fullmatch(r"Step ([\d,]+) of 5,000", bar.proto.text)
    assert found
    return int(found[1].replace(",", ""))


def test_a_training_does_not_play_beside_another_view(open_page: Open) -> None:
    at = open_page(path_of(PAGE), **{PAGE.look_at.key: "train one", settings.STEPS.key: "20"})
    at.button(key="word-vectors-live-play").click().run()
    assert PLAYER in at.session_state["visit"].playing
    look(at, **{PAGE.look_at.key: "bias"})
    look(at, **{PAGE.look_at.key: "train one"})
    assert at.button(key="word-vectors-live-play").label == "Play"


def test_the_text_has_no_box_here_and_is_there_again_on_the_next_page(open_page: Open) -> None:
    at = open_page("pages/attention/heads/page.py", model="storyteller-small", t="the dog sat")
    at.switch_page(path_of(PAGE)).run()
    assert "t" not in {each.key for each in at.text_input} and not at.error and not at.exception
    at.switch_page("pages/attention/heads/page.py").run()
    assert at.text_input(key="t").value == "the dog sat" == at.session_state["visit"].run.text


def test_no_transformer_is_offered_where_none_has_a_part(open_page: Open) -> None:
    keys = {button.key for button in open_page(path_of(PAGE)).button}
    assert "pin" in keys and not keys & {"model-card", "pin-weights"}
