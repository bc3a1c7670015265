"""Words in the form in which word vectors list them: lower case, without punctuation."""

from collections.abc import Iterator
from pathlib import Path

from core.limits import MEASURED_MIB
from core.memory import MIB
from core.text.bounded_read import bounded_bytes
from core.text.broken_file import BrokenFile


def text_words(text: str) -> Iterator[str]:
    """Yield the words of a text in lower case; an apostrophe inside a word belongs to it, but a final 's is removed."""
    spaced = "".join(c if c.isalpha() or c == "'" else " " for c in text.lower().replace("’", "'"))
    for word in spaced.split():
        if word := word.strip("'"):
            yield word.removesuffix("'s")


def read_words(path: Path) -> list[str]:
    """Return the words of a checkpoint, from a file with one a line.

    Raises BrokenFile if the file is missing or damaged.
    """
    try:
        return bounded_bytes(path, MEASURED_MIB * MIB).decode("utf-8").split()
    except FileNotFoundError:
        raise BrokenFile(f"{path} does not exist.") from None
    except (OSError, ValueError) as error:  # a ValueError: too long, or not text
        why = error.strerror if isinstance(error, OSError) else error
        raise BrokenFile(f"{path} cannot be read ({why}).") from error
