"""The tokenizer of words with spaces between them."""

import pytest

from core.text.spaced import SpacedTokenizer
from core.text.special import SPECIAL

TOKENIZER = SpacedTokenizer((*SPECIAL, "7", "17", "→"))


def test_words_are_tokens() -> None:
    tokens = TOKENIZER.encode("  17 7\n→")
    assert tokens.ids == (5, 4, 6) and tokens.pieces == ("17", "7", "→")
    assert [tokens.text[start:end] for start, end in tokens.spans] == ["17", "7", "→"]
    assert tokens.words == (0, 1, 2) and tokens.note is None


def test_a_text_is_cut_at_the_limit() -> None:
    tokens = TOKENIZER.encode("7 17 7", limit=2)
    assert tokens.text == "7 17" and tokens.cut == 1 and "first 2 of 3" in str(tokens.note)


@pytest.mark.parametrize("text", ["", " \n", "717", "7 x", "<pad>", "7 </s>", "🙂" * 50_000])
def test_other_texts_are_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="his model knows") as refused:
        TOKENIZER.encode(text)
    assert len(str(refused.value)) < 200


def test_special_pieces_have_labels_and_no_text() -> None:
    assert TOKENIZER.labels([0, 5]) == ("(pad)", "17")
    assert TOKENIZER.decode([2, 5, 4, 3]) == "17 7"
    assert TOKENIZER.describe([2, 5]) is None and TOKENIZER.describe([]) is None
    with pytest.raises(ValueError, match="outside"):
        TOKENIZER.labels([7])


@pytest.mark.parametrize("words", [(), SPECIAL, (*SPECIAL, "a b"), (*SPECIAL, "a", "a"), (*SPECIAL, ""), ("a", "b")])
def test_other_lists_are_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="A list of words"):
        SpacedTokenizer(words)
