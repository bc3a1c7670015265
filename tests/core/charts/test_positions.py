"""Lines along positions, and the differences of the permutation test."""

from dataclasses import dataclass

import numpy as np

from core.charts.positions_lines import MOST_LINES, Line, lines_along, lines_data, lines_spec, shift_lines
from core.topics.positions.charts.shuffle import FLOOR, shuffle_data, shuffle_spec
from tests.core.chart_specs import assert_sound, found


@dataclass
class Differences:
    smallest: float
    largest: float
    moves_along: bool


def test_lines_leave_out_what_is_no_number() -> None:
    first, level, theory = lines_along({"first": np.array([3.0, np.nan, 5.0]), "level": 2.0}, theory=np.arange(3))
    assert (first.x.tolist(), first.y.tolist(), first.theory) == ([0, 2], [3.0, 5.0], False)
    assert (level.x.tolist(), level.y.tolist()) == ([0, 1, 2], [2.0, 2.0, 2.0])
    assert theory.theory and theory.name == "theory" and theory.y.tolist() == [0, 1, 2]
    (spread,) = lines_along({"first": np.arange(2.0)}, spread=np.ones(2))
    assert spread.spread is not None and spread.spread.tolist() == [1, 1]
    assert lines_data([first, level, theory])["x"].tolist() == [0, 2, 0, 1, 2, 0, 1, 2]


def test_the_ends_of_both_axes_can_be_given() -> None:
    domains = found(lines_spec("Does it fall?", "step", "share", most=1.05, end=4000), "domain")
    assert [0, 1.05] in domains and [0, 4000] in domains


def test_a_line_of_one_point_is_drawn_as_a_point() -> None:
    frame = lines_data([Line("whole", np.arange(3), np.arange(3.0)), Line("one", np.arange(1), np.ones(1))])
    (layer,) = [part for part in lines_spec("Does it fall?", "step", "loss")["layer"] if "point" in str(part["mark"])]
    counted = frame[~frame["theory"]].groupby("line")["x"].transform("count")
    assert layer["transform"] == [
        {"filter": "!datum.theory"},
        {"joinaggregate": [{"op": "count", "as": "points"}], "groupby": ["line"]},
        {"filter": "datum.points == 1"},
    ]
    assert frame["line"][counted == 1].tolist() == ["one"] and layer["mark"]["opacity"] == 1


def test_each_line_has_a_colour_of_its_own() -> None:
    ranges = [hues for hues in found(lines_spec("Does it fall?", "step", "loss"), "range") if "#56B4E9" in hues]
    assert ranges and all(len({hue.lower() for hue in hues}) == len(hues) == MOST_LINES for hues in ranges)


def test_errors_on_unseen_positions_stand_between_the_fitted_ones() -> None:
    fitted, unseen = np.array([0.1, 0.2, 0.3, 0.4]), np.array([2.0, 4.0])
    lines = shift_lines(fitted, unseen, fitted / 2)
    assert [line.name for line in lines] == ["fitted", "on unseen positions", "from the formula"]
    assert lines[1].x.tolist() == [1, 3] and lines[1].y.tolist() == [2.0, 4.0]
    assert [line.name for line in shift_lines(fitted[:1], unseen[:0], None)] == ["fitted"]


def test_a_model_without_any_difference_stands_at_the_floor() -> None:
    differences = {"one": Differences(0.0, 0.0, True), "two": Differences(0.5, 2.0, False)}
    frame = shuffle_data(differences)
    assert frame["model"].tolist() == ["one", "two"] and frame["verdict"].tolist() == [
        "just moved",
        "changed",
    ]
    assert frame["from"].tolist() == [FLOOR, 0.5] and frame["at"].tolist() == [FLOOR, 2.0]
    assert frame["text"].tolist() == ["0", "2"]
    assert_sound(shuffle_spec, frame)
