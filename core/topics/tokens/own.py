"""Training a tokenizer on a text that a visitor pasted."""

import re
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from core.limits import PASTED_CHARACTERS, TRAINER_SECONDS
from core.text.tokenizer import Tokenizer, check_unicode
from core.text.tokenizer_process import Standing, train_apart
from core.text.trainer import train_model

OWN_NAME = "yours"
LINE_CHARACTERS = 1_000  # characters: sentencepiece leaves out lines that are far longer

_TOO_MANY_PIECES = re.compile(r"set it to a value <= (\d+)")
_TOO_FEW_PIECES = re.compile(r"required_chars\. \d+ vs (\d+)")


@dataclass(frozen=True, eq=False)
class Own:
    """A tokenizer trained here, with the number of characters of its text and the seconds that the training took."""

    tokenizer: Tokenizer
    characters: int
    seconds: float


def train_own(text: str, kind: str, size: int) -> Own:
    """Train a tokenizer of this kind ("unigram" or "bpe") and size.

    Raises ValueError if the text is too long, empty or not usable, or does not allow such a tokenizer.
    """
    lines, begun = _lines(text), time.perf_counter()
    with _explained(kind, size):
        model = train_model(kind, size, lines)
    return Own(Tokenizer.from_model(OWN_NAME, kind, model), len(text), time.perf_counter() - begun)


def train_own_apart(text: str, kind: str, size: int) -> Iterator[Standing | Own]:
    """Train the tokenizer of `train_own` in a process of its own; yield the progress, and last the tokenizer.

    Raises ValueError as `train_own` does, and if the training needs too much time or memory.
    """
    lines, begun = _lines(text), time.perf_counter()
    with _explained(kind, size):
        model = yield from train_apart(kind, size, lines)
    yield Own(Tokenizer.from_model(OWN_NAME, kind, model), len(text), time.perf_counter() - begun)


def _lines(text: str) -> list[str]:
    if len(text) > PASTED_CHARACTERS:
        raise ValueError(f"Paste at most {PASTED_CHARACTERS:,} characters; these are {len(text):,}.")
    check_unicode(text)
    lines = [part for line in text.splitlines() for part in textwrap.wrap(line, LINE_CHARACTERS)]
    if not lines:
        raise ValueError("Paste some text to train on.")
    return lines


@contextmanager
def _explained(kind: str, size: int) -> Iterator[None]:
    """Turn every error that ends a training inside this context into a ValueError that suggests a remedy."""
    try:
        yield
    except ValueError as error:
        raise ValueError(why_not(str(error), kind, size)) from error
    except (TimeoutError, MemoryError) as error:
        what = (
            "more memory than it may have" if isinstance(error, MemoryError) else f"more than {TRAINER_SECONDS} seconds"
        )
        raise ValueError(f"The training needed {what} and was ended: paste less text, or take “bpe”.") from error


def why_not(error: str, kind: str, size: int) -> str:
    """Return an explanation of sentencepiece's error message, with a remedy."""
    if match := _TOO_MANY_PIECES.search(error):
        max_pieces = int(match[1])
        return (
            f"With {kind} this text gives at most {max_pieces:,} pieces, not {size:,}: take fewer or paste more text."
        )
    if match := _TOO_FEW_PIECES.search(error):
        min_pieces = int(match[1])
        return (
            f"This text has so many different characters that {min_pieces:,} pieces are the least, and you asked for "
            f"{size:,}: take more pieces or a text in fewer scripts."
        )
    return f"A {kind} tokenizer with {size:,} pieces cannot be trained on this text: paste more or other text."
