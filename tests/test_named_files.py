"""Every file that a comment or a docstring names is there."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.rooms import ROOT

ROOMS = ("core", "pages", "tests", "docs", "assets", "deploy", ".streamlit")
NAMED = re.compile(r"(?<![\w/.<>*-])(?:[\w-]+/)*[\w-]+\.(?:py|js|css|html|toml)\b(?![\w(])")
COMMENTS = {".js": r"(?m)^\s*//.*", ".css": r"(?s)/\*.*?\*/", ".toml": r"(?m)#.*"}


def comments(path: Path) -> Iterator[str]:
    """The comments of a file, and the docstrings of a module."""
    source = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from re.findall(COMMENTS[path.suffix], source)
        return
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    yield from (ast.get_docstring(node) or "" for node in ast.walk(ast.parse(source)) if isinstance(node, documented))
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    yield from (token.string for token in tokens if token.type == tokenize.COMMENT)


def unknown_files(path: Path, known: set[str]) -> list[str]:
    """The files that a file names and that are not there; known: their paths and the ends of these."""
    return [name for text in comments(path) for name in NAMED.findall(text) if name not in known]


def test_every_file_that_a_comment_names_is_there(tmp_path: Path) -> None:
    paths = [*ROOT.glob("*.*"), *(path for room in ROOMS for path in (ROOT / room).rglob("*.*"))]
    parts = [path.relative_to(ROOT).parts for path in paths]
    known = {"/".join(each[start:]) for each in parts for start in range(len(each))}
    read = [path for path in paths if path.suffix in (".py", *COMMENTS)]
    assert {str(path): found for path in read if (found := unknown_files(path, known))} == {}
    broken = tmp_path / "x.py"
    broken.write_text('"""As in `nowhere/gone.py`."""\nx = 1  # see tests/rooms.py and lost.js\n')
    assert unknown_files(broken, known) == ["nowhere/gone.py", "lost.js"]
