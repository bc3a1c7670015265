"""core.topics.tokens.questions: each answer is the one that counting by hand gives."""

import re

import pytest

from core.text.tokenizer import Tokenizer
from core.topics.tokens import questions
from tests.core.topics.questions import asked

WORDS = "The translator forgot nothing, unfortunately."


def test_the_tokens_and_the_words_of_a_text_are_counted() -> None:
    truth = questions.count_tokens(*asked("translator", WORDS))
    assert truth.answer == 14 and truth.facts["words"] == 5
    assert truth.facts["example"].startswith(
        "“unfortunately”, for example, is read as un + ·for + ·t + ·un + ·ate + ·ly;"
    )


@pytest.mark.parametrize("text", [WORDS, "An extraordinary cake.", "the the unbelievable, unforgettable the", "Hi"])
def test_the_number_of_tokens_is_that_of_the_tokenizer(text: str) -> None:
    model, tokenizer, run = asked("translator", text)
    truth = questions.count_tokens(model, tokenizer, run)
    assert truth.answer == len(tokenizer.encode(text).ids)
    if truth.facts["example"] != "In this text no word is cut.":
        word, pieces = re.findall(r"“(.+)”, for example, is read as (.+?)[;.]", truth.facts["example"])[0]
        assert pieces.replace("·", "").replace(" + ", "") == word


def test_a_word_that_is_in_the_list_without_its_space_is_not_called_rare() -> None:
    with pytest.raises(ValueError, match="each of these words is in the tokenizer's list"):
        questions.rare_word(*asked("translator", "The old king said to his daughter:"))


def test_a_rare_word_is_read_in_pieces_of_the_list() -> None:
    truth = questions.rare_word(*asked("translator", WORDS))
    assert truth.answer == "pieces" and truth.facts["word"] == "unfortunately" and truth.facts["size"] == 8000
    signs = questions.rare_word(*asked("translator", "I love 🍕 very much today."))
    assert signs.answer == "pieces" and signs.facts["word"] == "🍕" and "0xF0" in signs.facts["pieces"]
    with pytest.raises(ValueError, match="rare word"):
        questions.rare_word(*asked("translator", "the cat"))


def test_each_mark_is_counted_and_marks_in_a_row_are_no_rare_word() -> None:
    truth = questions.count_tokens(*asked("translator", "I hate Mondays!!!"))
    assert truth.facts["words"] == 3 and truth.facts["with_marks"] == 6  # three words, three marks
    assert questions.rare_word(*asked("translator", "I hate Mondays!!!")).facts["word"] == "Mondays"
    with pytest.raises(ValueError, match="rare word"):
        questions.rare_word(*asked("translator", "The old king said to his daughter?!!"))


def test_pieces_are_ordered_by_their_probability() -> None:
    model, tokenizer, run = asked("translator", WORDS)
    truth = questions.common_pieces(model, tokenizer, run)
    assert [truth.labels[at] for at in truth.answer] == [".", ",", "The", "nothing", "forgot"]
    assert isinstance(tokenizer, Tokenizer)
    scores = tokenizer.scores
    assert scores["▁The"] > scores["▁nothing"] > scores["▁forgot"]


@pytest.mark.parametrize("text", ["a cat and the dog saw one old man in this house", "the cat, the dog and the cow"])
def test_of_many_pieces_five_are_ordered_from_the_most_common_to_the_rarest(text: str) -> None:
    truth = questions.common_pieces(*asked("translator", text))
    assert len(truth.labels) == 5 and sorted(truth.answer) == list(range(5))
    assert truth.facts["first_id"] < truth.facts["last_id"]


def test_too_few_pieces_and_tokenizers_without_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 3 different words"):
        questions.common_pieces(*asked("translator", "the the cat"))
    with pytest.raises(ValueError, match="unigram"):
        questions.common_pieces(*asked("toy-copy", "a b c d"))


@pytest.mark.parametrize("text", [WORDS, "Hi", "an extraordinary cake", "the cat"])
def test_an_id_selects_the_row_of_the_table(text: str) -> None:
    model, tokenizer, run = asked("translator", text)
    truth = questions.use_of_id(model, tokenizer, run, 0)
    assert truth.answer == "row" and truth.facts["size"] == 8000 and truth.facts["width"] == 256
    assert truth.facts["id"] == tokenizer.encode(text).ids[0]
