"""A public name of the project means one thing, wherever it stands."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Names that mean the same in every module that has one, and why.
SAME_EVERYWHERE = {
    "build": "a model of the module's own family with fresh weights, from its config",
    "load": "the model behind a checkpoint, read strictly",
    "main": "what a command runs",
    "read": "the record behind a name or an address, checked",
    "show": "a view of a page: its parts, made from a run and its settings",
    "controls": "the settings that a view asks for",
}
# The pages are moving out of pages/ui into folders of their own; empty this when they have.
MOVING = ("pages.ui", "pages.attention.heads", "pages.attention.masks", "pages.attention.positions")
MOVING += ("pages.attention.scaling", "pages.start.journey")
MOVING += ("pages.transformer.generate", "pages.transformer.kv_cache", "pages.transformer.translate")


def inside(name: str, room: str) -> bool:
    return name == room or name.startswith(room + ".")


def is_queries(module: str) -> bool:
    """Whether a module holds cached calls, which bear the names of the core's functions that they call."""
    return inside(module, "pages.queries") or (inside(module, "pages") and module.endswith(".queries"))


def public(source: str) -> set[str]:
    """The public functions and classes at the top of a file."""
    nodes = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef))
    return {node.name for node in nodes if not node.name.startswith("_")}


def shared(files: Mapping[str, str], same: Iterable[str] = SAME_EVERYWHERE) -> dict[str, list[str]]:
    """Names in more than one module, with these modules; files: sources by the name of their module."""
    found: dict[str, list[str]] = defaultdict(list)
    for module, source in files.items():
        for name in public(source) - set(same):
            found[name].append(module)
    named = {name: sorted(modules) for name, modules in found.items() if len(modules) > 1}
    return {name: modules for name, modules in named.items() if not _is_cached_call(modules)}


def _is_cached_call(modules: list[str]) -> bool:
    """One function of the core and one cached call of it."""
    core, calls = [m for m in modules if inside(m, "core")], [m for m in modules if is_queries(m)]
    return len(core) == len(calls) == 1 and len(modules) == 2


def sources() -> dict[str, str]:
    found = {}
    for room in ("core", "pages"):
        for path in sorted((ROOT / room).rglob("*.py")):
            module = path.relative_to(ROOT).as_posix().removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            if not any(inside(module, moving) for moving in MOVING) or module.endswith(".__main__"):
                found[module] = path.read_text()
    return found


def test_no_public_name_means_two_things() -> None:
    assert shared(sources()) == {}


def test_every_exception_is_needed() -> None:
    """Views come with the pages; the other names stand in several modules already."""
    needed = shared(sources(), ()).keys() | {"show", "controls"}
    assert set(SAME_EVERYWHERE) <= needed


@pytest.mark.parametrize(
    ("files", "names"),
    [
        ({"core.a": "def place(): ...", "core.b": "class place: ..."}, {"place"}),
        ({"core.a": "def place(): ...", "pages.x.b": "def place(): ..."}, {"place"}),
        ({"core.a": "def place(): ...", "core.b": "def _place(): ..."}, set()),
        ({"core.a": "def place(): ...", "core.b": "class B:\n    def place(self): ..."}, set()),
        ({"core.a": "def main(): ...", "core.b": "def main(): ..."}, set()),
        ({"core.a": "def head(): ...", "pages.x.y.queries": "def head(): ..."}, set()),
        ({"core.a": "def head(): ...", "pages.queries.head": "def head(): ..."}, set()),
        ({"pages.x.y.queries": "def head(): ...", "pages.x.z.queries": "def head(): ..."}, {"head"}),
        ({"core.a": "def head(): ...", "core.b": "def head(): ...", "pages.queries.c": "def head(): ..."}, {"head"}),
        ({"core.a": "def head(): ...", "core.queries": "def head(): ..."}, {"head"}),
    ],
)
def test_the_checker_sees_a_name_twice(files: dict[str, str], names: set[str]) -> None:
    assert shared(files).keys() == names
