"""The codes of rooms: five letters, and how they are read from what people type."""

import unicodedata

LETTERS = "BCDFGHJKLMNPRSTWXZ"  # no vowels, so that no words come out; none of Q and V, which look like O and half a W
CODE_LENGTH = 5
READ_OVER = (
    "MZPSC"  # accents, spaces, punctuation, signs, what controls text: the first letters of Unicode's categories
)


def is_code(text: str) -> bool:
    """Return whether a text could be the code of a room."""
    return len(text) == CODE_LENGTH and all(letter in LETTERS for letter in text)


def read_code(typed: str) -> str:
    """Return the code that somebody typed, as five capital letters from A to Z.

    Spaces, accents and punctuation are left out, full-width letters are read as A to Z, and of the address of a class
    the code is taken.

    Raises ValueError, with a sentence for whoever typed it, if it cannot be a code.
    """
    plain = unicodedata.normalize("NFKD", typed.rpartition("/class/")[2]).upper()
    letters = "".join(letter for letter in plain if unicodedata.category(letter)[0] not in READ_OVER)
    if not letters:
        raise ValueError("Type the five letters on the projector.")
    if not (letters.isascii() and letters.isalpha()):
        raise ValueError("A code has only letters from A to Z.")
    if len(letters) != CODE_LENGTH:
        raise ValueError(f"A code has five letters; this has {len(letters)}.")
    return letters
