"""Every shipped file is traced to the texts that it was made from, and every package to its licence."""

import json
import re
from pathlib import Path

import numpy
import pytest
import streamlit
import torch

from core.sources.document import DOCUMENT, sources_document
from core.sources.packages import UNSTATED as NO_LICENCE
from core.sources.packages import installed_packages
from core.sources.texts import ASSETS, DATA_SOURCES, KINDS, books_read, shipped_files, source_named

WRITTEN_HERE = {"evaluation", "examples.json", "inventory.toml", "lab", "lessons", "pictures", "books.tsv"}
WRITTEN_HERE |= {"SOURCES.md", "glossary.toml", "withheld_words.txt"}
BY_NAME = {source.name: source for source in DATA_SOURCES}


def test_every_line_of_every_card_names_one_source_with_its_licence() -> None:
    """Also those of the steps on a model's way through training, which `shipped_files` takes as one with the model."""
    lines = 0
    for path in sorted(ASSETS.rglob("*.json")):
        content = json.loads(path.read_text())
        for said in content.get("data", ()) if isinstance(content, dict) else ():
            if isinstance(said, dict):
                assert source_named(said["text"]).licence == said["licence"], path
                lines += 1
    assert lines > 30


def test_every_file_in_assets_has_its_sources_or_is_our_own() -> None:
    listed = {file.path: file.sources for file in shipped_files()}
    there = {
        path.relative_to(ASSETS).as_posix() for room in ("models", "measured") for path in (ASSETS / room).iterdir()
    }
    fired = {path for path in there if re.fullmatch(r"measured/(neurons|heads)-[a-z-]+\.safetensors", path)}
    assert there - fired | {"tokenizers"} == set(listed)
    assert {path.name for path in ASSETS.iterdir()} == {"models", "measured", "tokenizers", *WRITTEN_HERE}
    assert listed["models/translator"] == ("Tatoeba", "Multi30k")
    assert listed["models/toy-copy"] == ("Made here",)
    assert set(BY_NAME) == {name for sources in listed.values() for name in sources}


def test_a_card_with_a_source_that_is_not_in_the_table_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "models" / "new"
    folder.mkdir(parents=True)
    (folder / "card.json").write_text(json.dumps({"what": "a model", "data": [{"text": "a novel of last year"}]}))
    with pytest.raises(ValueError, match="'a novel of last year' names 0 of the sources"):
        shipped_files(tmp_path)
    with pytest.raises(ValueError, match="names 2"):
        source_named("books, and sentences of Tatoeba")


@pytest.mark.parametrize(
    "damaged", ["{", '{"data": NaN}', "[]", '{"data": 1}', '{"data": [{}]}', '{"data": [{"text": "books"}]}']
)
def test_what_is_damaged_or_missing_is_said_in_a_sentence(damaged: str, tmp_path: Path) -> None:
    (tmp_path / "measured").mkdir()
    (tmp_path / "measured" / "new.json").write_text(damaged)
    with pytest.raises(ValueError, match=r"assets/measured/new\.json was made from cannot be read"):
        shipped_files(tmp_path)
    (tmp_path / "books.tsv").write_text("title\nonly a title\n")
    for folder in (tmp_path, tmp_path / "measured"):
        with pytest.raises(ValueError, match="is missing or damaged"):
            books_read(folder)
    with pytest.raises(ValueError, match=r"nothing\.txt, cannot be read"):
        installed_packages(tmp_path / "nothing.txt")


def test_sources_are_whole() -> None:
    for source in DATA_SOURCES:
        assert source.kind in KINDS and source.people and source.used and source.asks
        assert all(address.startswith("https://") for _, address in source.links)
    books = books_read()
    assert len({(book.title, book.edition) for book in books}) == len(books)
    assert BY_NAME["Books"].used.startswith(f"{len(books)} texts")
    assert all(book.title and book.people and re.fullmatch(r"1[5-9]\d\d|20\d\d", book.year) for book in books)


def test_the_file_of_sources_is_what_its_command_writes() -> None:
    """Versions of packages may state their licences in other words."""
    said, written = (text.split("## The packages")[0] for text in (DOCUMENT.read_text(), sources_document()))
    assert said == written
    assert all(f"| {package.name} |" in DOCUMENT.read_text() for package in installed_packages() if package.asked)


def test_packages_are_those_that_are_installed() -> None:
    found = {package.name: package for package in installed_packages()}
    versions = {"torch": torch.__version__, "streamlit": streamlit.__version__, "numpy": numpy.__version__}
    assert {name: found[name].version for name in versions} == versions
    asked = [line.split("=")[0].split(">")[0] for line in (ASSETS.parent / "requirements.txt").read_text().splitlines()]
    assert [package.name for package in found.values() if package.asked] == [name for name in asked if name[0] != "#"]
    assert {"starlette", "protobuf", "click"} <= found.keys() and "pytest" not in found
    assert "Apache" in found["streamlit"].licence and "BSD" in found["starlette"].licence
    assert all(package.licence and package.licence != NO_LICENCE for package in found.values())
