"""Sentences about a translation."""

import numpy as np

from core.topics.welcome.readings import read_missed, read_order, read_turn, read_untrained, read_written


def test_the_word_looked_at_most_is_named() -> None:
    said = read_written("elle", np.array([0.1, 0.85, 0.05]), ("street", "it", "wide"))
    assert said == "To write “elle”, the model gives 85% of its attention to “it”."


def test_both_sentences_are_told_apart() -> None:
    rows = np.array([0.48, 0.25, 0.27]), np.array([0.2, 0.43, 0.37])
    said = read_turn(2, rows, (("tired", "street", "it"), ("wide", "street", "it")))
    assert said == "“it” looks most at “tired” (48%) in this sentence, and at “street” (43%) in the other."


def test_a_headline_names_words_alone() -> None:
    row = np.array([0.1, 0.2, 0.3, 0.4])
    assert read_written("mot", row, ("street", "it", ".", "(end)")) == (
        "To write “mot”, the model gives 20% of its attention to “it”."
    )
    said = read_turn(0, (row, row), (("it", "was", "be", "·cause"), ("it", "was", ".", "(end)")))
    assert said == "“it” looks most at “was” (20%) in this sentence, and at “was” (20%) in the other."


def test_an_order_that_turns_is_said() -> None:
    said = read_order(["red", "chair"], ["chaise", "rouge"])
    assert said == "The order turns: “red chair” becomes “chaise rouge”."


def test_up_to_two_words_that_may_be_lost_are_named() -> None:
    none = "in the translation? No written noun, verb or the like looked clearly at"
    assert read_missed(["Maria"]) == f"Is “Maria” {none} it."
    assert read_missed(["a", "b"]) == f"Are “a” and “b” {none} them."
    assert read_missed(list("abcde")) == f"Are “a”, “b”, “c” and 2 more {none} them."
    assert read_missed([]) == ""


def test_an_untrained_model_is_said_to_be() -> None:
    assert read_untrained(["a"] * 35) == "An untrained model writes the same piece again and again, 35 times here."
    assert read_untrained(["a", "b"]) == "An untrained model writes pieces that mean nothing."
