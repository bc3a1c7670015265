"""The arrows between the rooms run one way, read from the imports of every file; importing the core does nothing."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LONGEST = 300
NEVER_IMPORTS = {
    "app": ("torch",),
    "core": ("streamlit", "pages", "app", "tests"),
    "core.model": ("core.analysis", "core.charts", "core.explorer", "core.training"),
    "core.analysis": ("core.charts", "core.explorer"),
    "core.charts": ("torch", "core.model"),
    "pages": ("torch", "app", "tests"),
}


def sources() -> dict[str, str]:
    """Every Python file of the project by its path from the root."""
    rooms = (path for room in ("core", "pages", "tests") for path in (ROOT / room).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in sorted([*rooms, *ROOT.glob("*.py")])}


def module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def inside(name: str, room: str) -> bool:
    return name == room or name.startswith(room + ".")


def imports(path: str, tree: ast.AST) -> Iterator[str]:
    """Each module that a file imports; `from a import b` gives a and a.b, for b may be a module."""
    package = module(path).split(".")[: None if path.endswith("__init__.py") else -1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("__import__", "importlib.import_module"):
            yield from (str(argument.value) for argument in node.args[:1] if isinstance(argument, ast.Constant))


def names(tree: ast.AST) -> set[str]:
    """Every dotted name and every imported name that a file uses."""
    dotted = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    imported = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return dotted | {f"{node.module}.{alias.name}" for node in imported for alias in node.names}


def problems(path: str, source: str) -> list[str]:
    """What a file does that its room may not."""
    tree, here = ast.parse(source), module(path)
    imported, used = set(imports(path, tree)), names(tree)
    found = [
        f"{path} imports {name}"
        for room, forbidden in NEVER_IMPORTS.items()
        if inside(here, room)
        for name in imported
        if any(inside(name, other) for other in forbidden)
    ]
    if inside(here, "pages.ui"):
        found += [
            f"{path} imports {name}"
            for name in imported
            if inside(name, "pages")
            and name != "pages"
            and not inside(name, "pages.ui")
            and not inside(name, "pages.canvas")
        ]
    elif inside(here, "pages.canvas"):
        found += [
            f"{path} imports {name}"
            for name in imported
            if inside(name, "pages") and not inside(name, "pages.canvas") and name != "pages"
        ]
    elif not inside(here, "tests"):
        found += [f"{path} uses {name}" for name in used if name.endswith((".cache_data", ".cache_resource"))]
    found += [f"{path} imports {name}" for name in imported if name in ("pickle", "cPickle", "dill", "joblib")]
    found += [f"{path} uses {name}" for name in used if name == "torch.load"]
    found += [f"{path} uses {name}" for name in used if ".register_" in name and name.endswith("hook")]
    if (lines := len(source.splitlines())) > LONGEST:
        found.append(f"{path} has {lines} lines, more than {LONGEST}")
    return sorted(set(found))


def ways_to_torch(files: Mapping[str, str]) -> list[str]:
    """Chart files that reach torch through other files of the project."""
    graph = {module(path): set(imports(path, ast.parse(source))) for path, source in files.items()}

    def reached(name: str, seen: set[str]) -> set[str]:
        if name not in seen:
            seen.add(name)
            for other in graph.get(name, ()):
                reached(other, seen)
        return seen

    return [name for name in graph if inside(name, "core.charts") and "torch" in reached(name, set())]


@pytest.mark.parametrize("path", sources())
def test_each_file_keeps_to_its_room(path):
    assert problems(path, sources()[path]) == []


def test_no_chart_reaches_torch_by_a_detour():
    assert ways_to_torch(sources()) == []


@pytest.mark.parametrize(
    ("path", "source", "problem"),
    [
        ("core/x.py", "import streamlit as st", "core/x.py imports streamlit"),
        ("core/model/x.py", "def f():\n    from pages.ui import matrix", "core/model/x.py imports pages.ui"),
        ("core/charts/x.py", "import torch.nn.functional as F", "core/charts/x.py imports torch.nn.functional"),
        ("core/charts/x.py", "from core import model", "core/charts/x.py imports core.model"),
        (
            "core/charts/x.py",
            "from ..model.config import TransformerConfig",
            "core/charts/x.py imports core.model.config",
        ),
        ("core/charts/x.py", "from streamlit import cache_data", "core/charts/x.py imports streamlit"),
        ("core/analysis/x.py", "from core.explorer import run", "core/analysis/x.py imports core.explorer"),
        ("core/analysis/x.py", "from . import heads\nfrom .. import charts", "core/analysis/x.py imports core.charts"),
        ("core/model/x.py", "import core.analysis.costs", "core/model/x.py imports core.analysis.costs"),
        ("pages/words/x.py", "import torch", "pages/words/x.py imports torch"),
        ("pages/words/x.py", "torch = __import__('torch')", "pages/words/x.py imports torch"),
        ("pages/words/x.py", "import importlib\nimportlib.import_module('torch')", "pages/words/x.py imports torch"),
        ("pages/canvas/x.py", "from pages.ui import frame", "pages/canvas/x.py imports pages.ui"),
        ("pages/ui/x.py", "import app", "pages/ui/x.py imports app"),
        ("pages/ui/x.py", "from pages.words import tokens", "pages/ui/x.py imports pages.words"),
        ("pages/words/x.py", "@st.cache_data\ndef f(): ...", "pages/words/x.py uses st.cache_data"),
        ("app.py", "from streamlit import cache_resource", "app.py uses streamlit.cache_resource"),
        ("app.py", "import torch", "app.py imports torch"),
        ("core/x.py", "import pickle", "core/x.py imports pickle"),
        ("tests/x.py", "weights = torch.load(path)", "tests/x.py uses torch.load"),
        ("core/x.py", "model.layer.register_forward_hook(f)", "core/x.py uses model.layer.register_forward_hook"),
        ("core/x.py", "\n" * 301, "core/x.py has 301 lines, more than 300"),
    ],
)
def test_the_checker_sees_a_wrong_arrow(path, source, problem):
    assert problem in problems(path, source)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core/charts/x.py", "import altair as alt\nfrom core.charts import theme"),
        ("core/analysis/x.py", "import torch\nfrom core.model.config import TransformerConfig"),
        ("pages/ui/x.py", "import streamlit as st\nfrom pages.ui import frame\nst.cache_data(frame)"),
        ("pages/words/x.py", "import torchlike\nfrom pages.ui.cache import run\nfrom core.explorer import explore"),
    ],
)
def test_the_checker_lets_right_arrows_pass(path, source):
    assert problems(path, source) == []


def test_the_checker_sees_a_detour():
    files = {"core/charts/x.py": "from core.text.words import name", "core/text/words.py": "import torch"}
    assert ways_to_torch(files) == ["core.charts.x"]


WATCHED_IMPORTS = """
import contextlib, importlib, io, json, random, sys
import numpy, torch

