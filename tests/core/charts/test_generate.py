"""The charts of the page Generate: what is drawn is what was given, worked out by hand."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from core.topics.generate.charts.along_text import along_text_data, along_text_spec, lens_data, lens_spec
from core.topics.generate.charts.draw_bar import draw_bar_data, draw_bar_spec
from core.topics.generate.charts.stage_bars import OTHERS, stage_bars_data, stage_bars_spec

HEADS = [((name, name[:2]), (name, name), ("9 left", "9")) for name in ("logits", "chances", "top-k")]
BARS = stage_bars_data(
    HEADS,
    ["1 a", "2 b"],
    np.array([4.0, 2.0]),
    np.array([[0.5, 0.25], [0.8, 0.0]]),
    np.array([[True, True], [True, False]]),
    np.array([0.25, 0.2]),
    chosen=0,
)


def cell(stage: str, token: str) -> Any:
    (row,) = BARS[(BARS.stage == stage) & (BARS.token == token)].to_dict("records")
    return row


@pytest.mark.parametrize(
    ("stage", "token", "share", "text"),
    [
        ("logits", "1 a", 1.0, "4.0"),
        ("logits", "2 b", 0.5, "2.0"),
        ("logits", OTHERS, 0.0, "–"),
        ("chances", "1 a", 0.625, "50.0%"),
        ("chances", "2 b", 0.3125, "25.0%"),
        ("chances", OTHERS, 0.0, "25.0%"),
        ("top-k", "1 a", 1.0, "80.0%"),
        ("top-k", OTHERS, 0.0, "20.0%"),
    ],
)
def test_a_bar_is_as_long_as_its_number(stage: str, token: str, share: float, text: str) -> None:
    found = cell(stage, token)
    assert found["right"] - found["left"] == pytest.approx(0.6 / 3 * share)
    assert found["text"] == text and not found["gone"]
    assert found["tone"] == ("logit" if stage == "logits" else "chance")


def test_what_was_removed_is_crossed_out_and_the_chosen_row_stands_out() -> None:
    removed = cell("top-k", "2 b")
    assert removed["gone"] and removed["text"] == "" and removed["said"] == "removed"
    assert set(BARS[BARS.token == "1 a"].strength) == {1.0} and set(BARS[BARS.token == "2 b"].strength) == {0.5}


def test_each_column_has_a_heading_of_three_lines_at_its_left() -> None:
    heads = BARS[BARS.kind == "head"]
    assert heads.line.tolist() == [0, 1, 2] * 3
    np.testing.assert_allclose(heads[heads.line == 0].left, [0, 1 / 3, 2 / 3])
    assert heads[heads.line == 0].said.tolist() == ["lo", "ch", "to"]


def test_bars_of_logits_begin_at_zero() -> None:
    logits = np.array([3.0, 1.0, -1.0])
    probabilities, kept = np.ones((1, 3)) / 3, np.ones((1, 3), bool)
    data = stage_bars_data(HEADS[:2], ["1 a", "2 b", "3 c"], logits, probabilities, kept, np.zeros(1), 0)
    rows = data[data.stage == "logits"].set_index("token")
    np.testing.assert_allclose(rows.left, [0.075, 0.075, 0.0, 0.075])  # a quarter of 0.3 is left of zero
    np.testing.assert_allclose(rows.right, [0.3, 0.15, 0.075, 0.075])


def test_rows_are_sorted_by_their_place_whatever_was_drawn_before() -> None:
    (sort,) = {str(layer["encoding"]["y"]["sort"]) for layer in stage_bars_spec()["layer"][:3]}
    assert sort == "{'field': 'place', 'op': 'min'}"
    rows = BARS[BARS.kind == "row"]
    assert rows.groupby("token").place.unique().map(list).to_dict() == {"1 a": [0], "2 b": [1], OTHERS: [2]}


def test_equal_logits_have_equal_lengths() -> None:
    data = stage_bars_data(HEADS[:2], ["1 a"], np.array([3.0]), np.ones((1, 1)), np.ones((1, 1), bool), np.zeros(1), 0)
    rows = data[(data.kind == "row") & (data.token == "1 a")]
    np.testing.assert_allclose(rows.right - rows.left, [0.3, 0.3])


def test_the_number_is_drawn_where_it_falls() -> None:
    data = draw_bar_data([("a", 0.0, 0.5, False), ("", 0.5, 0.7, False), ("b", 0.7, 1.0, True)], 0.8)
    assert data.kind.tolist() == ["token", "many", "token", "draw"]
    assert data.piece.tolist() == ["a", "all others", "b", ""]
    np.testing.assert_allclose(data.middle, [0.25, 0.6, 0.85, 0.8])
    assert data.strength[2] == max(data.strength[:3]) and data.said[3] == "0.8000"
    assert "draw" not in draw_bar_data([("a", 0.0, 1.0, True)], None).kind.tolist()


def test_bits_along_a_text_keep_their_places() -> None:
    data = along_text_data(["0:a", "1:b"], [1.5, 0.0], [2.0, 0.25], selected=1)
    assert data.place.tolist() == [0, 1] and data.here.tolist() == [False, True]
    assert data.surprisal.tolist() == [1.5, 0.0] and data.entropy.tolist() == [2.0, 0.25]


def test_the_lens_is_a_table_of_tokens_by_layers_with_what_came_next() -> None:
    data = lens_data(["0:a", "1:b"], [["x", "y"], ["z", "w"]], np.array([[0.1, 0.2], [0.3, 0.4]]), ["b", "c"], 1)
    cells: Any = {(row.token, row.layer): (row.says, row.chance) for row in data.itertuples()}
    assert cells["1:b", "0"][0] == "y" and cells["1:b", "1"][1] == pytest.approx(0.4)
    assert cells["0:a", "next"][0] == "b" and np.isnan(cells["0:a", "next"][1])
    assert data[data.here].token.unique().tolist() == ["1:b"]


@pytest.mark.parametrize("spec", [stage_bars_spec, draw_bar_spec, along_text_spec, lens_spec])
def test_a_spec_is_a_plain_dictionary_that_never_changes(spec: Callable[[], dict[str, Any]]) -> None:
    first = spec()
    assert first == spec() and first["width"] == "container"
    assert "data" not in first and "datasets" not in first


@pytest.mark.parametrize("spec", [along_text_spec, lens_spec])
def test_a_click_picks_the_place_that_the_data_has(spec: Callable[[], dict[str, Any]]) -> None:
    (picked,) = [param for param in spec()["params"] if param["name"] == "picked"]
    assert picked["select"]["fields"] == ["place"]
    data = lens_data(["0:a", "1:b"], [["x", "y"]], np.array([[0.1, 0.2]]), ["b", "c"], 1)
    assert dict(zip(data.token, data.place, strict=True)) == {"0:a": 0, "1:b": 1}
