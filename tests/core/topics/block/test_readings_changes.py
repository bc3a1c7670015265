"""What is said of a part that is taken away, and of a vector that is replaced."""

import numpy as np
import pytest

from core.readings.words import number
from core.topics.block.readings.changes import (
    read_cell,
    read_ends,
    read_losses,
    read_moves,
    read_overflow,
    read_patches,
    read_without,
    without_words,
)

NAN = float("nan")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no residuals", "without residuals"),
        ("post-norm", "with post-norm"),
        ("no feed-forward", "without feed-forward"),
        ("no cross-attention 12", "without cross-attention in layer 12"),
        ("no layer 3", "without layer 3"),
    ],
)
def test_a_variant_in_a_sentence(name: str, words: str) -> None:
    assert without_words(name) == words


def test_the_dearest_and_the_cheapest_loss_are_named_and_overflows_left_out() -> None:
    said = read_losses(3.4, {"no residuals": 9.1, "no norms": NAN, "no layer 3": 3.5, "no layer 1": 5.0})
    assert said == (
        "Without residuals the model predicts worst.",
        "The loss goes from 3.40 to 9.10, the most of all; without layer 3 it is only 3.50.",
    )
    assert "even falls to 3.00" in read_losses(3.4, {"no residuals": 9.1, "no layer 1": 3.0})[1]
    assert "it is 3.41" in read_losses(3.4, {"no residuals": 9.1, "no layer 1": 3.41})[1]
    one = ("Without layer 1 the model predicts worse.", "The loss goes from 3.40 to 3.50.")
    assert read_losses(3.4, {"no layer 1": 3.5}) == one
    lower = read_losses(3.4, {"no layer 1": 3.0, "no layer 2": 2.5})
    assert lower[0] == "The model predicts no worse, whatever is taken away."
    assert read_losses(3.4, {"no norms": NAN}) == ("Whatever is taken away, the numbers overflow.",)
    assert read_overflow("no norms").startswith("Without norms the numbers overflow")


def test_what_cannot_move_a_vector_is_not_said_to_move_it_least() -> None:
    said = read_moves("“cat”", {"no attention": 1.5, "no layer 2": 0.25, "no cross-attention": 0.0})
    assert said == (
        "The last vector of “cat” moves most without attention.",
        "It moves by 1.50 times its length; least of all without layer 2, by 0.250.",
    )


def test_no_variant_is_named_where_all_do_the_same() -> None:
    still = "Whatever is taken away, the last vector of “cat” stays the same."
    assert read_moves("“cat”", {"a": 0.0, "b": 0.0}) == (still,)
    alike = "The last vector of “cat” moves by 1.00 times its length whatever is taken away."
    assert read_moves("“cat”", {"no a": 1.0, "no b": 1.0}) == (alike,)
    loss = "Whatever is taken away, the loss goes from 3.00 to 3.50."
    assert read_losses(3.0, {"no a": 3.5, "no b": 3.5}) == (loss,)


def test_one_variant_says_how_the_answer_turned() -> None:
    said = read_without("no attention 1", "“cat”", 0.5, 0.9, [("she", 0.4), ("he", 0.3)])
    moved = "The last vector of “cat” moves by 0.500 times its length."
    cosine = "The cosine of that vector with what it was is 0.90."
    turned = "Without attention in layer 1 the answer turns from “she” to “he”."
    assert said == [turned, "“she” had 40% before, “he” has 30% now.", moved, cosine]
    stays = read_without("no layer 1", "“cat”", 0.5, 0.9, [("she", 0.4), ("she", 0.3)])
    assert stays == ["Without layer 1 the answer stays “she”.", "It has 30% instead of 40%.", moved, cosine]
    zero = "Without layer 1 the last vector of “cat” moves by 1.00 times its length and becomes zero."
    assert read_without("no layer 1", "“cat”", 1.0, NAN) == [zero]


def test_a_map_is_read_from_its_first_column_to_its_last() -> None:
    labels = ("0:a", "1:girl", "2:day")
    turn = np.array([[0, 0, 0, 0], [1, 0.9, 0.4, 0], [0, NAN, 0.5, 1]])
    assert read_patches(labels, turn) == ("The answer hangs on “girl” at first, and on “day” from layer 2 on.",)
    assert read_patches(labels, turn[:, :2]) == ("The answer hangs on “girl” in every layer.",)
    named = read_patches(labels, turn, ("she", "he"))
    assert named == ("Whether it answers “she” or “he” hangs on “girl” at first, and on “day” from layer 2 on.",)
    none = ("No token's vector alone turns the answer: what differs is spread over several.",)
    assert read_patches(labels, turn * 0.05) == read_patches(labels, np.full((3, 4), NAN)) == none


def test_a_long_way_is_named_by_its_ends_and_told_in_full_below() -> None:
    labels, turn = ("0:a", "1:b", "2:c"), np.eye(3)
    assert read_patches(labels, turn) == (
        "The answer hangs on “a” at first, and on “c” from layer 2 on.",
        "Layer by layer it hangs on “a” at first, on “b” from layer 1 on, and on “c” from layer 2 on.",
    )
    back = read_patches(labels, turn[:, [0, 1, 0]])
    assert back[0] == "The answer hangs on “a” at first, and again from layer 2 on."


def test_where_nothing_turns_the_answer_no_token_is_named() -> None:
    turn = np.array([[1.0, 0, 0], [0, 0, 0]])
    said = read_patches(("0:a", "1:b"), turn)
    assert said == ("The answer hangs on “a” at first, and on no single token from layer 1 on.",)
    late = "The answer hangs on no single token at first, and on “b” from layer 2 on."
    assert read_patches(("0:a", "1:b"), turn[::-1, ::-1]) == (late,)


@pytest.mark.parametrize(
    ("turn", "answer"),
    [
        (0.04, "stays as in"),
        (0.97, "becomes that of"),
        (0.5, "lies between"),
        (-0.4, "moves away"),
        (1.4, "goes further"),
    ],
)
def test_a_cell_says_where_the_answer_lies(turn: float, answer: str) -> None:
    headline, scale = read_cell("“girl”", 2, turn)
    assert headline.startswith(f"With the other text's vector of “girl” after layer 2, the answer {answer}")
    assert scale == f"From 0, as in your text, to 1, as in the other, that is {number(turn, 2)}."


def test_the_two_answers_are_named_or_said_to_be_the_same() -> None:
    probabilities = np.array([[0.4, 0.1], [0.2, 0.5]])
    said = "Your text is answered with “she” (40%), the other with “he” (50%)."
    assert read_ends(("she", "he"), probabilities, False) == said
    assert read_ends(("she", "he"), probabilities, True).startswith("Both texts have the same likeliest answer")
