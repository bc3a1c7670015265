"""Sentences about a visitor's own text."""

from core.readings.own_text import read_broken_words, read_ending, read_training_texts


def test_kinds_of_texts_are_listed() -> None:
    assert read_training_texts(["old books"]) == "This model has read old books."
    assert read_training_texts(["a", "b", "c"]) == "This model has read a, b and c."


def test_words_in_many_pieces_are_named_and_the_rest_counted() -> None:
    assert read_broken_words([]) is None
    assert read_broken_words([("blorb", 4)]) == (
        "The model puts together from small pieces what it hardly knows: “blorb” (4 pieces). It may get it wrong."
    )
    assert "“c” (4 pieces) and 2 more. It may get them wrong." in (read_broken_words([(c, 4) for c in "abcde"]) or "")


def test_an_answer_without_an_end_or_in_a_circle_is_said_to_be() -> None:
    assert read_ending(True, 9, "") is None
    assert (
        read_ending(False, 9, "") == "The translation is cut off after 9 tokens, the most that the model writes here."
    )
    assert "it repeats “la la”" in (read_ending(False, 9, "la la") or "")
