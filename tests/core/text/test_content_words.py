"""Which tokens are whole words, and which of them carry content."""

from core.text.content_words import content_words, whole_words

WORDS, LABELS = (0, 1, 2, 2, 3, 4, 5), ("(start)", "The", "garden", "Cat", "3", ".")


def test_a_whole_word_is_one_token_of_letters() -> None:
    assert whole_words(WORDS, LABELS).tolist() == [False, True, False, False, True, False, False]


def test_function_words_carry_no_content_in_any_case() -> None:
    assert content_words(WORDS, LABELS).tolist() == [False, False, False, False, True, False, False]
    assert content_words(range(4), ("the", "roi", "est", "parti")).tolist() == [False, True, False, True]
