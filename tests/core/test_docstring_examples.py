"""The examples in docstrings of the core give what stands below them."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WITH_EXAMPLES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "core").rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


def test_the_most_used_functions_have_an_example() -> None:
    rooms = {name.split(".")[1] for name in WITH_EXAMPLES}
    assert len(WITH_EXAMPLES) >= 10 and {"decoding", "explore", "model", "topics", "tracing"} <= rooms


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_are_true(name: str) -> None:
    found = doctest.testmod(import_module(name))
    assert found.attempted and not found.failed
