"""The view "directions of a head": its words and shares are the core's, and its picks open what they show."""

from dataclasses import replace

import numpy as np
import pytest

from core.model.config import TransformerConfig
from core.topics.circuits.directions import OV, QK, directions, strongest_shares
from core.topics.shared.open_run import open_run, run_of_model
from core.topics.shared.places import HeadAddress
from pages.canvas import Matrices
from pages.transformer.circuits.head_directions import VIEW
from pages.transformer.circuits.page import PAGE
from pages.transformer.circuits.settings import CIRCUIT, DIRECTION, PART
from pages.widgets import Chart, Columns, Message
from tests.pages.views import called_view, opened_run

NAME = VIEW.name


def test_it_opens_with_the_head_whose_strongest_direction_has_most_of_its_map() -> None:
    run = opened_run(PAGE)
    said = called_view(PAGE, NAME, run).shown.said
    model, tokenizer = open_run(run)
    shares = strongest_shares(model, tokenizer, run, "decoder", QK)
    layer, head = np.unravel_index(int(shares.argmax()), shares.shape)
    found = directions(model, tokenizer, run, HeadAddress("decoder", int(layer), int(head)), QK, 0)
    assert said[0] == "In head 2 of layer 1, a token like “not” looks for one like “have”."
    assert (found.outside.high[0], found.inside.high[0], layer, head) == ("not", "have", 0, 1)
    written = called_view(PAGE, NAME, run, {CIRCUIT: CIRCUIT.options[1]}).shown.said[0]
    assert f"layer {run.config.layers}, a token like" in written and "speak for" in written
    assert said[1].startswith("Direction 1 makes up 54% of the head's map")


@pytest.mark.parametrize(("circuit", "number"), [(QK, 0), (QK, 3), (OV, 1)])
def test_numbers_and_picks_are_the_cores(circuit: str, number: int) -> None:
    run = opened_run(PAGE)
    model, tokenizer = open_run(run)
    chosen = {CIRCUIT: CIRCUIT.options[circuit == OV], DIRECTION: number + 1}
    first = called_view(PAGE, NAME, run, chosen).shown
    words, _, below = first.pictures
    assert isinstance(words, Columns) and isinstance(below, Columns)
    bars, grid = below.columns[0][0], below.columns[1][0]
    assert isinstance(grid, Matrices) and grid.sets and isinstance(bars, Chart) and bars.sets
    assert bars.sets(2) == {DIRECTION.key: 3} and bars.sets(10**6) == {}
    picked = grid.sets("heads", 4, 5)
    assert isinstance(picked, dict)
    shown = called_view(PAGE, NAME, run, {**chosen, PART: picked[PART.key]}).shown
    place = HeadAddress("decoder", 4, 5)
    found = directions(model, tokenizer, run, place, circuit, number)
    words = shown.pictures[0]
    assert isinstance(words, Columns)
    for column, ends in zip(words.columns, (found.outside, found.inside)[:: 1 if circuit == QK else -1], strict=True):
        chart = column[0]
        assert isinstance(chart, Chart)
        values = np.concatenate([ends.high_by, ends.low_by[::-1]])
        np.testing.assert_allclose(chart.data["value"], values, rtol=1e-5)
    assert "head 6 of layer 5" in shown.said[0] and f"Direction {number + 1}" in shown.said[1]
    (panel,) = grid.panels
    np.testing.assert_allclose(panel.values, strongest_shares(model, tokenizer, run, "decoder", circuit))


def test_a_head_of_cross_attention_or_a_feed_forward_layer_leads_to_the_default() -> None:
    run = opened_run(PAGE, "translator")
    assert "layer" in called_view(PAGE, NAME, run, {PART: 10_000}).shown.said[0]


def test_models_without_words_and_maps_that_are_no_product_say_so() -> None:
    additive = TransformerConfig("decoder", vocab_size=8_000, d_model=8, heads=2, layers=2, score="additive")
    run = replace(run_of_model("storyteller", "A cat."), config=additive, source=None)
    for refused in (opened_run(PAGE, "sentiment-reader"), run):
        (message,) = called_view(PAGE, NAME, refused).shown.pictures
        assert isinstance(message, Message)
    assert called_view(PAGE, NAME, run, {CIRCUIT: CIRCUIT.options[1]}).shown.said
