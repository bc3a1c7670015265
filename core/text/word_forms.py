"""Words as word vectors know them: in lower case, without marks, one entry of a list each."""

from collections.abc import Iterator
from pathlib import Path

from core.limits import MEASURED_MIB
from core.memory import MIB
from core.text.bounded_read import bounded_bytes
from core.text.broken_file import BrokenFile


def text_words(text: str) -> Iterator[str]:
    """The words of a text in lower case; an apostrophe inside a word belongs to it."""
    spaced = "".join(c if c.isalpha() or c == "'" else " " for c in text.lower().replace("’", "'"))
    for word in spaced.split():
        if word := word.strip("'"):
            yield word.removesuffix("'s")


def read_words(path: Path) -> list[str]:
    """The words of a checkpoint, one a line. BrokenFile when the file is missing or damaged."""
    try:
        return bounded_bytes(path, MEASURED_MIB * MIB).decode("utf-8").split()
    except FileNotFoundError:
        raise BrokenFile(f"{path} does not exist.") from None
    except (OSError, ValueError) as error:  # too long, or no text
        why = error.strerror if isinstance(error, OSError) else error
        raise BrokenFile(f"{path} cannot be read ({why}).") from error
