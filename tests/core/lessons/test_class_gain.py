"""What a class has gained between the two questions about each concept, against numbers worked out by hand."""

from collections.abc import Mapping

import pytest

from core.lessons.inventory import UNSURE, class_gain, inventory, normalised_gain

TWO = inventory().concepts[:2]
# The right answers to A1, B1, A2 and B2, as assets/inventory.toml has them.
RIGHT = {"A1": 1, "B1": 2, "A2": 2, "B2": 0}
Person = tuple[Mapping[str, int], Mapping[str, int]]
# Person 1 (A, then B): the first concept wrong, then right; the second right both times.
# Person 2 (B, then A): both wrong, then the first right and the second not known.
# Person 3 (A, then B): both wrong, then the first wrong and the second right.
PEOPLE: list[Person] = [
    ({"A1": 0, "A2": 2}, {"B1": 2, "B2": 0}),
    ({"B1": 0, "B2": 1}, {"A1": 1, "A2": UNSURE}),
    ({"A1": 0, "A2": UNSURE}, {"B1": 0, "B2": 0}),
]


def test_the_answers_of_this_file_are_right() -> None:
    assert {q.name: q.right for concept in TWO for q in concept.questions.values()} == RIGHT


@pytest.mark.parametrize(
    ("answered", "before", "after", "gain"),
    [(10, 4, 7, 0.5), (10, 4, 4, 0.0), (10, 4, 10, 1.0), (10, 4, 1, -0.5), (10, 10, 9, None), (0, 0, 0, None)],
)
def test_the_gain_is_the_share_of_what_could_be_gained(
    answered: int, before: int, after: int, gain: float | None
) -> None:
    assert normalised_gain(answered, before, after) == gain


def test_a_class_of_three_worked_by_hand() -> None:
    found = class_gain(TWO, PEOPLE)
    first, second = found.concepts
    assert (first.title, second.title) == (TWO[0].title, TWO[1].title)
    assert (first.people, first.before, first.after, first.gain) == (3, 0, 2, 2 / 3)
    assert (second.people, second.before, second.after, second.gain) == (3, 1, 2, 0.5)
    # In all: 6 pairs, 1 right before, 4 after: 3 / 5.
    assert found.people == 3 and found.gain == 0.6
    # Without person 1: 4 pairs, 0 and 2: 0.5. Without 2: 4, 1, 3: 2/3. Without 3: 4, 1, 3: 2/3.
    # Their mean is 11/18; the squares are (1/9)², (1/18)², (1/18)², in all 6/324; times 2/3: 1/81; the root: 1/9.
    assert found.error == pytest.approx(1 / 9)


def test_questions_that_were_left_out_on_either_side_do_not_count() -> None:
    left_out: list[Person] = [({"A1": 0}, {"B1": 2, "B2": 0}), ({"B2": 0}, {"A1": 1}), ({}, {"A1": 1})]
    found = class_gain(TWO, left_out)
    assert [(each.people, each.before, each.after) for each in found.concepts] == [(1, 0, 1), (0, 0, 0)]
    assert (found.people, found.gain, found.error) == (1, 1.0, None)


def test_there_is_no_gain_where_nothing_could_be_gained() -> None:
    perfect: Person = ({"A1": 1, "A2": 2}, {"B1": 2, "B2": 1})
    found = class_gain(TWO, [perfect, perfect])
    assert found.gain is None and found.error is None and [each.gain for each in found.concepts] == [None, None]
    assert class_gain(TWO, []).gain is None and class_gain(TWO, []).people == 0


def test_no_error_is_given_where_one_person_decides_whether_there_is_a_gain() -> None:
    """Without the first person all were right before, so that the gain without them does not exist."""
    people: list[Person] = [({"A1": 0}, {"B1": 2}), ({"B1": 2}, {"A1": 1})]
    found = class_gain(TWO[:1], people)
    assert found.gain == 1.0 and found.error is None


def test_halves_of_one_size_cancel_a_question_that_is_harder() -> None:
    """Everybody knows the answer to A1 and nobody that to B1, before and after: nothing is gained."""
    people: list[Person] = [({"A1": 1}, {"B1": 0}), ({"B1": 0}, {"A1": 1})]
    (found,) = class_gain(TWO[:1], people).concepts
    assert (found.before, found.after, found.gain) == (1, 1, 0.0)
