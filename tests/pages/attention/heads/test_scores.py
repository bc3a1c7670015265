"""What heads do, in numbers, as their view shows it."""

from typing import Any

import numpy as np
import pytest

from core.readings.descriptors import DESCRIPTORS
from core.topics.heads import all_heads
from core.topics.shared.places import HeadAddress
from pages.attention.heads.page import PAGE
from pages.attention.heads.settings import (
    SCORE,
    TASK,
)
from pages.canvas.matrices.matrices import Matrices
from pages.widgets.chart import Chart
from pages.widgets.place import ATTENTION, LAYER
from pages.widgets.setting import Values
from pages.widgets.table import Table
from tests.pages.attention.heads.looking import every, made, only, run_with, takeaways
from tests.pages.attention.heads.test_views import CROSS, TWO

show_behaviour = PAGE.view("what heads do").show


def test_one_head_is_spoken_of_as_one() -> None:
    shown = PAGE.view("what each adds").show(run_with(h=1), Values())
    assert takeaways(shown)[0].startswith("The head's contribution and W_O's bias add up")
    titles = [drawn.title for picture in every(shown, Matrices) for drawn in picture.panels]
    assert not [title for title in titles if "heads" in title]
    assert "The head's share, token by token: columns sum to 1" in titles


@pytest.mark.parametrize("descriptor", DESCRIPTORS, ids=lambda descriptor: descriptor.field)
def test_a_score_is_that_of_the_table(descriptor: Any) -> None:
    run = run_with("a b a b a")
    shown = show_behaviour(run, Values({SCORE: descriptor.name}))
    values = made(run, all_heads.behaviours, HeadAddress()).table.column(descriptor.field)
    np.testing.assert_allclose(only(shown, Chart).data["value"], values.filled(np.nan).ravel(), rtol=1e-6)
    assert isinstance(shown.table, Table)
    np.testing.assert_array_equal(shown.table.values, values.filled(np.nan))
    assert shown.lead.startswith(descriptor.meaning)


def test_scores_that_no_head_can_have_are_explained() -> None:
    induction = {SCORE: "Induction"}
    assert "repeats in this text" in takeaways(show_behaviour(run_with("one two three"), Values(induction)))[0]
    run, cross = run_with(**TWO), {ATTENTION: "cross"}
    assert "different texts" in takeaways(show_behaviour(run, Values(induction | cross)))[0]
    shown = show_behaviour(run, Values({TASK: "all scores"} | cross))
    assert isinstance(shown.table, Table) and shown.table.unfolded
    frame, table = shown.table.frame(), made(run, all_heads.behaviours, CROSS).table
    np.testing.assert_allclose(frame["Entropy (bits)"], table.entropy.ravel())
    assert len(frame.columns) == len(DESCRIPTORS) + 1 and frame["Induction (share)"].isna().all()
    assert len(shown.notes) == 4


def test_how_many_rows_and_heads_were_compared_is_said() -> None:
    alike = {TASK: "which are alike"}
    shown = show_behaviour(run_with("cat " * 30, mask=("padding",), pads=16), Values(alike))
    assert "two heads' rows." in shown.about and shown.notes == [None]
    shown = show_behaviour(run_with("cat " * 80), Values(alike))
    assert "two heads' 64 evenly spaced rows." in shown.about
    run = run_with("the cat", h=16, n=5)
    shown = show_behaviour(run, Values(alike | {LAYER: "4"}))
    assert shown.notes == ["80 heads are too many to compare: these are layer 4's."]
    expected = made(run, all_heads.behaviours, HeadAddress("encoder", 3)).alike
    np.testing.assert_allclose(only(shown, Chart).data["similarity"], expected.ravel())
