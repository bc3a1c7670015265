"""Makes film reviews in which a negation reverses the verdict, from labelled words of the Stanford Sentiment Treebank.

A word counts as an adjective if the treebank says that something "is" it, or is "very" it. Its label is that of the
word as a phrase of its own; a frame either reverses that label ("not a _ film") or keeps it ("not only _ but clever").
"""

import re
from collections.abc import Container, Iterable, Sequence

import numpy as np

Row = tuple[str, int]
BEFORE = r"\b(?:is|was|'s|very|so|too|rather|pretty|quite|truly) ([a-z]{3,})\b"
MIN_FOLLOWING_TIMES = 2  # times that a word must follow one of these words to count as an adjective
NO_ADJECTIVES = (
    "not", "never", "the", "and", "but", "just", "like", "more", "most", "much", "too", "very", "well", "all",
)  # fmt: skip
LY_ADJECTIVES = ("friendly", "lovely", "lively", "silly", "ugly", "deadly", "lonely", "costly", "ghastly")
NOUNS = ("film", "movie", "story", "plot", "script", "acting", "ending", "cast", "humour", "comedy", "drama")
# {a} and {b}: two words of one label; {n}: a noun.
TURNED = (
    "the {n} is not {a}.",
    "the {n} isn't {a}.",
    "the {n} wasn't {a} at all.",
    "it is not {a}, and it is not {b}.",
    "it isn't {a}, just long.",
    "this is not a {a} {n}.",
    "this isn't a {a} {n}.",
    "it is never {a}.",
    "the {n} is never {a} or {b}.",
    "it never feels {a}.",
    "hardly {a}.",
    "the {n} is hardly {a}.",
    "not a single {a} scene.",
    "there is nothing {a} about the {n}.",
    "there is nothing {a} in it.",
    "there isn't a {a} scene in it.",
    "nothing about the {n} is {a}.",
    "none of it is {a}.",
    "none of the scenes is {a}.",
    "not one scene is {a}.",
    "nobody could call it {a}.",
    "no one will find it {a}.",
    "i did not find it {a}.",
    "i don't think the {n} is {a}.",
    "i wouldn't call it {a}.",
    "neither {a} nor {b}.",
    "the {n} is neither {a} nor {b}.",
    "the {n} is anything but {a}.",
    "far from {a}.",
    "the {n} is far from {a}.",
    "without a {a} moment.",
    "it has no {a} moments.",
    "it could have been {a}, but it isn't.",
    "this could have been a {a} {n}, but it was not.",
    "not even the {n} is {a}.",
    "you won't find it {a}.",
    "it doesn't get {a}.",
    "at no time is it {a}.",
)
KEPT_PHRASES = (
    "the {n} is {a}.",
    "a {a} {n}.",
    "the {n} is not only {a} but {b}.",
    "it is nothing but {a}.",
    "not just {a} but {b}.",
    "it is never less than {a}.",
    "nothing could be more {a}.",
    "i have not seen a more {a} {n}.",
    "no other {n} is so {a}.",
    "you won't find a more {a} {n}.",
    "it never stops being {a}.",
    "without doubt it is {a}.",
)
SHARE_TURNED = 0.7


def find_adjectives(rows: Iterable[Row]) -> dict[int, list[str]]:
    """Return the labelled words that occur in the position of adjectives, by their label."""
    listed = list(rows)
    counts: dict[str, int] = {}
    for text, _ in listed:
        for word in re.findall(BEFORE, text):
            counts[word] = counts.get(word, 0) + 1
    labels = {text: label for text, label in listed if text.isalpha() and text not in NO_ADJECTIVES}
    adjectives: dict[int, list[str]] = {0: [], 1: []}
    for word in sorted(labels):
        if counts.get(word, 0) >= MIN_FOLLOWING_TIMES and (not word.endswith("ly") or word in LY_ADJECTIVES):
            adjectives[labels[word]].append(word)
    return adjectives


def negated_rows(adjectives: dict[int, list[str]], count: int, kept_out: Container[str], seed: int) -> list[Row]:
    """Return `count` made sentences with their labels, half of each label and none that is in `kept_out`.

    Raises ValueError if there are not two words of each label.
    """
    if min(map(len, adjectives.values())) < 2:
        raise ValueError("The data hold too few labelled adjectives to make sentences with negations.")
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    while len(rows) < count:
        label, turned = len(rows) % 2, rng.random() < SHARE_TURNED
        words = adjectives[1 - label if turned else label]
        text = _filled(TURNED if turned else KEPT_PHRASES, words, rng)
        if text not in kept_out:
            rows.append((text, label))
    return rows


def _filled(frames: Sequence[str], words: Sequence[str], rng: np.random.Generator) -> str:
    frame = frames[int(rng.integers(len(frames)))]
    first, second = (words[int(i)] for i in rng.choice(len(words), 2, replace=False))
    text = frame.format(a=first, b=second, n=NOUNS[int(rng.integers(len(NOUNS)))])
    return re.sub(r"\ba (?=[aeiou])", "an ", text)
