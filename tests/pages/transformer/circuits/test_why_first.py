"""The view "why the first token": its numbers against the model's, and what it says of models without a sink."""

import numpy as np
import pytest

from core.topics.circuits.first_token import first_token as first_token_of
from core.topics.circuits.readings.first_token import read_hidden_losses
from core.topics.shared.open_run import open_run, run_of_model
from core.tracing.run import execute, prepare
from pages.canvas import Matrices
from pages.transformer.circuits.page import PAGE
from pages.transformer.circuits.settings import SETTINGS
from pages.transformer.circuits.why_first import strongest_head
from pages.widgets import HEAD, LAYER, Values
from tests.pages.views import called_view, opened_run

NAME = "why the first token"


def test_the_grid_has_the_patterns_first_columns() -> None:
    run = opened_run(PAGE)
    model, tokenizer = open_run(run)
    keys = [f"decoder.{layer}.pattern" for layer in range(run.config.layers)]
    trace = execute(model, run, prepare(run, tokenizer), keys)
    grid = called_view(PAGE, NAME, run).shown.pictures[0]
    assert isinstance(grid, Matrices) and grid.sets
    for layer, key in enumerate(keys):
        expected = trace[key][0, :, 1:, 0].mean(-1).numpy()
        np.testing.assert_allclose(grid.panels[0].values[layer], expected, atol=1e-6)
    lengths = first_token_of(model, tokenizer, run, "decoder").value_lengths
    np.testing.assert_allclose(grid.panels[1].values, lengths - 1, atol=1e-6)
    assert grid.sets("weights", 2, 4) == {LAYER.key: "3", HEAD.key: "5"}
    best = strongest_head(run, Values())
    assert (best.layer, best.head) == np.unravel_index(grid.panels[0].values.argmax(), grid.panels[0].values.shape)


def test_it_says_where_a_head_looks_at_the_first_token_and_where_none_does() -> None:
    said = called_view(PAGE, NAME, opened_run(PAGE)).shown.said
    assert (
        said[0]
        == "Head 1 of layer 2 gives 54% of its weight to the first token, “Peter”; the average head gives it 8.2%."
    )
    assert said[-1].endswith("here the first token matters no more than another.")
    said = called_view(PAGE, NAME, opened_run(PAGE, "storyteller-small")).shown.said
    assert said[0] == "No head of this model gives the first token, “P”, much more than an even share."


@pytest.mark.parametrize(("first", "ends"), [(2.2, "no more than another."), (2.4, "more than another.")])
def test_what_is_lost_is_compared_with_what_another_token_costs(first: float, ends: str) -> None:
    assert read_hidden_losses(2.0, first, 2.2).endswith(f"here the first token matters {ends}")


def test_an_encoder_has_no_losses() -> None:
    shown = called_view(PAGE, NAME, opened_run(PAGE, "reader")).shown
    assert len(shown.said) == 3 and len(shown.source) == 1


def test_two_tokens_are_enough_for_the_grid() -> None:
    run = run_of_model("storyteller", "Peter had")
    shown = called_view(PAGE, NAME, run).shown
    assert isinstance(shown.pictures[0], Matrices) and SETTINGS
