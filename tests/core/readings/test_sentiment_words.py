"""Sentences about a verdict say what the numbers say."""

import numpy as np

from core.readings import sentiment as say

LABELS = ("negative", "positive")
WORDS = ("0:not", "1:bad", "2:not")


def test_the_word_that_moved_the_verdict_most_and_its_turns() -> None:
    said = say.read_growing(LABELS, WORDS, np.array([0.6, 0.1, 0.7]))
    assert said.startswith("The second “not” moved the verdict most: “positive” went from 10% to 70%.")
    assert said.endswith("changed sides twice.")
    assert "“negative”, 80%" in say.read_growing(LABELS, WORDS[:1], np.array([0.2]))


def test_first_words_and_agreement() -> None:
    scores = np.array([[0.7, 0.2, 0.1], [0.1, -3.0, 0.2]])
    assert say.read_firsts(("a", "b"), WORDS, scores) == (
        "The most important word is the first “not” for a; “bad” for b."
    )
    rho = np.array([[1, 0.25, -0.5], [0.25, 1, 0], [-0.5, 0, 1]])
    assert "0.25 with b and −0.50 with c" in say.read_agreement(("a", "b", "c"), rho)
    assert "no ranking" in say.read_agreement(("a", "b", "c"), rho * np.nan)


def test_a_change_says_whether_the_verdict_turns() -> None:
    assert "With “good” in place of “bad”" in say.read_changed(LABELS, "bad", "good", 0.2, 0.9)
    assert say.read_changed(LABELS, "bad", "", 0.2, 0.9).endswith("The verdict turns.")
    assert say.read_changed(LABELS, "bad", "", 0.2, 0.4) == "Without “bad”, “positive” goes from 20% to 40%."


def test_permutations_heads_sentences_and_labels_are_counted() -> None:
    said = say.read_permuted(LABELS, 0.5, np.array([0.4, 0.5, 0.8]), 0.3, 1)
    assert "by 10 points at the median and 30 points at most. In 1 of them the verdict turns" in said and "30%." in said
    assert "layer 2 · head 1, by 9.0 points on average, and least by 1.0 points" in say.read_permuted_heads(
        np.array([[0.01, 0.02], [0.09, 0.03]])
    )
    meant, right = np.array([0, 0, 1]), np.array([True, False, True])
    assert say.read_negations(LABELS, meant, right) == (
        "2 of 3 sentences are judged right: 1 of 1 meant “positive”, and 1 of 2 meant “negative”."
    )
    assert say.read_labels((50, 6000), np.array([12.0, 2.5])) == (
        "Pre-training adds most with 50 labelled sentences: 12.0 points. With all 6,000 it adds 2.50."
    )
