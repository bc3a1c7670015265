"""Sentences about a verdict say what the numbers say."""

import numpy as np
import pytest

from core.topics.sentiment import readings as say

LABELS = ("negative", "positive")
WORDS = ("0:not", "1:bad", "2:not")


def test_the_word_that_moved_the_verdict_most_and_how_often_it_flipped() -> None:
    assert say.read_growing(LABELS, WORDS, np.array([0.6, 0.1, 0.7])) == (
        "Word by word, the verdict flipped twice, at last to “positive” at the second “not”.",
        "The second “not” moved it most: “positive” went from 10% to 70%.",
    )
    assert say.read_growing(LABELS, WORDS[:1], np.array([0.2])) == (
        "One word has been read; the verdict is “negative”, 80%.",
    )
    same = say.read_growing(LABELS, WORDS, np.array([0.6, 0.6, 0.6]))
    assert same == ("Word by word, the verdict never flipped.", "No word moved it at all.")


def test_the_numbers_said_of_a_word_are_those_drawn_at_it_and_just_before_it() -> None:
    words, probabilities = ("0:slow", "1:but", "2:warm", "3:,", "4:fun"), np.array([0.1, 0.2, 0.3, 0.8, 0.9])
    assert say.read_growing(LABELS, words, probabilities) == (
        "Word by word, the verdict flipped once to “positive” at “,”.",
        "“but” moved it most of all words: “positive” went from 10% to 20%.",
    )
    assert "One word" in say.read_growing(LABELS, ("0:warm", "1:!"), np.array([0.9, 0.95]))[0]


def test_first_words_and_agreement() -> None:
    scores = np.array([[0.7, 0.2, 0.1], [0.1, -3.0, 0.2]])
    assert say.read_firsts(("a", "b"), WORDS, scores) == (
        "The methods disagree: they find two different words most important.",
        "The most important word is the first “not” for a; “bad” for b.",
    )
    assert say.read_firsts(("a", "b"), WORDS, scores[[0, 0]]) == (
        "All two methods find the first “not” most important.",
        "The most important word is the first “not” for a and b.",
    )
    rho = np.array([[1, 0.25, -0.5], [0.25, 1, 0], [-0.5, 0, 1]])
    assert "0.25 with b and −0.50 with c" in say.read_agreement(("a", "b", "c"), rho)
    assert "no ranking" in say.read_agreement(("a", "b", "c"), rho * np.nan)


def test_no_word_or_head_is_named_where_all_are_alike() -> None:
    scores = np.array([[0.7, 0.2, 0.1], [0.0, 0.0, 0.0]])
    assert say.read_firsts(("a", "b"), WORDS, scores) == (
        "The first “not” is the only word that a method finds most important.",
        "The most important word is the first “not” for a; no single one for b.",
    )
    alike = say.read_firsts(("a", "b"), WORDS, scores[[1, 1]])
    assert alike[0] == "No method finds one word more important than all others."
    assert "whichever head it is" in say.read_permuted_heads(np.zeros((2, 3)))


def test_a_change_says_whether_the_verdict_turns() -> None:
    assert "With “good” in place of “bad”" in say.read_changed(LABELS, "bad", "good", 0.2, 0.9)
    assert say.read_changed(LABELS, "bad", "", 0.2, 0.9).endswith("The verdict turns.")
    assert say.read_changed(LABELS, "bad", "", 0.2, 0.4) == "Without “bad”, “positive” goes from 20% to 40%."
    assert say.read_changed(LABELS, "bad", "", 0.971, 0.969) == "Without “bad”, “positive” stays at 97%."


def test_permutations_heads_and_sentences_are_counted() -> None:
    headline, said = say.read_permuted(LABELS, 0.5, np.array([0.4, 0.5, 0.8]), 0.3, 1)
    assert headline == "The verdict turns in 1 of 3 random shufflings of the weights."
    assert said.startswith("“positive” has 50%;")
    assert "by 10 points at the median and 30 points at most." in said and said.endswith("30%.")
    same = say.read_permuted(LABELS, 0.5, np.array([0.5, 0.6]), 0.3, 0)
    assert same[0] == "The verdict stays the same in all 2 random shufflings of the weights."
    assert say.read_permuted_heads(np.array([[0.01, 0.02], [0.09, 0.03]])) == (
        "Permuting one head alone moves it most at layer 2 · head 1, by 9.0 points on average, and least at "
        "layer 1 · head 1, by 1.0 points."
    )
    meant, right = np.array([0, 0, 1]), np.array([True, False, True])
    assert say.read_negations(LABELS, meant, right) == (
        "2 of 3 sentences with a negation are judged right.",
        "These 2 are 1 of 1 meant “positive”, and 1 of 2 meant “negative”.",
    )


