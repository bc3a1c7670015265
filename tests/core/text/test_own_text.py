"""What is told of a visitor's own sentence, and which known ones are near to it."""

import pytest

from core.text.own_text import broken_words, nearest_sentences, repeated_words, small_letters


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("THE BLACK CAT SLEEPS.", "The black cat sleeps."),
        ("WHERE AM I? I AM HERE!", "Where am I? I am here!"),
        ("I'M TIRED", "I'm tired"),
        ("The cat sleeps.", "The cat sleeps."),
        ("NASA", "NASA"),
        ("I WE", "I WE"),  # too few letters to tell
        ("12 34", "12 34"),
        ("", ""),
    ],
)
def test_only_a_text_of_capitals_is_read_in_small_letters(typed: str, read: str) -> None:
    assert small_letters(typed) == read
    assert small_letters(read) == read


def test_a_word_of_four_pieces_is_broken_but_no_contraction() -> None:
    labels = ("We", "didn't", "eat", "Zwiebelkuchen", "(end)")
    assert broken_words(labels, (0, 1, 1, 1, 1, 2, 3, 3, 3, 3, 3, 4)) == (("Zwiebelkuchen", 5),)
    assert broken_words(labels, (0, 1, 2, 3, 3, 3, 4)) == ()


@pytest.mark.parametrize(
    ("written", "again"),
    [
        ("le le le", "le"),
        ("il est de la ville de la ville de la ville .", "de la ville"),
        ("Il a mangé et il a mangé et il a bu.", ""),
        ("très, très grand", ""),
        ("", ""),
    ],
)
def test_words_that_are_written_three_times_in_a_row_are_a_loop(written: str, again: str) -> None:
    assert repeated_words(written) == again


SENTENCES = ("The cat is black.", "I like cats.", "The weather is nice.", "Where is the station?", "The dog is here.")


def test_rare_shared_words_come_first_and_a_plural_is_its_singular() -> None:
    # "cat" stands in two sentences, "is" in four and "here" in one, which therefore comes first
    assert nearest_sentences("My cat is here", SENTENCES)[:1] == ("The dog is here.",)
    assert set(nearest_sentences("My cats sleep.", SENTENCES)[:2]) == {"I like cats.", "The cat is black."}
    assert nearest_sentences("WEATHER", SENTENCES)[:1] == ("The weather is nice.",)


def test_the_typed_sentence_itself_is_not_offered_and_nothing_shared_still_offers_some() -> None:
    assert "I like cats." not in nearest_sentences("I like cats.", SENTENCES)
    assert set(nearest_sentences("Zwiebel", SENTENCES)) == set(SENTENCES)
    assert nearest_sentences("cat", ()) == ()
