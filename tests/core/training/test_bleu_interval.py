"""The interval of BLEU against drawing the sentences again by brute force, and sentences joined by *and*."""

import numpy as np

from core.training.translation import Parallel, bleu, bleu_interval, joined_by_and

FOUND = [
    "the cat sat on a mat today",
    "a dog runs in the park",
    "two men play a game of chess",
    "she reads her book here",
]
REFERENCES = [
    ["the cat sat on the mat today", "a cat sat on a mat"],
    ["a dog runs in a park"],
    ["two men are playing chess", "two men play a game of chess outside"],
    ["she reads a book over there"],
]


def test_the_interval_is_that_of_scoring_every_drawn_corpus_anew() -> None:
    rng, scores = np.random.default_rng(5), []
    for _ in range(40):
        rows = rng.integers(4, size=4)
        scores.append(bleu([FOUND[i] for i in rows], [REFERENCES[i] for i in rows]))
    brute = np.percentile(scores, [2.5, 97.5])
    np.testing.assert_allclose(bleu_interval(FOUND, REFERENCES, seed=5, resamples=40), brute, atol=0.02)
    assert brute[0] < brute[1]


def test_sentences_are_joined_two_by_two_and_each_is_used_once() -> None:
    names = [f"Name{n} sleeps." for n in range(5)]
    test = Parallel(tuple(names), tuple((f"Nom{n} dort.", "other") for n in range(5)))
    found = joined_by_and(test)
    assert len(found.english) == 2
    first, second = found.english[0].split(" and ")
    number = first.removeprefix("Name").removesuffix(" sleeps")
    assert first == f"Name{number} sleeps" and second.startswith("name") and second.endswith(" sleeps.")
    assert found.french[0][0].startswith(f"Nom{number} dort et nom") and len(found.french[0]) == 1
    used = [part[4] for english in found.english for part in english.split(" and ")]
    assert len(set(used)) == 4
