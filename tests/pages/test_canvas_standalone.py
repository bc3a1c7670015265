"""A drawing in a file of its own: every module and style sheet is in it, and nothing is asked of anybody."""

import base64
import json
import re
from html import unescape

import numpy as np
import pytest

from pages.canvas import HeadGrid, Matrices, Panel
from pages.canvas.runtime import modules
from pages.canvas.runtime.modules import files, needed_by
from pages.canvas.runtime.standalone import needed_files

MATRICES = Matrices([Panel("weights", "</script><b>", np.eye(2))], key="m", name="one")


def import_map(html: str) -> dict[str, str]:
    """The sources of the modules by their names."""
    [written] = re.findall(r'<script type="importmap">(.*?)</script>', html, re.DOTALL)
    addresses = json.loads(written)["imports"]
    return {name: base64.b64decode(address.partition(",")[2]).decode() for name, address in addresses.items()}


def test_every_module_that_is_imported_is_in_the_import_map() -> None:
    modules = import_map(MATRICES.to_html("One matrix"))
    assert "canvas/matrices/matrices.js" in modules
    for source in modules.values():
        imported = re.findall(r'^(?!//| *\*|/\*).*\b(?:from|import) "([^"]+)"', source, re.MULTILINE)
        assert set(imported) <= modules.keys()


def test_a_module_is_the_files_own_but_for_the_names_that_it_imports() -> None:
    source = import_map(MATRICES.to_html("One matrix"))["canvas/matrices/matrices.js"]
    names = r'\b(?:from|import) "[^"]+"|import\.meta\.url|"https://canvas\.invalid/[^"]+"'
    original = files()["matrices/matrices.js"].decode()
    assert re.sub(names, "…", source) == re.sub(names, "…", original)


def test_only_what_a_drawing_needs_is_in_its_file() -> None:
    needed = needed_files(["head_grid"])
    assert "head_grid/head_grid.css" in needed and "runtime/stage.css" in needed
    assert "matrices/matrices.js" not in needed and "terms/glossary.json" not in needed
    assert "runtime/streamlit_page.js" not in needed
    assert "terms/glossary.json" in needed_files(["term_list"])


def test_every_drawing_of_the_app_finds_its_files() -> None:
    scripts = sorted({path.split("/")[0] for path in files() if path.count("/") == 1 and path.endswith(".js")})
    for script in scripts:
        if f"{script}/{script}.js" in files():
            assert f"{script}/{script}.js" in needed_files([script])


def test_a_missing_module_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    without = {path: content for path, content in files().items() if path != "runtime/stage.js"}
    monkeypatch.setattr(modules, "files", lambda: without)
    needed_by.cache_clear()
    with pytest.raises(FileNotFoundError, match=r"matrices/matrices\.js needs runtime/stage\.js"):
        needed_files(["matrices"])
    needed_by.cache_clear()


def test_what_people_typed_stays_text() -> None:
    html = MATRICES.to_html("<img src=x onerror=alert(1)>")
    assert "<img" not in html and html.count("</script>") == len(re.findall("<script", html))


def test_a_drawing_of_its_own_has_nothing_to_click() -> None:
    shades = np.zeros((1, 2, 3, 3), np.uint8)
    grid = HeadGrid(shades, key="g", name="All heads", selected=(0, 0), sets=lambda *_: {"layer": "1"})
    assert grid.to_html("Grid") == grid.read_only().to_html("Grid")


def test_a_notebook_shows_a_drawing_in_a_frame() -> None:
    [held] = re.findall(r'<iframe srcdoc="([^"]*)"', MATRICES._repr_html_())
    assert unescape(held) == MATRICES.to_html("m")
