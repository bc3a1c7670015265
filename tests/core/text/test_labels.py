"""The short names of tokens and heads."""

import pytest

from core.text.labels import are_words, bare, goes_on, head_label, token_name
from core.text.special import SPECIAL_LABELS
from core.text.words import byte_label, visible


def test_heads_are_counted_from_one() -> None:
    assert head_label(0, 2) == "layer 1 · head 3"


def test_a_piece_that_goes_on_with_a_word_is_known_by_its_mark() -> None:
    labels = ("3:·al", "·n", "2:·", "4:dog", "1:Le → ·n", "1:·e → ·n")
    assert [goes_on(label) for label in labels] == ["·al", "·n", "", "", "", "·e"]


def test_a_label_without_its_number() -> None:
    assert [bare(each) for each in ("3:cat", "3::", "12:·s", "1:Le → chat", "0:→", "cat")] == [
        "cat",
        ":",
        "·s",
        "Le",
        "→",
        "cat",
    ]


@pytest.mark.parametrize(
    ("labels", "at", "name"),
    [
        (["0:Once", "1:upon"], 1, "“upon”"),
        (["0:anim", "1:·al"], 1, "“·al”"),
        (["0:a", "1:·"], 1, "“·”"),
        (["0:the", "1:cat", "2:the"], 0, "the first “the”"),
        (["0:the", "1:cat", "2:the"], -1, "the second “the”"),
        ([f"{place}:la" for place in range(12)], 11, "“la” number 12"),
        (["7:the", "8:cat", "9:the"], 2, "“the” (token 9)"),
        (["0:(start) → Le", "1:Le → chat", "2:chat"], 1, "“Le” (writing “chat”)"),
        (["0:→ → ·s"], 0, "“→” (writing “·s”)"),
        ("qk", 1, "“k”"),
    ],
)
def test_a_sentence_names_a_token_without_its_number(labels: list[str], at: int, name: str) -> None:
    assert token_name(labels, at) == name


@pytest.mark.parametrize(
    ("labels", "named"),
    [
        (["The", "don't", "T-shirt", "7", "école", "日本語"], [True] * 6),
        (["0:be", "1:·cause", "2:it"], [False, False, True]),  # crumbs, and what they are the rest of
        (["1:Le → chat", "2:. → (end)"], [True, False]),
        ([*SPECIAL_LABELS, ".", "'s", "[MASK]", "␣", byte_label(240), visible("\u200b"), ""], [False] * 11),
    ],
)
def test_words_are_told_from_signs_marks_and_pieces(labels: list[str], named: list[bool]) -> None:
    assert are_words(labels).tolist() == named