MAY = "points may come from the choice of the held-out sentences alone"
ONE = " Each number is of one training only."


@pytest.mark.parametrize(
    ("gain", "seeds", "headline", "first", "then"),
    [
        (
            [-0.22, -3.9],
            1,
            "More labels lift the share judged right from 54% to 74%; in short trainings pre-training makes no clear "
            "difference.",
            "6,518 labelled sentences the pre-trained network is 3.90 points worse, too little to tell",
            f"4.2 {MAY}.{ONE}",
        ),
        (
            [12.0, 2.5],
            2,
            "With 50 labelled sentences the pre-trained network judges better.",
            "50 labelled sentences the pre-trained network is 12.0 points better",
            f"5.3 {MAY}. With all 6,518 it is 2.50 points better, too little to tell.",
        ),
        (
            [12.0, -6],
            2,
            "With 50 labelled sentences the pre-trained network judges better.",
            "50 labelled sentences the pre-trained network is 12.0 points better",
            f"5.3 {MAY}. With all 6,518 it is 6.00 points worse.",
        ),
        (
            [1, -5],
            1,
            "With 6,518 labelled sentences the pre-trained network judges worse.",
            "6,518 labelled sentences the pre-trained network is 5.00 points worse",
            f"4.2 {MAY}.{ONE}",
        ),
    ],
)
def test_what_pre_training_changes_is_said_beside_what_may_be_chance(
    gain: list[float], seeds: int, headline: str, first: str, then: str
) -> None:
    said = say.read_labels((50, 6518), np.array([53.78, 73.74]), np.array(gain), np.array([5.3, 4.22]), seeds)
    assert said == (headline, f"In short trainings with {first}. Differences below {then}")


def test_negations_judged_right_are_compared() -> None:
    assert say.read_negations_gain({"A": (21, 60), "B": (48, 60)}) == (
        "The “B” classifier judges 48 sentences with a negation right, the “A” one only 21."
    )
    assert say.read_negations_gain({"A": (24, 60), "B": (48, 60)}).endswith("the “A” one 24.")
    assert say.read_negations_gain({"A": (21, 60), "B": (21, 60)}).startswith("All classifiers judge 21 sentences")
    assert say.read_negations_gain({"A": (21, 60)}) == ""


def test_scores_stand_beside_each_other_only_where_cards_have_them() -> None:
    one = {
        "accuracy_dev": 82.22,
        "accuracy_dev_interval": {"low": 79.55, "high": 84.62},
        "negations": "21 of 60",
    }
    two = {"accuracy_dev": 80.73, "accuracy_dev_interval": {"low": 77.98, "high": 83.21}, "negations": "31 of 60"}
    best = one | {"accuracy_dev_interval": {"low": 83.3, "high": 88.0}}
    assert say.read_score(one) == (
        "Right on 872 held-out sentences: 82.2% (95% interval 79.5 to 84.6). "
        "It judges 21 of 60 sentences with a negation right."
    )
    assert say.read_score({"accuracy_dev": 82.22}) == "" == say.read_classifiers({"A": one, "B": {}})
    said = say.read_classifiers({"A": one, "B": two})
    assert "sentences: “A” 82.2% (95% interval 79.5 to 84.6) and “B” 80.7% (95" in said and say.OVERLAP_SENTENCE in said
    assert said.endswith("with a negation: 21 of 60 and 31 of 60.")
    assert say.APART_SENTENCE in say.read_classifiers({"A": best, "B": two})


def test_negations_of_one_word_and_other_classifiers_are_told() -> None:
    said = say.read_single_negations(LABELS, {"not good": 0.88, "not bad": 0.2})
    assert said == "Alone, it reads “not good” as “positive”, 88% and “not bad” as “negative”, 80%."
    assert say.read_others_right({"B": 31}) == "“B” judges 31 right." and say.read_others_right({}) == ""
