"""The view "who wrote this word": its numbers against the model's, its words, and what its clicks choose."""

from typing import Any

import numpy as np
import pytest

from core.topics.shared.open_run import open_run, run_of_model
from core.tracing.run import execute, prepare
from pages.canvas import Matrices, TokenButtons
from pages.transformer.circuits.page import PAGE
from pages.transformer.circuits.settings import AGAINST, CANDIDATE, KEY, NOTHING, PART, WORD
from pages.widgets import Columns, Message
from tests.pages.views import CalledView, called_view, opened_run

NAME = "who wrote this word"
FRENCH = run_of_model("translator", "The black cat sleeps.", "Le chat noir dort.")


def grid_of(view: CalledView) -> Any:
    columns = next(part for part in view.shown.pictures if isinstance(part, Columns))
    grid = columns.columns[1][0]
    assert isinstance(grid, Matrices)
    return grid


def words_of(view: CalledView) -> TokenButtons:
    words = view.shown.pictures[0]
    assert isinstance(words, TokenButtons)
    return words


def total_of(view: CalledView) -> float:
    return float(sum(np.asarray(panel.values, dtype=np.float64).sum() for panel in grid_of(view).panels))


def test_the_cells_sum_to_the_models_own_logit() -> None:
    run = opened_run(PAGE)
    model, tokenizer = open_run(run)
    logits = execute(model, run, prepare(run, tokenizer), ["logits"])["logits"][0, -1].double()
    view = called_view(PAGE, NAME, run, {AGAINST: NOTHING})
    assert total_of(view) == pytest.approx(float(logits.max()), abs=1e-4)
    average = called_view(PAGE, NAME, run)
    assert total_of(average) == pytest.approx(float(logits.max() - logits.mean()), abs=1e-4)
    runner_up = called_view(PAGE, NAME, run, {AGAINST: "1"})
    first, second = logits.topk(2).values.tolist()
    assert total_of(runner_up) == pytest.approx(first - second, abs=1e-4)


def test_the_page_opens_with_a_head_that_read_the_word_before() -> None:
    """The example's claim: the name comes from the text, by one head, which is what happens without it too."""
    said = called_view(PAGE, NAME, opened_run(PAGE)).shown.said
    assert said[0] == "Of all heads, head 6 of layer 5 did most for “Brown”: it read “Brown”."
    assert "speaks for this word" in said[2] and "lower; everywhere" in said[4]


def test_a_click_on_a_word_asks_who_wrote_it() -> None:
    view = called_view(PAGE, NAME, FRENCH, {WORD: 3})
    assert view.shown.said[0].endswith("did most for “noir”: it read “black”.")
    words = words_of(view)
    assert words.sets
    assert words.sets(4) == {WORD.key: 4, CANDIDATE.key: None, PART.key: None, KEY.key: None}
    assert words.sets(0) == {}, "nothing writes the piece with which the decoder begins"


def test_each_cell_chooses_its_own_part() -> None:
    view = called_view(PAGE, NAME, FRENCH)
    grid = grid_of(view)
    chosen = [
        grid.sets(panel.name, *cell)[PART.key] for panel in grid.panels for cell in np.ndindex(panel.values.shape)
    ]
    assert sorted(chosen) == list(range(len(chosen)))
    for pick, settings in list(grid.picks())[::7]:
        again = grid_of(called_view(PAGE, NAME, FRENCH, {PART: settings[PART.key]}))
        panel = next(other for other in again.panels if other.name == pick["panel"])
        assert panel.selected == (pick["row"], pick["col"])


def test_a_model_without_logits_says_so() -> None:
    run = opened_run(PAGE, "sentiment-reader")
    shown = called_view(PAGE, NAME, run).shown
    assert any(isinstance(part, Message) for part in shown.pictures)


def test_a_hidden_word_of_an_encoder_is_asked_for_where_it_stands() -> None:
    run = opened_run(PAGE, "reader")
    view = called_view(PAGE, NAME, run)
    row = prepare(run, open_run(run)[1]).rows["encoder"]
    words = words_of(view)
    if run.format.special.mask in row.ids:
        assert words.selected == row.ids.index(run.format.special.mask)
    assert len(words.tokens) == len(row)


@pytest.mark.parametrize("word", [0, 400])
def test_a_word_that_is_not_there_becomes_the_nearest(word: int) -> None:
    view = called_view(PAGE, NAME, FRENCH, {WORD: word})
    words = words_of(view)
    assert words.selected == (1 if word == 0 else len(words.tokens) - 1)
