"""The view "what a head looks for": its charts against the core, and what it says by place and by word."""

from collections.abc import Mapping

import numpy as np
import pytest

from core.topics.circuits.looked_for import looked_for
from core.topics.shared.open_run import open_run
from core.topics.shared.places import HeadAddress
from pages.canvas import Matrices
from pages.transformer.circuits.head_seeks import VIEW
from pages.transformer.circuits.page import PAGE
from pages.transformer.circuits.settings import PART
from pages.widgets import Chart, Columns, Message, Setting
from tests.pages.views import called_view, opened_run

NAME = VIEW.name


def chosen(grid: Matrices, panel: str, layer: int, head: int) -> dict[Setting, object]:
    """The setting that a click on a head of the grid changes."""
    picked = grid.sets(panel, layer, head) if grid.sets else {}
    assert isinstance(picked, Mapping)
    return {PART: picked[PART.key]}


def test_the_head_that_wrote_the_word_goes_by_the_word_and_the_one_before_it_by_distance() -> None:
    """The path between these two heads is the strongest of this text: one finds a word, the other the token before."""
    run = opened_run(PAGE)
    shown = called_view(PAGE, NAME, run).shown
    assert shown.said[0] == "Wherever “Brown” stood, this head would score it 9.9 or more; an average word gets 2.9."
    assert shown.said[1] == "At the fifth “.”, head 6 of layer 5 looks for a word, not for a place."
    columns = shown.pictures[1]
    assert isinstance(columns, Columns)
    grid = columns.columns[2][0]
    assert isinstance(grid, Matrices)
    shown = called_view(PAGE, NAME, run, chosen(grid, grid.panels[0].name, 3, 0)).shown
    assert shown.said[0] == "Where the second “Mr” stands counts: this head would score it from −10 to 8.4."
    assert shown.said[1] == "At the fifth “.”, head 1 of layer 4 looks for a place first."
    assert "the largest one token back" in shown.said[2]


def test_charts_are_the_cores() -> None:
    run = opened_run(PAGE)
    model, tokenizer = open_run(run)
    found = looked_for(model, tokenizer, run, HeadAddress("decoder", 4, 5), 27)
    columns = called_view(PAGE, NAME, run).shown.pictures[1]
    assert isinstance(columns, Columns) and found.by_distance is not None
    distances, pieces = (column[0] for column in columns.columns[:2])
    assert isinstance(distances, Chart) and isinstance(pieces, Chart)
    moved = distances.data[distances.data["line"] == "“Brown”, moved"]
    np.testing.assert_allclose(moved["y"], found.by_distance, rtol=1e-4)
    assert distances.data["y"].iloc[-1] == pytest.approx(found.here_mean, rel=1e-4)
    np.testing.assert_allclose(pieces.data["value"], found.here_by, rtol=1e-4)
    assert tuple(pieces.data["label"]) == found.here


def test_cross_attention_says_why_it_has_no_words() -> None:
    run = opened_run(PAGE, "translator")
    shown = called_view(PAGE, "who wrote this word", run).shown
    columns = shown.pictures[1]
    assert isinstance(columns, Columns)
    grid = columns.columns[1][0]
    assert isinstance(grid, Matrices)
    shown = called_view(PAGE, NAME, run, chosen(grid, "cross-attention", 1, 2)).shown
    assert isinstance(shown.pictures[1], Message)
    assert len(called_view(PAGE, NAME, run).shown.pictures) in (2, 3)
