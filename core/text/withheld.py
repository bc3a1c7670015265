"""The words that our models never write, and the pieces that would complete one of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from core.text.bounded_read import bounded_bytes
from core.text.broken_file import BrokenFile
from core.text.words import MARK

FILE = Path(__file__).parents[2] / "assets" / "withheld_words.txt"
MAX_FILE_BYTES = 65_536


@cache
def withheld_words() -> frozenset[str]:
    """Return the words of ``assets/withheld_words.txt``: slurs, insults and obscenities, in lower case.

    Raises BrokenFile for a missing or damaged file.
    """
    try:
        lines = bounded_bytes(FILE, MAX_FILE_BYTES).decode().splitlines()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error  # an OSError's own text holds the path
        raise BrokenFile(f"The file {FILE.name} is missing or damaged ({why}).") from error
    return frozenset(line for line in lines if line and not line.startswith("#"))


@dataclass(frozen=True)
class WithheldPieces:
    """The pieces of one vocabulary that would complete a withheld word.

    starts: the ids of pieces that are a whole word with the space before it; they complete it after any text.
    endings: the ids of pieces that complete a word, by the bytes of its beginning.
    """

    starts: tuple[int, ...]
    endings: Mapping[bytes, tuple[int, ...]]

    @classmethod
    def of(cls, spelled: Sequence[bytes]) -> "WithheldPieces":
        """Return the pieces of a vocabulary.

        spelled: the bytes that each piece adds to a text, with a space in front if it begins a word.
        """
        ids: dict[bytes, list[int]] = {}
        for number, piece in enumerate(spelled):
            ids.setdefault(piece, []).append(number)
        words = [form.encode() for word in withheld_words() for form in {word, word.capitalize(), word.upper()}]
        endings: dict[bytes, list[int]] = {}
        for word in words:
            for length in range(len(word)):
                endings.setdefault(word[:length], []).extend(ids.get(word[length:], ()))
        starts = (number for word in words for number in ids.get(b" " + word, ()))
        return cls(tuple(starts), {begun: tuple(found) for begun, found in endings.items() if found})

    def after(self, begun: bytes) -> tuple[int, ...]:
        """Return the ids that may not follow a text that ends with these bytes."""
        text = begun.decode(errors="surrogateescape")
        letters = len(text)
        while letters and _is_part_of_word(text[letters - 1]):
            letters -= 1
        word = text[letters:].encode(errors="surrogateescape")
        return self.starts + self.endings.get(word, ())


def _is_part_of_word(character: str) -> bool:
    """Return whether a character is a letter, or one byte of an incomplete character."""
    return character.isalpha() or 0xDC80 <= ord(character) <= 0xDCFF


def is_withheld(piece: str) -> bool:
    """Return whether a piece, as sentencepiece spells it, is a withheld word by itself."""
    return piece.removeprefix(MARK).lower() in withheld_words()
