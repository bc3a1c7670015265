"""Files that are too long are refused before they are read, and so is what is no JSON or no text."""

from pathlib import Path

import pytest

from core.checkpoints.card import read_card
from core.checkpoints.examples import read_examples
from core.checkpoints.measured import load_measured
from core.text.bounded_read import bounded_bytes, strict_json
from core.text.broken_file import BrokenFile
from core.text.tokenizer import Tokenizer
from core.text.word_forms import read_words


def test_a_file_may_have_as_many_bytes_as_are_allowed(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")
    assert bounded_bytes(tmp_path / "x", 3) == b"abc"
    with pytest.raises(ValueError, match=r"^x has 3 bytes, and 2 are the most\.$"):
        bounded_bytes(tmp_path / "x", 2)


@pytest.mark.parametrize("name", ["card.json", "pronouns.json", "words.txt", "bpe-1000.model", "examples.json"])
def test_files_of_models_are_bounded(name: str, tmp_path: Path) -> None:
    with (tmp_path / name).open("wb") as file:
        file.truncate(3 * 2**30)
    read = {
        "card.json": read_card,
        "pronouns.json": lambda folder: load_measured("pronouns", folder),
        "words.txt": lambda folder: read_words(folder / name),
        "bpe-1000.model": lambda folder: Tokenizer.load("bpe-1000", folder),
        "examples.json": lambda folder: read_examples(folder / name),
    }[name]
    with pytest.raises(BrokenFile, match=f"{name} has 3,221,225,472 bytes"):
        read(tmp_path)


@pytest.mark.parametrize("raw", [b"NaN", b"[Infinity]", b"[-Infinity]", b"\xff", b"{"])
def test_json_is_strict(raw: bytes) -> None:
    with pytest.raises(ValueError):
        strict_json(raw)


def test_a_list_of_words_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_bytes(b"cat\xffdog")
    with pytest.raises(BrokenFile, match=r"words\.txt cannot be read"):
        read_words(tmp_path / "words.txt")
