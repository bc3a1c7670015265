"""core.topics.word_vectors.questions: each answer is the one that the vectors themselves give."""

from collections.abc import Sequence

import numpy as np
import pytest

from core.lessons.lesson import lessons
from core.topics.word_vectors import live, questions
from core.topics.word_vectors.grammar import GROUP_OF
from core.topics.word_vectors.table import read_table
from tests.core.topics.questions import asked

RUN = asked("storyteller", "a word")
TABLE = read_table()
SETUP = live.TrainingSettings()
CORPUS = live.read_corpus(SETUP)


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def by_hand(word: str, words: Sequence[str], method: str = "skip-gram") -> list[float]:
    vectors = TABLE.vectors[method]
    return [cosine(vectors[TABLE.places[word]], vectors[TABLE.places[other]]) for other in words]


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("king", ["kingdom", "queen", "man", "ring", "crown", "power"]),
        ("bread", ["read", "cheese", "horse"]),
        ("monday", ["winter", "tuesday", "horse", "september"]),
        ("red", ["bed", "blue", "table"]),
    ],
)
@pytest.mark.parametrize("method", ["skip-gram", "CBOW"])
def test_the_nearest_word_has_the_largest_cosine(word: str, words: list[str], method: str) -> None:
    expected = by_hand(word, words, method)
    truth = questions.nearest_word(*RUN, word=word, words=words, method=method)
    assert truth.answer == int(np.argmax(expected)) and list(truth.labels) == words
    assert truth.facts["cosine"] == pytest.approx(max(expected), abs=1e-5)
    assert truth.facts["least_cosine"] == pytest.approx(min(expected), abs=1e-5)


@pytest.mark.parametrize("words", [["winter", "table", "warm", "cold"], ["stone", "heat", "cool"], ["tea", "hat"]])
def test_words_are_ordered_by_their_cosines(words: list[str]) -> None:
    expected = by_hand("hot", words)
    truth = questions.by_nearness(*RUN, word="hot", words=words)
    assert [expected[at] for at in truth.answer] == sorted(expected, reverse=True)
    assert [truth.facts[word] for word in words] == pytest.approx(expected, abs=1e-5)


def test_the_lesson_holds_what_it_says_of_opposites() -> None:
    cold, warm, table = by_hand("hot", ["cold", "warm", "table"])
    assert abs(cold - warm) < 0.05 and table < cold - 0.3


@pytest.mark.parametrize("sum_of", [("france", "paris", "england"), ("go", "went", "see"), ("man", "king", "woman")])
def test_an_analogy_ends_at_the_nearest_of_all_words(sum_of: tuple[str, str, str]) -> None:
    a, b, c = (TABLE.vectors["skip-gram"][TABLE.places[word]].astype(float) for word in sum_of)
    target = b - a + c
    best = TABLE.words[int((TABLE.vectors["skip-gram"] @ target).argmax())]
    truth = questions.end_of_analogy(*RUN, analogy_of=sum_of, others=[] if best in sum_of else [best])
    assert truth.labels[truth.answer] == truth.facts["reached"] == best
    assert truth.facts["without"] not in sum_of


def test_in_the_lesson_the_sum_stays_where_it_began() -> None:
    truth = questions.end_of_analogy(*RUN, **lessons()["words-as-vectors"].screens[2].arguments)
    assert truth.facts["reached"] == "paris" and truth.facts["without"] == "london"


def test_words_without_a_vector_are_named() -> None:
    with pytest.raises(ValueError, match="a vector for “qwx”"):
        questions.nearest_word(*RUN, word="king", words=["queen", "qwx"])
    with pytest.raises(ValueError, match="needs “queen” among its words"):
        questions.end_of_analogy(*RUN, analogy_of=("man", "king", "woman"))


def test_before_training_words_stand_beside_each_other_by_chance() -> None:
    truth = questions.vectors_at_first(*asked("storyteller", "Hi"))
    rows, groups = trained_rows(0)
    assert truth.answer == "random" and truth.facts["right"] == of_own_group(rows, groups) == 4
    assert truth.facts["largest"] == pytest.approx(1 / 16, abs=1e-3)


def test_one_step_moves_the_rows_of_its_sentence() -> None:
    truth = questions.effect_of_a_step(*asked("storyteller", "Hi"), steps=20)
    before, after = (live.trained_on(SETUP, CORPUS, live.begin(SETUP, CORPUS), steps) for steps in (20, 21))
    moved = {CORPUS.words[row] for row in np.flatnonzero((before.inputs != after.inputs).any(1))}
    assert truth.answer == "some" and moved == set(truth.facts["sentence"].split())
    assert truth.facts["inputs"] == len(moved) and truth.facts["numbers"] == 2 * 40 * 8
    assert truth.facts["largest"] == pytest.approx(np.abs(after.inputs - before.inputs).max())


@pytest.mark.parametrize("steps", [100, 300])
def test_words_come_together_with_their_group(steps: int) -> None:
    truth = questions.words_in_groups(*asked("storyteller", "Hi"), steps=steps)
    rows, groups = trained_rows(steps)
    assert truth.facts["right"] == of_own_group(rows, groups) and truth.facts["words"] == len(rows) == 34
    assert truth.answer == pytest.approx(100 * truth.facts["right"] / 34)
    assert truth.facts["first"] == 4 and truth.facts["loss_last"] < truth.facts["loss_first"]


def trained_rows(steps: int) -> tuple[np.ndarray, list[str]]:
    """The input vectors of the words that have a group, and their groups, after some steps."""
    state = live.trained_on(SETUP, CORPUS, live.begin(SETUP, CORPUS), steps) if steps else live.begin(SETUP, CORPUS)
    rows = [row for row, word in enumerate(CORPUS.words) if word in GROUP_OF]
    return state.inputs[rows], [GROUP_OF[CORPUS.words[row]] for row in rows]


def of_own_group(rows: np.ndarray, groups: list[str]) -> int:
    """The number of rows whose largest cosine with another is with one of their own group."""
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = unit @ unit.T - 2 * np.eye(len(rows))
    return sum(groups[row] == groups[int(near)] for row, near in enumerate(cosines.argmax(1)))
