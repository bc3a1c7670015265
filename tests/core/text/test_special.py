"""The special ids are those of every shipped tokenizer, and they are written down once."""

import ast
from pathlib import Path

import pytest

from core.text.special import BOS, EOS, PAD, SPECIAL, SPECIAL_LABELS, UNK
from core.text.tokenizer import TOKENIZERS, Tokenizer

ROOT = Path(__file__).parents[3]
NAMES = {"PAD", "UNK", "BOS", "EOS", "SPECIAL", "SPECIAL_LABELS"}


@pytest.mark.parametrize("name", TOKENIZERS)
def test_the_special_pieces_of_every_shipped_tokenizer(name):
    tokenizer = Tokenizer.load(name)
    assert tokenizer.pieces((PAD, UNK, BOS, EOS)) == SPECIAL
    assert tokenizer.labels((PAD, UNK, BOS, EOS)) == SPECIAL_LABELS


def assigned(source: str) -> set[str]:
    """The names that a file gives a value to by itself."""
    return {
        node.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def test_no_other_file_defines_them():
    files = [path for room in ("core", "pages") for path in (ROOT / room).rglob("*.py")]
    owners = {path.relative_to(ROOT).as_posix() for path in files if NAMES & assigned(path.read_text())}
    assert owners == {"core/text/special.py"}
