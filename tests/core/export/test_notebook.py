"""The notebook of a run is valid, holds the script's code, and runs in a kernel."""

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import nbclient
import nbformat
import pytest

from core.export.asked import HEAD_SCORES, HEAD_VECTORS, LENS, Asked
from core.export.bundle import files, take_home, zipped
from core.export.dialect import DIALECTS, Dialect
from core.export.notebook import Around, notebook
from core.export.script import script
from tests.core.export.test_shipped_models import PLACES, asked_of
from tests.core.export.written import assert_same

AROUND = Around("What does each head look at?", "Each **head** has weights of its own.", r"\mathrm{softmax}(s)")
PAGE = '<!doctype html><p title="a">x &lt; "y" {z} é</p>'


def text_of(asked: Asked, dialect: Dialect, kind: str) -> str:
    made = json.loads(notebook(asked, dialect, AROUND))
    return "\n\n\n".join("".join(cell["source"]) for cell in made["cells"] if cell["cell_type"] == kind)


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.key)
def test_its_code_is_that_of_the_script(dialect: Dialect) -> None:
    asked, _ = asked_of("translator")
    code = text_of(asked, dialect, "code").split()
    assert " ".join(code) in " ".join(script(asked, dialect).split())
    words = text_of(asked, dialect, "markdown")
    assert words.startswith("# What does each head look at?\n\nEach **head**") and "$$\\mathrm{softmax}(s)$$" in words
    assert "## Try it" in words


@pytest.mark.parametrize("name", PLACES)
def test_it_is_valid(name: str) -> None:
    for dialect in DIALECTS:
        nbformat.validate(nbformat.reads(notebook(asked_of(name)[0], dialect, AROUND), as_version=4))


@pytest.mark.parametrize(
    ("draws", "said"),
    [
        (HEAD_SCORES, "Do the scores get larger or smaller, and why?"),
        (HEAD_VECTORS, "Each row is the vector of one token."),
        (LENS, "from the embedding alone to the last layer"),
    ],
)
def test_it_says_what_is_drawn(draws: str, said: str) -> None:
    asked = replace(asked_of("storyteller")[0], draws=draws)
    words = text_of(asked, DIALECTS[0], "markdown")
    assert said in words and "each row sums to 1" not in words


@pytest.mark.parametrize("name", ["storyteller-small", "translator", "reader", "sentiment"])
def test_it_runs_and_shows_a_picture(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, model = asked_of(name)
    for file, data in files(asked, model, replace(AROUND, picture=PAGE)):
        (tmp_path / file).write_bytes(data)
    made = nbformat.read(tmp_path / "notebook.ipynb", as_version=4)
    monkeypatch.setenv("MPLBACKEND", "agg")
    nbclient.NotebookClient(made, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert_same(tmp_path, asked, model)
    assert (tmp_path / "one-column.pdf").read_bytes().startswith(b"%PDF")
    (output,) = made.cells[2].outputs
    (held,) = re.findall(r'<iframe srcdoc="([^"]*)"', output.data["text/html"])
    assert unescape(held) == PAGE


def test_the_zip_of_a_trained_model_names_its_licences() -> None:
    asked, model = asked_of("translator")
    held = dict(files(asked, model, AROUND))
    assert "picture.html" not in held
    assert {"notebook.ipynb", "card.json", "LICENCES.txt", "tokenizer.model", "vocabulary.json"} <= held.keys()
    assert held["requirements.txt"].count(b"\n") == 4
    assert b"CC BY 2.0 FR" in held["LICENCES.txt"]
    made = take_home(model, asked.tokenizer, asked.run, asked.place, asked.classes, AROUND)
    assert len(made) == len(zipped(held.items()))
