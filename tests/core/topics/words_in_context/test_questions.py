"""core.topics.words_in_context.questions: a word's vectors are compared as the model's own tensors are by hand."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from core.lessons.lesson import lessons
from core.topics.words_in_context import questions
from core.tracing.run import execute, prepare
from tests.core.topics.questions import asked

LESSON = lessons()["words-as-vectors"]
SENTENCES = {
    "spring": LESSON.screens[3].arguments["sentences"],
    "light": LESSON.screens[4].arguments["sentences"],
    "bank": ["He put his money in the bank.", "My brother works in a bank.", "She sat on the bank of the river."],
}


def cosines(word: str, site: str) -> list[float]:
    """The cosines of a word of one token in every two sentences, from the tensors at a site of the encoder."""
    model, tokenizer, run = asked("reader", "a")
    vectors = []
    for text in SENTENCES[word]:
        inputs = prepare(each := replace(run, text=text), tokenizer)
        at = inputs.rows["encoder"].pieces.index(word)
        vectors.append(execute(model, each, inputs, [site])[site][0, at].numpy())
    return [float(a @ b / np.linalg.norm(a) / np.linalg.norm(b)) for a, b in combinations(vectors, 2)]


@pytest.mark.parametrize("word", SENTENCES)
def test_the_vectors_are_the_same_before_the_layers_and_apart_after_them(word: str) -> None:
    truth = questions.same_vector(*asked("reader", "a"), sentences=SENTENCES[word], word=word)
    assert truth.answer == "first" and truth.facts["word"] == word and truth.facts["layers"] == 7
    assert truth.facts["first"] == pytest.approx(min(cosines(word, "encoder.embed")), abs=1e-4)
    assert truth.facts["least"] == pytest.approx(min(cosines(word, "encoder.final")), abs=1e-4)


@pytest.mark.parametrize("word", SENTENCES)
def test_the_pair_with_the_largest_cosine_is_most_alike(word: str) -> None:
    truth = questions.most_alike(*asked("reader", "a"), sentences=SENTENCES[word], word=word)
    expected = cosines(word, "encoder.final")
    assert truth.answer == int(np.argmax(expected)) == 0  # in all three, sentences 1 and 2 are of one meaning
    assert truth.labels == ("sentences 1 and 2", "sentences 1 and 3", "sentences 2 and 3")
    assert truth.facts["most"] == pytest.approx(max(expected), abs=1e-4)


def test_the_same_sentence_twice_has_always_the_same_vector() -> None:
    twice = [SENTENCES["spring"][0]] * 2
    assert questions.same_vector(*asked("reader", "a"), sentences=twice).answer == "always"
    with pytest.raises(ValueError, match="three sentences"):
        questions.most_alike(*asked("reader", "a"), sentences=twice)


def test_sentences_without_a_common_word_are_refused() -> None:
    with pytest.raises(ValueError, match="No word stands in each"):
        questions.same_vector(*asked("reader", "a"), sentences=["One cat.", "Two dogs"])


@pytest.mark.parametrize("screen", LESSON.screens[3:], ids=["spring", "light"])
def test_the_sentences_that_are_asked_about_are_those_that_are_shown(screen) -> None:
    keys = ("first", "second", "third")
    assert [screen.settings[f"words-in-context-{key}"] for key in keys] == screen.arguments["sentences"]
