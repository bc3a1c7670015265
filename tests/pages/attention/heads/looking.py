"""Runs for the views of heads, what the core makes of them, and the parts that a view shows."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from core.topics.shared.open_run import open_run
from core.tracing.run import Run
from pages.compute import cache
from pages.shell.run_plan import DEFAULTS, make_run
from pages.shell.settings import TEXT
from pages.shell.view import Shown
from pages.widgets.parts import Columns, Part

Kind = TypeVar("Kind")


def run_with(text: str = TEXT.default, trained: str = "", **chosen: Any) -> Run:
    """The run of a visitor who has chosen these settings of the frame."""
    return make_run(DEFAULTS | chosen, text, "a dog sat", cache.trained(trained) if trained else None)


def made(run: Run, verb: Callable[..., Any], *where: Any) -> Any:
    """What a verb of the core makes of this run, past every cache of the pages."""
    return verb(*open_run(run), run, *where)


def only(shown: Shown, kind: type[Kind], key: str = "") -> Kind:
    """The one part of this kind whose key begins so."""
    (found,) = every(shown, kind, key)
    return found


def every(shown: Shown, kind: type[Kind], key: str = "") -> list[Kind]:
    return [
        part for part in _flat(shown.pictures) if isinstance(part, kind) and getattr(part, "key", "").startswith(key)
    ]


def _flat(parts: Iterable[Part]) -> Iterator[Part]:
    for part in parts:
        if isinstance(part, Columns):
            for column in part.columns:
                yield from _flat(column)
        else:
            yield part


def takeaways(shown: Shown) -> list[str]:
    return [shown.takeaway] if isinstance(shown.takeaway, str) else list(shown.takeaway)
