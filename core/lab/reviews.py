"""Make small film reviews from a list of words, and say whether they are good or bad."""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from itertools import pairwise

import numpy as np

from core.lab.sequences import ARROW
from core.lab.task import FIRST_TOKEN_ID, Rows, Task, question_and_answer

NOUNS = ("plot", "story", "scene", "joke", "song", "hero", "ending", "idea")
PRAISE = ("warm", "clever", "funny", "fresh", "bright", "tender", "witty", "moving")
BLAME = ("dull", "weak", "slow", "flat", "stale", "clumsy", "loud", "hollow")
ADJECTIVES = (*PRAISE, *BLAME)
NEGATIONS = ("not", "never", "hardly", "no")
PLAIN = ("very", "really", "so", "a")
BEFORE = (*NEGATIONS, *PLAIN)  # the words that may precede an adjective
JOINED = ("and", "but", "although")
GOOD, BAD = "good", "bad"
CLAUSES, MORE_CLAUSES = 2, 3  # of a review in training, and of one that is longer than any of training
STRIDE = 3
TOKENS = (*NOUNS, *ADJECTIVES, *BEFORE, *JOINED, "the", "there", "is", GOOD, BAD, ARROW)


def verdict(words: Sequence[str]) -> str:
    """Return whether a review is good or bad.

    A clause is as good as its adjective, or the opposite of it after a negation. From left to right, a clause after
    “but” outweighs all that stands before it, and a clause after “although” changes nothing. A clause after “and”
    always agrees with those before it.
    """
    review, joined = "", ""
    for before, word in pairwise(words):
        if before in JOINED:
            joined = before
        if word in ADJECTIVES and (not review or joined == "but"):
            review = _of_pair(before, word)
    return review


def _of_pair(before: str, adjective: str) -> str:
    """Return the verdict of an adjective and the word before it."""
    return GOOD if (adjective in PRAISE) != (before in NEGATIONS) else BAD


@cache
def pairs(held_out: bool) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return the pairs of an adjective and the word before it, by their verdict: those of training, or the others.

    Each adjective lacks one word before it in training, and each of these words lacks one adjective of praise and one
    of blame.
    """
    chosen: dict[str, list[tuple[str, str]]] = {GOOD: [], BAD: []}
    for first, before in enumerate(BEFORE):
        for second, adjective in enumerate(ADJECTIVES):
            if ((first + STRIDE * second) % len(BEFORE) == 0) == held_out:
                chosen[_of_pair(before, adjective)].append((before, adjective))
    return {said: tuple(words) for said, words in chosen.items()}


def clause(noun: str, before: str, adjective: str) -> tuple[str, ...]:
    """Return a clause of five words: “the plot is not dull”, or with “no” or “a”, “there is no dull plot”."""
    if before in ("no", "a"):
        return ("there", "is", before, adjective, noun)
    return ("the", noun, "is", before, adjective)


def draw_reviews(clauses: int, held_out: bool, rng: np.random.Generator, rows: int) -> Rows:
    """Draw reviews of `clauses` clauses, each followed by an arrow and its verdict.

    held_out: whether all pairs of an adjective and the word before it are among those that are never in training.
    """
    ids = {token: FIRST_TOKEN_ID + number for number, token in enumerate(TOKENS)}
    count = len(pairs(held_out)[GOOD])
    numbers = [rng.integers(0, most, (rows, clauses)).tolist() for most in (2, count, len(NOUNS), len(JOINED))]
    reviews = [_review(held_out, list(zip(*row, strict=True))) for row in zip(*numbers, strict=True)]
    questions = [[ids[word] for word in (*words, ARROW)] for words in reviews]
    return question_and_answer(questions, [[ids[verdict(words)]] for words in reviews])


def _review(held_out: bool, drawn: Sequence[tuple[int, int, int, int]]) -> list[str]:
    """Return the words of a review.

    drawn: for each clause the numbers of its verdict, its pair, its noun, and the word that joins it to those before.
    """
    words: list[str] = []
    for side, pair, noun, join in drawn:
        said = (GOOD, BAD)[side]
        if words:
            words.append(JOINED[join])
            if JOINED[join] == "and":
                said = verdict(words)  # of what stands before it, with which the clause has to agree
        words.extend(clause(NOUNS[noun], *pairs(held_out)[said][pair]))
    return words


REVIEWS = Task(
    "reviews",
    "Say whether a film review is good",
    "A row is a review of two clauses, an arrow, and “good” or “bad”. “Not”, “never”, “hardly” and “no” turn an "
    "adjective round; of two clauses the one after “but” decides, and the one after “although” does not. The program "
    "makes the sentences from a list of words; some pairs, such as “not dull”, are never in training.",
    TOKENS,
    partial(draw_reviews, CLAUSES, False),
    "the plot is not dull but there is no clever joke → bad",
    "By step 1,000 nearly every review is right, even with pairs that are never in training: at the arrow a head of "
    "the last layer looks at the adjective that decides, and hardly at the other one. Of reviews with three clauses "
    "many are still wrong.",
    partial(draw_reviews, MORE_CLAUSES, False),
    {"layers": 2, "heads": 2, "d_model": 32, "positions": "rotary", "batch": 32, "lr": 3e-3, "steps": 2000},
    partial(draw_reviews, CLAUSES, True),
)
