"""What stands on a visitor's screen: the tree of elements that a server has sent, as a browser keeps it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

MAIN, SIDEBAR = 0, 1


@dataclass
class Node:
    """A place in the tree. element: None for a block. run, fragment: which run of the script put it there."""

    element: Any = None
    run: str = ""
    fragment: str = ""
    children: dict[int, "Node"] = field(default_factory=dict)


@dataclass(frozen=True)
class Shown:
    """One element that stands on the screen. root: MAIN, SIDEBAR or another of Streamlit's own."""

    kind: str
    proto: Any
    fragment: str
    root: int


class Screen:
    """The elements of one visit."""

    def __init__(self) -> None:
        self._root = Node()
        self._run, self._fragments = "", frozenset[str]()

    def begin(self, run: str, fragments: frozenset[str]) -> None:
        """A run of the script begins. fragments: those that it runs; none where it runs the whole script."""
        self._run, self._fragments = run, fragments

    def put(self, path: list[int], delta: Any) -> None:
        """Take one message of a run. What is shown for a moment only (a spinner) is left out."""
        kind = delta.WhichOneof("type")
        if kind not in ("new_element", "add_block"):
            return
        node = self._root
        for step in path:
            node = node.children.setdefault(step, Node())
        node.run, node.fragment = self._run, delta.fragment_id
        node.element = delta.new_element if kind == "new_element" else None
        if kind == "new_element":
            node.children.clear()

    def end(self) -> None:
        """The run has ended well: what it has not put there again goes."""
        self._prune(self._root)

    def shown(self) -> Iterator[Shown]:
        """The elements from top to bottom."""
        for root, node in sorted(self._root.children.items()):
            yield from _elements(node, root)

    def _prune(self, node: Node) -> None:
        for step, child in list(node.children.items()):
            self._prune(child)
            stale = child.run != self._run and (not self._fragments or child.fragment in self._fragments)
            if stale and not child.children:
                del node.children[step]


def _elements(node: Node, root: int) -> Iterator[Shown]:
    kind = node.element.WhichOneof("type") if node.element is not None else None
    if kind not in (None, "empty"):
        yield Shown(kind, getattr(node.element, kind), node.fragment, root)
    for _, child in sorted(node.children.items()):
        yield from _elements(child, root)
