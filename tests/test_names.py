"""A public name of the project means one thing, wherever it stands."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping

import pytest

from tests.rooms import holds_queries, inside, module, sources

# Names that mean the same in every module that has one, and why.
SAME_EVERYWHERE = {
    "build": "a model of the module's own family with fresh weights, from its config",
    "load": "the model behind a checkpoint, read strictly",
    "main": "what a command runs",
    "read": "the record behind a name or an address, checked",
}


def public(source: str) -> set[str]:
    """The public functions and classes at the top of a file."""
    nodes = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef))
    return {node.name for node in nodes if not node.name.startswith("_")}


def shared(files: Mapping[str, str], same: Iterable[str] = SAME_EVERYWHERE) -> dict[str, list[str]]:
    """Names in more than one module, with these modules; files: sources by the name of their module."""
    found: dict[str, list[str]] = defaultdict(list)
    for where, source in files.items():
        for name in public(source) - set(same):
            found[name].append(where)
    named = {name: sorted(modules) for name, modules in found.items() if len(modules) > 1}
    return {name: modules for name, modules in named.items() if not _is_cached_call(modules)}


def _is_cached_call(modules: list[str]) -> bool:
    """One function of the core and one cached call of it."""
    core, calls = [m for m in modules if inside(m, "core")], [m for m in modules if holds_queries(m)]
    return len(core) == len(calls) == 1 and len(modules) == 2


def standing() -> dict[str, str]:
    """The sources of core and pages, by module."""
    found = sources()
    paths = (path for path in found if path.startswith(("core/", "pages/")))
    return {module(path): found[path] for path in paths}


def test_no_public_name_means_two_things() -> None:
    assert shared(standing()) == {}


def test_every_exception_is_needed() -> None:
    assert set(SAME_EVERYWHERE) <= shared(standing(), ()).keys()


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
