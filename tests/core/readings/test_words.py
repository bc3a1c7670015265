"""Numbers and shares as every sentence writes them."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.readings import compare, generation, heads, patterns, words
from core.readings.words import largest_of_words, latex_number, number, only_words, percent
from core.text.labels import bare
from core.topics.masks.readings import read_effect
from core.topics.sequence_to_sequence.readings import read_changed_word


def numbers_in(text: str) -> list[float]:
    return [float(part.replace(",", "").replace("−", "-")) for part in re.findall(r"−?\d[\d,]*(?:\.\d+)?", text)]


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (0.12, "0.120"),
        (-0.05, "−0.0500"),
        (0.9996, "1.00"),
        (12345.6, "12,346"),
        (-3.1e-6, "−3.10·10⁻⁶"),
        (1e300, "1.00·10³⁰⁰"),
        (-math.inf, "−∞"),
    ],
)
def test_numbers_are_written_to_three_digits(x: float, text: str) -> None:
    assert number(x) == text


def test_the_mark_of_a_joined_piece_is_explained_by_one() -> None:
    assert words.read_mark("·n") == "“·n” continues the word before it."


@given(st.floats(-1e5, 1e5), st.integers(1, 8))
def test_a_written_number_is_the_number_to_its_digits(x: float, digits: int) -> None:
    text = number(x, digits)
    assert "-" not in text
    if "10" not in text or "·" not in text:
        assert numbers_in(text)[0] == pytest.approx(x, rel=0.51 * 10 ** (1 - digits))


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0%"),
        (-1e-40, "0%"),
        (-0.123, "−12%"),
        (1.308, "131%"),
        (0.0004, "less than 0.1%"),
        (0.0123, "1.2%"),
        (0.0999, "10%"),
        (0.834, "83%"),
        (0.994, "more than 99%"),
        (1 - 2e-6, "more than 99%"),
        (1 - 5e-7, "100%"),
    ],
)
def test_percentages_are_rounded_but_never_to_all_or_nothing(share: float, text: str) -> None:
    assert percent(share) == text


def test_the_largest_value_of_words_is_found_where_there_are_words() -> None:
    values = np.array([[0.1, 0.9], [0.3, 0.2]])
    assert only_words(values, ["the", "(end)"], ["cat", "."]).tolist() == [[0.1, -np.inf], [-np.inf, -np.inf]]
    assert only_words(values, ["the", "(end)"]).argmax() == 1
    assert only_words(values, [".", "(end)"]).tolist() == values.tolist()


def test_a_first_letter_is_made_small_or_large() -> None:
    assert words.small("The cat") == "the cat" and words.capital("the cat") == "The cat"
    assert words.small("“Cat”") == words.capital("“Cat”") == "“Cat”" and words.small("") == ""


def test_nothing_stands_out_among_equals() -> None:
    assert words.stands_out([0.0, 0.1]) and words.stands_out([-2.0, -1.0])
    assert not any(map(words.stands_out, ([], [3.0], [0.0, 0.0], [1e9, 1e9 * (1 + 1e-7)])))


@pytest.mark.parametrize(
    ("ratio", "text"),
    [(0, "0% of"), (0.34, "34% of"), (1, "100% of"), (1.234, "1.2 times"), (-0.2, "−0.20 times"), (30, "30 times")],
)
def test_a_ratio_above_1_or_below_0_is_no_percentage(ratio: float, text: str) -> None:
    assert words.part_of(ratio) == text


@pytest.mark.parametrize(
    ("ratio", "text"), [(4, "4 times"), (0.25, "0.25 times"), (16.62, "16.6 times"), (100, "100 times")]
)
def test_ratios_have_no_zeros_that_say_nothing(ratio: float, text: str) -> None:
    assert words.times(ratio) == text


def test_counts_lists_and_numbers_in_words() -> None:
    counted = [words.plural(count, "token") for count in (0, 1, 2, 1204)]
    assert counted == ["0 tokens", "1 token", "2 tokens", "1,204 tokens"]
    assert [words.listed("abc"[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert [words.in_words(n) for n in (0, 2, 10, 11)] == ["no", "two", "ten", "11"]


def test_the_largest_of_words_says_whether_another_token_has_more() -> None:
    assert largest_of_words(np.array([0.2, 0.7]), ["the", "(end)"]) == ((0,), True)
    assert largest_of_words(np.array([0.7, 0.2]), ["the", "(end)"]) == ((0,), False)
    assert largest_of_words(np.array([0.2, 0.7]), [".", "(end)"]) == ((1,), False)
    assert largest_of_words(np.array([np.nan, 0.1]), ["a", "b"]) == ((1,), False)
    assert largest_of_words(np.full(2, -np.inf), ["a", "b"]) == ((0,), False)


def test_no_headline_names_a_mark_a_piece_or_the_end_where_words_are_to_be_had() -> None:
    labels = ["0:the", "1:cat", "2:be", "3:·cause", "4:.", "5:(end)"]
    pattern = np.full((6, 6), 0.01)
    pattern[5, 4] = pattern[2, 3] = pattern[3, 5] = 0.9
    pattern[0, 1] = 0.3
    numbers = np.array([0.1, 0.2, 0.9, 0.8, 0.7, 1.0])
    told = [
        patterns.read_pattern(pattern, labels),
        patterns.read_scores(pattern, labels),
        patterns.read_ablation(numbers, labels)[0],
        heads.read_rollout(pattern, labels)[-1],
        heads.read_change("This head", pattern * 0, pattern, labels, labels),
        compare.read_largest_change(pattern, (pattern, pattern * 0), labels, labels),
        read_effect(pattern, pattern * 0.5, np.eye(6, dtype=bool)[::-1], labels)[1],
        generation.read_along([bare(label) for label in labels], numbers.tolist(), numbers.tolist(), 0)[0],
        *read_changed_word([bare(label) for label in labels], numbers, ""),
    ]
    for sentence in told:
        assert "“cat”" in sentence, sentence
        assert not any(f"“{name}”" in sentence for name in ("be", "-cause", ".", "(end)")), sentence
        assert "word" in sentence, sentence  # larger values were passed over, and it says of what it is the largest


def test_a_number_in_latex() -> None:
    said = [latex_number(x, 2) for x in (0.5, -3.1e-5, 1.5e7, 12_000, np.inf, np.nan)]
    assert said == ["0.50", r"-3.1 \cdot 10^{-5}", r"1.5 \cdot 10^{7}", "12{,}000", r"\infty", r"\text{undefined}"]
