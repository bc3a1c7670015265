"""A check by which a caller can cancel a model while it runs or is built.

The model calls it between two blocks, and between two matrices while they are initialised; the check cancels by
raising an exception. It applies only to the caller's own thread, and nothing is stored on the model.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


def _nothing() -> None:
    return None


_called: ContextVar[Callable[[], None]] = ContextVar("called between blocks", default=_nothing)


@contextmanager
def cancel_check(call: Callable[[], None]) -> Iterator[None]:
    """Make models of this thread call `call` between blocks, and between matrices while they are initialised."""
    before = _called.set(call)
    try:
        yield
    finally:
        _called.reset(before)


def check_cancelled() -> None:
    """Call the check of the current context, which raises if the model is to stop."""
    _called.get()()
