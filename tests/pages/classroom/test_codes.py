"""Codes as people type them: pasted, spaced, full-width, composed, in an address; and what can be none."""

import pytest

from pages.classroom.codes import LETTERS, is_code, read_code


@pytest.mark.parametrize(
    "typed",
    [
        "BCDFG",
        "bcdfg",
        " BCD FG ",
        "b c d f g",
        "BCD-FG.",
        "\u201cBCDFG\u201d",
        "\uff22\uff23\uff24\uff26\uff27",  # of a Japanese keyboard
        "\uff42\uff43\uff44\uff46\uff47",
        "B\u0301CDFG",  # a composed letter
        "\u1e02CDFG",
        "BCD\u200bFG\u202e",  # what nobody sees
        "\u24b7\u24b8\u24b9\u24bb\u24bc",
        "http://192.168.1.5:8501/class/bcdfg",
        "https://learn.example.org/foo/class/BCDFG/",
    ],
)
def test_a_code_is_read_as_it_was_meant(typed: str) -> None:
    assert read_code(typed) == "BCDFG"


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "Type the five letters"),
        (" - ", "Type the five letters"),
        ("BCDF", "five letters; this has 4"),
        ("BCDFGHJ", "five letters; this has 7"),
        ("ABC" * 90, "five letters; this has 270"),
        ("BCD5G", "letters from A to Z"),
        ("\u0412\u0421DFG", "letters from A to Z"),  # Cyrillic letters that look like B and C
        ("<img src=x>BCDFG", "five letters; this has 12"),
    ],
)
def test_what_can_be_no_code_is_told_in_a_sentence(typed: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_code(typed)


def test_every_code_is_read_as_itself() -> None:
    for start in range(len(LETTERS) - 4):
        code = LETTERS[start : start + 5]
        assert is_code(code) and read_code(code.lower()) == code
