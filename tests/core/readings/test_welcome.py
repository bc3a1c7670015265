"""Sentences about a translation."""

import numpy as np

from core.readings.welcome import read_turn, read_written


def test_the_word_looked_at_most_is_named() -> None:
    said = read_written("elle", np.array([0.1, 0.85, 0.05]), ("street", "it", "wide"))
    assert said == "To write “elle”, the model gives 85% of its attention to “it”."


def test_both_sentences_are_told_apart() -> None:
    rows = np.array([0.48, 0.25, 0.27]), np.array([0.2, 0.43, 0.37])
    said = read_turn(2, rows, (("tired", "street", "it"), ("wide", "street", "it")))
    assert said == "“it” looks most at “tired” (48%) in this sentence, and at “street” (43%) in the other."
