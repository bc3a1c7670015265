"""What counts as a broken word, and as a loop."""

from core.training.samples import broken_words, known_words, loops

KNOWN = known_words(["The old king didn't sleep.", "a half-open door"])


def test_a_word_that_no_text_has_is_broken_but_not_one_that_may_be_cut() -> None:
    assert broken_words("The kingle didn't sleep by a half-open do", KNOWN) == ["kingle", "by"]
    assert broken_words("OLD king.", KNOWN) == [] and broken_words("", KNOWN) == []


def test_a_loop_says_four_words_twice() -> None:
    assert loops("the cat sat on the mat, and the cat sat on the bed")
    assert not loops("the cat sat on a mat, and the cat sat there")
