"""What a model calls between two of its blocks, and between two of its matrices while it is made.

Whoever waits for it can end it there, by raising. Only the caller's own thread is concerned, and nothing is left on the
model.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


def _nothing() -> None:
    return None


_called: ContextVar[Callable[[], None]] = ContextVar("called between blocks", default=_nothing)


@contextmanager
def cancel_check(call: Callable[[], None]) -> Iterator[None]:
    """Within it every `Transformer` of this thread calls this between two blocks."""
    before = _called.set(call)
    try:
        yield
    finally:
        _called.reset(before)


def check_cancelled() -> None:
    """For the model: here it may be ended."""
    _called.get()()
