"""Made reviews in which a negation turns the verdict: of labelled words, and never one that judges the classifier."""

import re

from core.text.negations import negations
from core.training.negated import KEPT_PHRASES, NOUNS, TURNED, find_adjectives, negated_rows

ROWS = [
    ("good", 1),
    ("dull", 0),
    ("quickly", 1),
    ("table", 1),
    ("the film is good and very good", 1),
    ("it is dull , so dull", 0),
    ("it is quickly over , very quickly", 1),
    ("a table", 1),
]
WORDS = {0: ["dull", "slow", "empty"], 1: ["good", "warm", "clever"]}


def test_adjectives_are_labelled_words_that_something_is() -> None:
    assert find_adjectives(ROWS) == {0: ["dull"], 1: ["good"]}


def test_a_turned_frame_turns_the_label_of_its_word_and_a_kept_one_keeps_it() -> None:
    rows = negated_rows(WORDS, 400, (), seed=1)
    assert [label for _, label in rows] == [0, 1] * 200
    seen = set()
    for text, label in rows:
        frames = [frame for frame in (*TURNED, *KEPT_PHRASES) if re.fullmatch(_pattern(frame), text)]
        assert frames, text
        spoken = set(re.findall(r"[a-z]+", text))
        word = next(word for words in WORDS.values() for word in words if word in spoken)
        turned = {frame in TURNED for frame in frames}
        assert (word in WORDS[1 - label]) in turned
        seen |= turned
    assert seen == {True, False}


def test_the_sentences_that_judge_the_classifier_are_never_made() -> None:
    ours = {text for text, _ in negations()}
    rows = negated_rows({0: ["bad", "boring"], 1: ["good", "exciting"]}, 2000, ours, seed=2)
    assert not ours & {text for text, _ in rows}


def _pattern(frame: str) -> str:
    words = "(?:" + "|".join(WORDS[0] + WORDS[1]) + ")"
    pattern = re.escape(frame).replace(r"\{a\}", words).replace(r"\{b\}", words)
    return re.sub(r"\ba\\ ", r"an?\\ ", pattern.replace(r"\{n\}", "(?:" + "|".join(NOUNS) + ")"))
