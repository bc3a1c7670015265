"""Letters to tokens by a list: each is one token, and nothing else is taken."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.pieces import SPECIAL, label
from core.text.symbols import SymbolTokenizer

LETTERS = SymbolTokenizer((*SPECIAL, *string.ascii_lowercase))


def test_a_case_by_hand() -> None:
    tokens = LETTERS.encode(" ab z")
    assert tokens.ids == (4, 5, 29)
    assert tokens.pieces == tokens.labels == tokens.word_labels == ("a", "b", "z")
    assert tokens.spans == ((1, 2), (2, 3), (4, 5))
    assert tokens.words == (0, 1, 2)
    assert (tokens.text, tokens.cut, tokens.note) == (" ab z", 0, None)


@given(st.text(alphabet=string.ascii_lowercase + " \n", min_size=1).filter(str.strip))
def test_ids_spell_the_letters(text: str) -> None:
    tokens = LETTERS.encode(text)
    assert "".join(LETTERS.labels(tokens.ids)) == "".join(text.split())
    assert [text[a:b] for a, b in tokens.spans] == list(tokens.pieces)


def test_a_limit_cuts_and_says_so() -> None:
    tokens = LETTERS.encode("a b c d", limit=2)
    assert (tokens.ids, tokens.text, tokens.cut) == ((4, 5), "a b", 2)
    assert tokens.note == "Only the first 2 of 4 tokens are used."


@pytest.mark.parametrize("text", ["abC", "a.b", "<s>", "مرحبا", "a👩‍🚀", "a\x00"])
def test_other_characters_are_refused_with_the_list(text: str) -> None:
    with pytest.raises(ValueError, match=r"only the symbols a to z: “.+” is none of them"):
        LETTERS.encode(text)


def test_symbols_out_of_order_are_all_named() -> None:
    with pytest.raises(ValueError, match=r"only the symbols 0 1 \+: “2”"):
        SymbolTokenizer((*SPECIAL, "0", "1", "+")).encode("1+2")


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Type at least one symbol"):
        LETTERS.encode(text)


def test_the_ends_of_a_text_have_the_labels_that_pieces_have() -> None:
    assert LETTERS.labels([2, 3, 4, 0]) == ("(start)", "(end)", LETTERS.symbols[4], "(pad)")
    assert tuple(label(i, piece) for i, piece in enumerate(SPECIAL)) == LETTERS.labels(range(4))


def test_limits_and_ids_outside_are_refused() -> None:
    with pytest.raises(ValueError, match="limit of 0"):
        LETTERS.encode("a", limit=0)
    with pytest.raises(ValueError, match="Token id 30 is outside 0 to 29"):
        LETTERS.labels([30])


@pytest.mark.parametrize("symbols", [(), SPECIAL, ("a", "b"), (*SPECIAL, "a", "a"), (*SPECIAL, "ab"), (*SPECIAL, " ")])
def test_a_list_of_another_form_is_refused(symbols: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="A list of symbols is <pad>, <unk>, <s>, </s>"):
        SymbolTokenizer(symbols)
