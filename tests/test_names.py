"""A public name means one thing within its folder; modules are namespaces."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping

import pytest

from tests.rooms import module, sources

# Names that mean the same in every module that has one, and why.
SAME_EVERYWHERE = {
    "build": "a model of the module's own family with fresh weights, from its config",
    "load": "the model behind a checkpoint, read strictly",
    "main": "what a command runs",
}


def public(source: str) -> set[str]:
    """The public functions and classes at the top of a file."""
    nodes = (node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef))
    return {node.name for node in nodes if not node.name.startswith("_")}


def shared(files: Mapping[str, str], same: Iterable[str] = SAME_EVERYWHERE) -> dict[str, list[str]]:
    """Names in more than one module of a folder, with these modules; files: sources by the name of their module."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for where, source in files.items():
        for name in public(source) - set(same):
            found[where.rpartition(".")[0], name].append(where)
    return {name: sorted(modules) for (_, name), modules in found.items() if len(modules) > 1}


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
        ({"core.a": "def place(): ...", "pages.x.b": "def place(): ..."}, set()),
        ({"core.a": "def place(): ...", "core.b": "def _place(): ..."}, set()),
        ({"core.a": "def place(): ...", "core.b": "class B:\n    def place(self): ..."}, set()),
        ({"core.a": "def main(): ...", "core.b": "def main(): ..."}, set()),
        ({"pages.x.y.queries": "def head(): ...", "pages.x.y.records": "def head(): ..."}, {"head"}),
    ],
)
def test_the_checker_sees_a_name_twice(files: dict[str, str], names: set[str]) -> None:
    assert shared(files).keys() == names
