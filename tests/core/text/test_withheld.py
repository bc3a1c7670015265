"""Withheld words: no way to cut one into pieces lets a model write it, and no list of guesses names it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.checkpoints import shipped
from core.device import Placement
from core.model.transformer import Transformer
from core.text.tokenizer import TOKENIZERS, WITHHELD, Tokenizer
from core.text.withheld import FILE, WithheldPieces, withheld_words
from core.training.translation import translate
from tests.core.texts import load

SENTENCES = ("I realy liek choclate cake.", "You son of a bitch!", "my frend is a litle fagot", "Kill the nigger.")
SPELLED = [b" ab", b"ab", b"a", b" a", b"b", b" b", b"c", b" abc", b"bc", "é".encode(), b"\xc3", b"\xa9", b" ", b"."]
text_ids = st.lists(st.integers(0, len(SPELLED) - 1), max_size=6)


def last_word(text: bytes) -> str:
    """The letters at the end of a text, and bytes of an incomplete one."""
    word = ""
    for character in reversed(text.decode(errors="surrogateescape")):
        if not (character.isalpha() or "\udc80" <= character <= "\udcff"):
            break
        word = character + word
    return word


@given(text_ids)
def test_the_pieces_that_complete_a_word_are_found_as_by_trying_each(ids: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.text.withheld.withheld_words", lambda: frozenset({"abc", "abé", "b"}))
        pieces = WithheldPieces.of(SPELLED)
    text = b"".join(SPELLED[each] for each in ids)
    forms = {"abc", "Abc", "ABC", "abé", "Abé", "ABÉ", "b", "B"}
    completing = {i for i, piece in enumerate(SPELLED) if last_word(text + piece) in forms}
    assert set(pieces.after(text)) == completing


@pytest.mark.parametrize("name", TOKENIZERS)
def test_no_way_to_cut_a_word_can_be_written(name: str) -> None:
    tokenizer = load(name)
    for word in sorted(withheld_words()):
        for text in (word, f"the {word.capitalize()}", f"({word.upper()}"):
            ways = [tuple(tokenizer.ids(text)), *(each.tokens.ids for each in tokenizer.sample(text, 0.3, 0, 4))]
            for ids in ways:
                assert any(piece in tokenizer.withheld_after(ids[:n]) for n, piece in enumerate(ids)), (text, ids)


@pytest.mark.parametrize(
    "text", ["The cat sat on the mat.", "spices, retard, concert, député, matinée", "\ud7ff é €", "."]
)
@pytest.mark.parametrize("name", TOKENIZERS)
def test_other_words_can_be_written(name: str, text: str) -> None:
    tokenizer = load(name)
    ids = tokenizer.ids(text)
    assert not any(piece in tokenizer.withheld_after(ids[:n]) for n, piece in enumerate(ids))


def test_a_list_of_guesses_names_no_withheld_word_and_ones_own_text_stays() -> None:
    tokenizer = load("unigram-8000")
    (piece,) = tokenizer.ids("negro")
    assert tokenizer.labels([piece, *tokenizer.ids("cat")]) == (WITHHELD, "cat")
    assert tokenizer.encode("negro").pieces == ("▁negro",)


def test_each_word_stands_in_the_list_once_in_lower_case() -> None:
    words = [line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert len(words) == len(set(words)) == len(withheld_words()) and all(word == word.lower() for word in words)


@pytest.mark.parametrize("width", [1, 4])
def test_a_translation_is_free_of_them(width: int) -> None:
    """Without the list, the translator writes one for the first sentence at a width of 1."""
    model, tokenizer = shipped.load("translator", Placement("cpu", "float32")), shipped.tokenizer("translator")
    assert isinstance(tokenizer, Tokenizer) and isinstance(model, Transformer)
    written = " ".join(translate(model, tokenizer, SENTENCES, width)).casefold()
    assert not set(re.findall(r"\w+", written)) & withheld_words()
