"""Words as word vectors know them: in lower case, without marks, one entry of a list each."""

from collections.abc import Iterator
from pathlib import Path


def text_words(text: str) -> Iterator[str]:
    """The words of a text in lower case; an apostrophe inside a word belongs to it."""
    spaced = "".join(c if c.isalpha() or c == "'" else " " for c in text.lower().replace("’", "'"))
    for word in spaced.split():
        if word := word.strip("'"):
            yield word.removesuffix("'s")


def read_words(path: Path) -> list[str]:
    """The words of a checkpoint, one a line. ValueError when the file is missing."""
    try:
        return path.read_text(encoding="utf-8").split()
    except FileNotFoundError:
        raise ValueError(f"{path} does not exist.") from None
