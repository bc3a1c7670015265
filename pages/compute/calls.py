"""Record the calls of core functions behind one view, from which the view's Python code is written.

A call is appended to a list with its arguments and its result as they are, and is looked at only when the code is
written. `record_calls` keeps such a list for the thread inside it and for no other. A cache stores each value together
with the calls that made it, so the code is the same whether the numbers were computed now or before.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from pages.compute.expressions import CallLog, Recorded, stored

Found = TypeVar("Found")
Where = ParamSpec("Where")

_log: ContextVar[CallLog | None] = ContextVar("the log of the view that is made", default=None)


@contextmanager
def record_calls(log: CallLog | None = None) -> Iterator[CallLog]:
    """Record the calls that this thread makes inside this context in a log: in `log`, or in a new one if it is None."""
    log = [] if log is None else log
    before = _log.set(log)
    try:
        yield log
    finally:
        _log.reset(before)


def core_call(function: Callable[Where, Found], *args: Where.args, **named: Where.kwargs) -> Found:
    """Call a core function, record the call in the log, and return its result."""
    return noted(function(*args, **named), function, *args, **named)


def noted(value: Found, function: Callable[..., Any], *args: Any, **named: Any) -> Found:
    """Record in the log that `function(*args, **named)` returns `value`, however it was made here, and return it.

    A call is left out of the code if its function is not a public one of the core, or if an argument can neither be
    written as Python code nor is the result of another call in the log, or a part of one.

    function: the core function; a `partial` is resolved into the function and its arguments.
    """
    if (log := _log.get()) is not None:
        log.append(Recorded(value, function, args, named))
    return value


def helper(value: Found, function: Callable[..., Any], *args: Any, **named: Any) -> Found:
    """Record a call as `noted` does, but let the code contain it only if another call uses its result."""
    if (log := _log.get()) is not None:
        log.append(Recorded(value, function, args, named, True))
    return value


def record_again(earlier: CallLog) -> None:
    """Add the calls of an earlier log to the current one, because a value of this view was made with their results."""
    if (log := _log.get()) is not None:
        log += earlier


def logged(cache: Callable[[Callable[..., Any]], Any]) -> Callable[[Callable[Where, Found]], Callable[Where, Found]]:
    """Return a cache decorator that stores the calls that made each value, and adds them to the log on each use.

    cache: a cache decorator of Streamlit.

    The cached function has Streamlit's `clear`.
    """

    def decorate(work: Callable[Where, Found]) -> Callable[Where, Found]:
        @wraps(work)
        def made(*args: Where.args, **named: Where.kwargs) -> tuple[Any, ...]:
            with record_calls() as log:
                value = core_call(work, *args, **named)
            return value, stored(log, value)

        kept = cache(made)

        @wraps(work)
        def call(*args: Where.args, **named: Where.kwargs) -> Found:
            value, calls = kept(*args, **named)
            if (log := _log.get()) is not None:
                log.append(Recorded(value, calls, args, named))
            return value

        call.__dict__["clear"] = kept.clear
        return call

    return decorate
