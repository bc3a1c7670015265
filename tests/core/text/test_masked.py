"""[MASK] in a text: one piece, with the space before it; all else is cut as ever."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.masked import MaskTokenizer
from core.text.special import MASK
from core.text.tokenizer import TOKENIZERS, Tokenizer

PLAIN = Tokenizer.load("unigram-8000")
HIDING = MaskTokenizer.of(PLAIN)


@pytest.mark.parametrize(
    ("typed", "labels"),
    [
        ("the [MASK] sat.", ("the", "[MASK]", "sat", ".")),
        ("[mask] sat", ("[MASK]", "sat")),
        ("it is[Mask]!", ("it", "is", "[MASK]", "!")),
        ("one\n[MASK] two", ("one", "↵", "[MASK]", "two")),
        ("[MASK][MASK]", ("[MASK]", "[MASK]")),
    ],
)
def test_a_hidden_token_is_one_piece(typed: str, labels: tuple[str, ...]) -> None:
    found = HIDING.encode(typed)
    assert found.labels == labels and found.ids.count(MASK) == labels.count("[MASK]")
    assert found.words == tuple(range(len(labels))) and found.word_labels == labels
    assert "".join(found.text[a:b] for a, b in found.spans) == found.text == HIDING.decode(found.ids)


@pytest.mark.parametrize("name", TOKENIZERS)
def test_what_stands_round_a_hidden_word_is_cut_as_round_a_shown_one(name: str) -> None:
    """As in training, where the mask took the place of a piece with its space."""
    plain = Tokenizer.load(name)
    shown, hidden = (
        plain.ids("I saw the dog, and it saw me."),
        MaskTokenizer.of(plain).ids("I saw [MASK] dog, and it saw me."),
    )
    place = hidden.index(MASK)
    assert (the := plain.ids("the")) == shown[place : place + len(the)]
    assert hidden == [*shown[:place], MASK, *shown[place + len(the) :]]


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip))
def test_a_text_that_hides_nothing_is_cut_as_ever(text: str) -> None:
    if "[mask]" not in text.lower():
        assert HIDING.encode(text) == PLAIN.encode(text)


@given(st.lists(st.sampled_from(["[MASK]", " ", "cat", ".", "\n", "[", "MASK]", "é"]), min_size=1).map("".join))
def test_every_mask_is_a_token_and_the_text_comes_back(text: str) -> None:
    if text.strip():
        found = HIDING.encode(text)
        assert found.ids.count(MASK) == text.count("[MASK]")
        assert HIDING.decode(found.ids) == found.text and found.text.replace(" ", "") == text.replace(" ", "")


def test_the_piece_has_its_name_in_lists_too() -> None:
    assert HIDING.labels((MASK, *PLAIN.ids("cat"))) == ("[MASK]", *PLAIN.labels(PLAIN.ids("cat")))
    assert PLAIN.labels((MASK,)) == ("(unknown)",)
