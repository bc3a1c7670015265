"""The session state holds widgets' values, settings, and one object of ours: no other key is written out."""

import ast
from collections.abc import Iterator

import pytest

from tests.rooms import sources

READERS = {"get", "pop", "setdefault"}
ALLOWED = {"visit", "present"}  # our one object, and the switch of the Present mode, which is a widget


def bare_keys(source: str) -> Iterator[str]:
    """Each key of the session state that is written out as text, here or in a constant of the same file."""
    tree = ast.parse(source)
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        held, key = _used(node)
        if key is None or not _is_session(held):
            continue
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield key.value
        elif isinstance(key, ast.Name) and key.id in constants:
            yield constants[key.id]


def _used(node: ast.AST) -> tuple[ast.expr | None, ast.expr | None]:
    """The mapping that an expression uses, and the key."""
    if isinstance(node, ast.Subscript):
        return node.value, node.slice
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READERS and node.args:
        return node.func.value, node.args[0]
    return None, None


def _is_session(held: ast.expr | None) -> bool:
    return (isinstance(held, ast.Attribute) and held.attr == "session_state") or (
        isinstance(held, ast.Name) and held.id == "state"
    )


def test_no_key_of_the_session_is_written_out() -> None:
    found = {
        (path, key)
        for path, source in sources().items()
        if path.startswith("pages/")
        for key in bare_keys(source)
        if key not in ALLOWED
    }
    assert not found


@pytest.mark.parametrize(
    "source",
    [
        "st.session_state['mine'] = 1",
        "state = st.session_state\nstate.get('mine')",
        "MINE = 'mine'\nst.session_state.setdefault(MINE, [])",
    ],
)
def test_a_key_that_is_written_out_is_seen(source: str) -> None:
    assert list(bare_keys(source)) == ["mine"]