def state():
    return (torch.get_rng_state().tolist(), torch.get_num_threads(), torch.get_default_dtype(),
            torch.is_grad_enabled(), random.getstate(), str(numpy.random.get_state()))

found = []
for name in json.loads(sys.argv[1]):
    before, said = state(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        importlib.import_module(name)
    if said.getvalue():
        found.append(f"importing {name} prints {said.getvalue()!r}")
    if state() != before:
        found.append(f"importing {name} changes the state of torch, numpy or random")
print(json.dumps(found))
"""


def side_effects(modules: list[str], room: Path = ROOT) -> list[str]:
    """What importing each module does beside defining things, in a process of its own."""
    command = [sys.executable, "-c", WATCHED_IMPORTS, json.dumps(modules)]
    done = subprocess.run(command, cwd=room, capture_output=True, text=True, check=True, timeout=120)
    return json.loads(done.stdout)


def test_importing_the_core_does_nothing():
    assert side_effects([module(path) for path in sources() if inside(module(path), "core")]) == []


@pytest.mark.parametrize(
    "source", ["print('hello')", "import torch\ntorch.manual_seed(0)", "import torch\ntorch.set_num_threads(3)"]
)
def test_the_watch_over_imports_sees_a_side_effect(source, tmp_path):
    (tmp_path / "loud.py").write_text(source)
    assert len(side_effects(["loud"], tmp_path)) == 1
