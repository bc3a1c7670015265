"""Sentences about none and one: no share of nothing, and nothing that is both the most and the least."""

import numpy as np
import pytest

from core.readings.word_vectors import read_leaning, read_similarity
from core.topics.sequence_to_sequence.overlap import kept_by
from core.topics.sequence_to_sequence.readings import (
    read_changed_word,
    read_forced_tokens,
    read_short_pieces,
    read_three_translations,
    read_waits,
)


@pytest.mark.parametrize("words", [("Hello", "."), ("Go", "!"), ("0:Hello", "1:.", "2:(end)")])
def test_the_only_word_is_not_called_the_most_or_the_least(words: tuple[str, ...]) -> None:
    (said,) = read_changed_word(words, np.array([1.23, 1.03, 0.5])[: len(words)], "thing")
    assert said.endswith(f"in place of “{words[0].removeprefix('0:')}”, the vector moves by 1.2 times its length.")


def test_of_several_words_the_most_and_the_least_are_two() -> None:
    said = read_changed_word(("Hello", "you", "."), np.array([0.5, 0.25, 1.0]), "")
    assert said == (
        "Of all words, leaving out “Hello” moves the vector most, leaving out “you” least.",
        "Without “Hello”, the vector moves by 50% of its length, the most of all words; without “you”, by 25% of it, "
        "the least.",
    )
    replaced = read_changed_word(("Hello", "you"), np.array([0.25, 0.5]), "thing")
    assert replaced[0] == "Replacing “you” moves the vector most, replacing “Hello” least."
    (alike,) = read_changed_word(("Hello", "you", "."), np.array([0.5, 0.5, 1.0]), "")
    assert alike == "Without “Hello”, the vector moves by 50% of its length, as with any other word."


@pytest.mark.parametrize(
    ("cosines", "said"),
    [
        ((-0.344,), ("“nurse” leans to “he”.", "Its cosine is −0.344.")),
        ((0.2,), ("“nurse” leans to “she”.", "Its cosine is 0.200.")),
        (
            (-0.3, -0.1),
            (
                "All 2 words lean to “he”: “nurse” most, “doctor” least.",
                "The cosine of “doctor” is −0.100, that of “nurse” −0.300.",
            ),
        ),
        (
            (0.1, 0.3),
            (
                "All 2 words lean to “she”: “doctor” most, “nurse” least.",
                "The cosine of “doctor” is 0.300, that of “nurse” 0.100.",
            ),
        ),
        (
            (-0.3, 0.1),
            (
                "“doctor” leans most to “she”, “nurse” most to “he”.",
                "Of 2 words, 1 leans to “she” and 1 to “he”. The cosine of “doctor” is 0.100, that of “nurse” −0.300.",
            ),
        ),
    ],
)
def test_words_that_all_lean_to_one_side(cosines: tuple[float, ...], said: tuple[str, str]) -> None:
    assert read_leaning("he", "she", ("nurse", "doctor")[: len(cosines)], cosines) == said


def test_two_words_are_one_pair() -> None:
    said = read_similarity(("cat", "dog"), (0, 1, 0.5), (0, 1, 0.5))
    assert said == ("“cat” and “dog” are the only two words here.", "Their cosine is 0.500.")
    three = read_similarity(("cat", "dog", "sea"), (0, 1, 0.5), (1, 2, 0.25))
    assert three == (
        "Most alike are “cat” and “dog”, least “dog” and “sea”.",
        "The cosine of “cat” and “dog” is 0.500, that of “dog” and “sea” 0.250.",
    )


@pytest.mark.parametrize(
    ("bottleneck", "attention", "headline", "said"),
    [
        (
            (0, 0),
            (1, 2),
            "With one vector, the GRU writes no word.",
            "the GRU writes no word; with attention, 1 of 2 of its words are in the transformer’s",
        ),
        ((0, 0), (0, 0), "No GRU writes a word.", "the GRU writes no word; with attention, it writes no word."),
        (
            (1, 1),
            (0, 0),
            "With attention, the GRU writes no word.",
            "shares 1 of its 1 word with the transformer’s translation; with attention, it writes no",
        ),
        (
            (2, 5),
            (6, 6),
            "With attention, the GRU comes closer to the transformer’s translation than with one vector.",
            "shares only 2 of its 5 words with the transformer’s translation; with attention, all 6.",
        ),
        (
            (3, 4),
            (4, 6),
            "With one vector, the GRU comes closer to the transformer’s translation than with attention.",
            "shares 3 of its 4 words with the transformer’s translation; with attention, 4 of 6.",
        ),
        (
            (2, 4),
            (3, 6),
            "With attention and with one vector, the GRU comes equally close to the transformer’s translation.",
            "shares 2 of its 4 words with the transformer’s translation; with attention, 3 of 6.",
        ),
    ],
)
def test_no_share_of_no_words(
    bottleneck: tuple[int, int], attention: tuple[int, int], headline: str, said: str
) -> None:
    found, counts = read_three_translations(bottleneck, attention)
    assert found == headline and said in counts


def test_the_words_that_attention_keeps_are_named() -> None:
    kept = kept_by("Elle lit un livre rouge, un livre.", "Elle joue rouge.", "Elle lit un livre bleu.")
    assert kept == ["lit", "livre"]
    assert read_three_translations((2, 3), (4, 5), kept)[0] == (
        "With one vector “lit” and “livre” are lost; with attention the GRU keeps them."
    )
    assert read_three_translations((2, 3), (4, 5), kept[:1])[0].endswith(
        "“lit” is lost; with attention the GRU keeps it."
    )
    assert "and more are lost" in read_three_translations((2, 3), (4, 5), ["a", "b", "c", "d"])[0]


def test_the_steps_that_wait_are_told() -> None:
    assert read_waits(256, 12) == (
        "To read a long text and its given translation, a GRU takes 256 steps one after the other, "
        "the transformer only 12."
    )


def test_a_forced_token_that_stays_is_told() -> None:
    assert read_forced_tokens("beach", ("lit", "lit"), 0, 9) == (
        "Even when it may look at “beach” alone, the GRU writes “lit” again.",
        "Every token stays the same.",
    )


def test_no_share_of_pieces_without_words() -> None:
    assert read_short_pieces(("GRU", "transformer"), [(0, 0), (3, 4)], 2).endswith("GRU has none, transformer 3 of 4.")
