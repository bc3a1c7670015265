"""What is said to a wrong answer: the slip behind it, on cases worked by hand."""

from typing import Any

import pytest

from core.lessons.lesson import Option, Screen, Slip
from core.lessons.words import read_explanation
from core.topics.shared.truth import Truth

LABELS = ("0:the", "1:cat", "2:saw", "3:the", "4:dog")
OPTIONS = (
    Option("root", "√d_k", "A root of {words}."),
    Option("key", "K", "Keys are compared."),
    Option("value", "V", "Values are mixed."),
)


def said(kind: str, right: Any, answer: Any, **more: Any) -> str:
    """What is said before the explanation; "" for nothing."""
    screen_fields = {name: more.pop(name) for name in ("unit", "tolerance", "slips") if name in more}
    options = OPTIONS if kind == "formula" else ()
    screen = Screen(
        "heads", "?", kind, "tokens.f", "All {words}.", options=options, formula="___ ÷ ___", **screen_fields
    )
    truth = Truth(right, {"words": 5, "cut": 0.25}, LABELS, rows=LABELS, **more)
    first, *rest = read_explanation(screen, truth, answer)
    return first if rest else ""


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((4, 1), ""),
        ((1, 4), "swapped: your cell says how much “1:cat” looks at “4:dog”"),
        ((4, 3), "The row is right. The column is the token that is looked at, and “3:the” is another"),
        ((0, 1), "The column is right. The row is the token that looks, and “0:the” is another"),
        ((3, 0), "one row and one column off"),
        ((2, 3), "how much “2:saw” looks at “3:the”"),
    ],
)
def test_a_cell_is_swapped_or_half_right_or_beside_the_right_one(answer: tuple[int, int], words: str) -> None:
    found = said("cell", (4, 1), answer)
    assert words in found and bool(words) == bool(found)


def test_a_token_is_told_its_rank_and_that_it_only_looks_like_the_right_one() -> None:
    sizes = (0.5, 0.1, 0.2, 0.15, 0.05)
    assert said("token", 0, 0, sizes=sizes) == ""
    assert said("token", 0, 2, sizes=sizes) == "By the model's numbers, “2:saw” comes second of 5."
    assert said("token", 0, 3, sizes=sizes).endswith("third of 5. It reads the same, but stands in another place.")
    assert said("token", 0, 3) == "It reads the same, but stands in another place." and said("token", 0, 1) == ""


def test_a_token_that_gets_nothing_has_no_rank() -> None:
    """Tokens after the one that looks all get 0, and none of them comes before another."""
    sizes = (0.5, 0.3, 0.2, 0.0, 0.0)
    assert said("token", 1, 4, sizes=sizes) == "The model's number for “4:dog” is exactly 0."
    assert said("token", 0, 3, sizes=sizes).startswith("The model's number for “3:the” is exactly 0. It reads the same")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((0, 1, 2, 3, 4), ""),
        ((4, 3, 2, 1, 0), "turned round"),
        ((1, 0, 2, 3, 4), "Only “1:cat” and “0:the” have changed places"),
        ((1, 2, 3, 0, 4), "Only “0:the” is in a wrong place: it is number 1 of 5"),
        ((2, 0, 4, 1, 3), ""),
    ],
)
def test_an_order_is_turned_round_or_has_one_thing_out_of_place(answer: tuple[int, ...], words: str) -> None:
    found = said("order", (0, 1, 2, 3, 4), answer)
    assert words in found and bool(words) == bool(found)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ((0.5, 0.3, 0.2, 0, 0), ""),  # 90% in common
        ((0.0, 0.1, 0.1, 0.4, 0.4), "80% of what you drew is on tokens to which the model gives exactly 0"),
        ((1.0, 0.0, 0.0, 0, 0), ""),
        ((0.3, 0.35, 0.35, 0, 0), ""),
    ],
)
def test_a_drawn_row_may_be_on_hidden_tokens(answer: tuple[float, ...], words: str) -> None:
    found = said("row", (0.6, 0.3, 0.1, 0, 0), answer)
    assert words in found and bool(words) == bool(found)


def test_a_drawn_row_may_be_even_or_beside_the_largest_weight_or_have_it() -> None:
    right = (0.05, 0.05, 0.8, 0.05, 0.05)
    assert said("row", right, (0.2, 0.2, 0.18, 0.21, 0.21)) == "You shared it out nearly evenly."
    assert "beside the one that gets most" in said("row", right, (0, 0, 0, 1, 0))
    assert said("row", right, (1, 0, 0, 0, 0)) == ""
    found = said("row", right, (0.3, 0, 0.4, 0.3, 0))
    assert found == "You found the token that gets the largest weight, “2:saw”."


SLIPS = (Slip("{words}", "You counted the {words} words."), Slip("{cut:.0%}", "That is the share that is cut."))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (20, ""),
        (5, "You counted the 5 words"),
        (25, "That is the share that is cut"),
        (21, "one too many"),
        (19, "one too few"),
        (3, ""),
    ],
)
def test_a_number_that_comes_from_a_known_slip_is_recognised(answer: float, words: str) -> None:
    found = said("number", 20, answer, unit="tokens", slips=SLIPS)
    assert words in found and bool(words) == bool(found)


def test_a_tolerant_question_does_not_take_other_numbers_for_a_slip() -> None:
    """An answer that is far from right may be near to a slip without coming from it."""
    slips = (Slip("9", "Those are all."), Slip("1", "Then all would agree."))
    assert said("number", 6, 9, unit="tokens", tolerance=2, slips=slips) == "Those are all."
    assert said("number", 6, 11, unit="tokens", tolerance=2, slips=slips) == ""
    assert said("number", 6, 3, unit="tokens", tolerance=2, slips=slips) == ""
    near = (Slip("12.5", "Without itself."), Slip("12.9", "With those after it."))
    assert said("number", 20, 13, unit="%", tolerance=1, slips=near) == "With those after it."


def test_a_weight_of_1_is_a_share_and_no_slip() -> None:
    slips = (Slip("0", "Then its row would sum to 0."), Slip("1", "That is its weight without the mask."))
    assert "a hundred times" in said("number", 100, 1, unit="%", tolerance=1, slips=slips)
    assert said("number", 100, 0, unit="%", tolerance=1, slips=slips) == "Then its row would sum to 0."


def test_a_share_is_no_percentage() -> None:
    assert "a hundred times" in said("number", 14.3, 0.143, unit="%", tolerance=1)
    assert said("number", 14.3, 13.5, unit="%", tolerance=1) == ""


def test_a_gap_is_told_why_what_stands_in_it_is_wrong() -> None:
    right = ("root", "value")
    assert said("formula", right, right) == ""
    assert said("formula", right, ("value", "root")) == "V and √d_k have changed places."
    assert said("formula", right, ("key", "value")) == "Keys are compared."
    assert said("formula", right, ("key", "root")) == "Keys are compared. A root of 5."
    assert said("formula", right, ("key", "key")) == "Keys are compared."
