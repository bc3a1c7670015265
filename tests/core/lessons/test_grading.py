"""Answers of learners beside the truth, on cases worked by hand."""

from typing import Any

import numpy as np
import pytest

from core.lessons.grading import checked_answer, grade, overlap
from core.lessons.lesson import Option, Screen
from core.lessons.words import read_answer, read_explanation, read_grade, read_signs
from core.topics.shared.truth import Truth

LABELS = ("the", "cat", "sat")
OPTIONS = (Option("rows", "by row", "Each query {words} its keys."), Option("columns", "by column", "No."))
ROWS = {"L1H1": np.array([0.5, 0.5, 0.0]), "L1H2": np.array([0.0, 0.1, 0.9])}
RIGHT: dict[str, Any] = {
    "choice": "rows",
    "token": 1,
    "cell": (0, 2),
    "row": (0.5, 0.5, 0.0),
    "order": (2, 0, 1),
    "number": 0.7,
    "formula": ("rows", "columns"),
}
REFUSED: dict[str, list[Any]] = {
    "choice": ["cells", 1, None],
    "token": [3, -1, True, 1.0, "1"],
    "cell": [[2, 0], [0, 3], [0], "00", None],
    "row": [[0, 0, 0], [1, 2], [1, -1, 1], [1, float("nan"), 1], [True, 1, 1], [1e9, 0, 0]],
    "order": [[0, 0, 1], [0, 1], "012", [0, 1, 5]],
    "number": [float("inf"), "7", True, None],
    "formula": [["rows"], ["rows", "cells"], "rows", [1, 2]],
}


def question(kind: str, **more: Any) -> Screen:
    options = OPTIONS if kind in ("choice", "formula") else ()
    return Screen("heads", "?", kind, "tokens.f", "{words} look", options=options, formula="___ / ___", **more)


def truth(kind: str) -> Truth:
    return Truth(RIGHT[kind], {"words": "cats"}, LABELS, rows=("a", "b"), alternatives=ROWS)


@pytest.mark.parametrize("kind", RIGHT)
def test_the_truth_is_right_and_other_answers_are_refused(kind: str) -> None:
    screen = question(kind)
    found = grade(screen, truth(kind), checked_answer(screen, truth(kind), RIGHT[kind]))
    assert found.right and found.share == pytest.approx(1)
    for wrong in REFUSED[kind]:
        with pytest.raises(ValueError, match=r"no answer|some weight"):
            checked_answer(screen, truth(kind), wrong)


def test_a_drawn_row_is_normalised_and_compared_with_every_head() -> None:
    screen, right = question("row"), truth("row")
    answer = checked_answer(screen, right, [0, 1, 4])
    assert answer == pytest.approx((0, 0.2, 0.8))
    found = grade(screen, right, answer)
    assert not found.right and found.share == pytest.approx(0.2)  # min(.5, 0) + min(.5, .2) + min(0, .8)
    assert found.alike == ("L1H2", pytest.approx(0.9))
    assert "20% in common" in read_grade(screen, right, found) and "L1H2" in read_grade(screen, right, found)
    assert overlap([1, 0], [0, 1]) == 0 and overlap([0.3, 0.7], [0.3, 0.7]) == 1


def test_a_row_drawn_where_no_head_looks_is_like_no_head() -> None:
    screen = question("row")
    right = Truth((1.0, 0.0, 0.0), labels=("a", "b", "c"), alternatives={"L1H1": np.array([1.0, 0.0, 0.0])})
    found = grade(screen, right, (0.0, 0.0, 1.0))
    assert found.alike is None and read_grade(screen, right, found).endswith("0% in common.")
    assert "Of all heads" not in read_grade(screen, right, found)


def test_a_sign_for_something_invisible_is_explained() -> None:
    assert read_signs("The next token is “↵”.") == " “↵” stands for a new line."
    assert read_signs("“E” looks at “␣”, and “↵” is next.").count("stands for") == 2
    assert read_signs("The next token is “cat”.") == ""


def test_an_order_is_right_by_its_pairs_and_a_formula_by_its_gaps() -> None:
    order = grade(question("order"), truth("order"), (0, 2, 1))
    assert not order.right and order.share == pytest.approx(
        2 / 3
    )  # 0 before 2 is wrong; 0 before 1 and 2 before 1 are right
    formula = grade(question("formula"), truth("formula"), ("rows", "rows"))
    assert not formula.right and formula.share == 0.5


def test_a_number_may_be_off_by_the_tolerance() -> None:
    screen = question("number", tolerance=0.1)
    assert grade(screen, truth("number"), 0.8).right and not grade(screen, truth("number"), 0.81).right


def test_words_of_the_text_are_quoted_in_explanations() -> None:
    screen = question("choice")
    said = read_explanation(screen, truth("choice"), "rows", quoted=str.upper)
    assert said == ["Each query CATS its keys.", "CATS look"]
    assert read_explanation(screen, truth("choice"), None) == ["Cats look"]
    assert read_answer(question("cell"), truth("cell"), (1, 2), quoted=str.upper) == "row “B”, column “SAT”"
