"""The spread of a class's answers, on cases worked by hand."""

from typing import Any

import numpy as np
import pytest

from core.lessons.grading import grade
from core.lessons.lesson import Option, Screen
from core.lessons.spread import BarGroup, advise, answer_bars, count_right, mean_row, read_class_row, with_truth
from core.topics.shared.truth import Truth

LABELS = ("the", "cat", "sat")
ROWS = ("it", "was")
OPTIONS = (Option("rows", "by row", "Yes."), Option("columns", "by column", "No."))
ANSWERS: dict[str, list[Any]] = {
    "choice": ["rows", "rows", "columns"],
    "token": [1, 1, 2],
    "cell": [(0, 2), (0, 2), (1, 0)],
    "row": [(1.0, 0.0, 0.0), (0.0, 0.5, 0.5)],
    "order": [(0, 1, 2), (1, 0, 2)],
    "number": [7.0, 7.0, 9.0],
    "formula": [("rows", "columns"), ("rows", "rows")],
}
TRUTHS: dict[str, Any] = {
    "choice": "rows",
    "token": 2,
    "cell": (1, 0),
    "row": (0.2, 0.3, 0.5),
    "order": (2, 1, 0),
    "number": 9.0,
    "formula": ("rows", "columns"),
}


def question(kind: str) -> Screen:
    options = OPTIONS if kind in ("choice", "formula") else ()
    return Screen("heads", "?", kind, "tokens.f", "", options=options, formula="___ / ___", unit="tokens")


def bars(kind: str, answers: list[Any] | None = None) -> tuple[BarGroup, ...]:
    return answer_bars(question(kind), LABELS, ROWS, ANSWERS[kind] if answers is None else answers)


def revealed(kind: str) -> tuple[BarGroup, ...]:
    return with_truth(question(kind), Truth(TRUTHS[kind], labels=LABELS, rows=ROWS), bars(kind))


@pytest.mark.parametrize(
    ("kind", "seen"),
    [
        ("choice", [("by row", 2 / 3, "2"), ("by column", 1 / 3, "1")]),
        ("token", [("the", 0, "0"), ("cat", 2 / 3, "2"), ("sat", 1 / 3, "1")]),
        ("cell", [("it → sat", 2 / 3, "2"), ("was → the", 1 / 3, "1")]),
        ("row", [("the", 0.5, "50%"), ("cat", 0.25, "25%"), ("sat", 0.25, "25%")]),
        # “the” is first and second, “cat” second and first, “sat” third twice
        ("order", [("the", 5 / 6, "place 1.5"), ("cat", 5 / 6, "place 1.5"), ("sat", 1 / 3, "place 3.0")]),
        ("number", [("7 tokens", 2 / 3, "2"), ("9 tokens", 1 / 3, "1")]),
    ],
)
def test_answers_are_counted_by_what_was_answered(kind: str, seen: list[tuple[str, float, str]]) -> None:
    (group,) = bars(kind)
    assert [(bar.label, pytest.approx(bar.share), bar.words) for bar in group.bars] == seen
    assert all(bar.right is None and bar.model is None for bar in group.bars)


def test_each_gap_of_a_formula_has_bars_of_its_own() -> None:
    first, second = revealed("formula")
    assert [group.title for group in (first, second)] == ["gap 1", "gap 2"]
    assert [(bar.words, bar.right) for bar in first.bars] == [("2", True), ("0", False)]
    assert [(bar.words, bar.right) for bar in second.bars] == [("1", False), ("1", True)]


@pytest.mark.parametrize(
    ("kind", "right"),
    [
        ("choice", [True, False]),
        ("token", [False, False, True]),
        ("cell", [False, True]),
        ("number", [False, True]),
    ],
)
def test_the_truth_marks_the_right_bar(kind: str, right: list[bool]) -> None:
    (group,) = revealed(kind)
    assert [bar.right for bar in group.bars] == right


def test_drawn_rows_and_orders_get_the_model_beside_the_class() -> None:
    assert [bar.model for bar in revealed("row")[0].bars] == [0.2, 0.3, 0.5]
    assert revealed("row")[0].bars[0].words == "50%, model 20%"
    assert revealed("order")[0].bars[0].words == "place 1.5, model 3"
    assert {bar.label: bar.model for bar in revealed("order")[0].bars} == pytest.approx(
        {"sat": 1, "cat": 2 / 3, "the": 1 / 3}
    )


@pytest.mark.parametrize("kind", ANSWERS)
def test_nobody_has_answered(kind: str) -> None:
    assert all(bar.share == 0 for group in bars(kind, []) for bar in group.bars)


def test_many_numbers_become_intervals_that_hold_them_all() -> None:
    answers = [*map(float, range(40)), 1e300, -1e300]
    (group,) = bars("number", answers)
    assert len(group.bars) == 10 and sum(int(bar.words) for bar in group.bars) == len(answers)
    assert group.bars[0].label.startswith("below") and group.bars[-1].label.endswith("or more tokens")
    marked = with_truth(question("number"), Truth(20.0), (group,))[0].bars
    assert [bar.label for bar in marked if bar.right] == ["19.5 to 24.1 tokens"]


def test_equal_numbers_are_counted_once_beside_many_others() -> None:
    (group,) = bars("number", [*map(float, range(12)), *[5.0] * 300])
    assert sum(int(bar.words) for bar in group.bars) == 312 and len({bar.label for bar in group.bars}) == len(
        group.bars
    )


def test_the_class_has_a_row_of_its_own_and_a_head_that_is_like_it() -> None:
    truth = Truth((0.2, 0.3, 0.5), labels=LABELS, alternatives={"L1H2": np.array([0.5, 0.25, 0.25])})
    mean = mean_row(ANSWERS["row"])
    assert mean == pytest.approx((0.5, 0.25, 0.25)) and mean_row([]) == ()
    said = read_class_row(truth, grade(question("row"), truth, mean))
    assert "overlap by 70%" in said and "L1H2 is most like the class: 100%" in said  # .2 + .25 + .25


@pytest.mark.parametrize(
    ("right", "again", "said"),
    [
        (6, False, "show the matter again"),
        (7, False, "talk in pairs"),
        (13, False, "talk in pairs"),
        (14, False, "go on"),
        (6, True, "explain it"),
        (14, True, "explain it"),
    ],
)
def test_a_teacher_is_advised_by_the_share_of_right_answers(right: int, again: bool, said: str) -> None:
    assert said in advise(right, 20, again)


def test_a_guess_is_not_voted_on_again() -> None:
    assert "show what is right" in advise(0, 20, False, is_guess=True) and "0% are right" in advise(0, 20, False, True)


def test_right_answers_are_counted() -> None:
    assert count_right(question("token"), Truth(1, labels=LABELS), ANSWERS["token"]) == 2
    assert advise(0, 0, False) == ""
