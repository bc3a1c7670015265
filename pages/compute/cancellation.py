"""Cancel work whose result nobody waits for any more: a run of the script, or a job in the background."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pages.compute.streamlit_patches import follow_click, run_context

POLL_SECONDS = 0.25  # between two checks of whether somebody still waits
_check: ContextVar[Callable[[], None] | None] = ContextVar(
    "raises if the job of this thread is abandoned", default=None
)


@contextmanager
def cancel_on_click(may: Callable[[], bool] = lambda: True) -> Iterator[None]:
    """Let a click on a control of the same fragment cancel the work, or the waiting, inside this context.

    By default Streamlit handles such a click only when the work is done.

    may: returns whether the work may be cancelled now.
    """
    context = run_context()
    if context is None:
        yield
        return
    before = context.yield_check

    def look() -> None:
        before()
        if may():
            follow_click(context)

    context.yield_check = look
    try:
        yield
    finally:
        context.yield_check = before


@contextmanager
def cancel_with(check: Callable[[], None]) -> Iterator[None]:
    """Make `raise_if_abandoned` call `check` inside this context, for a thread that is no run of the script.

    check: raises an exception if nobody waits for the work any more.
    """
    before = _check.set(check)
    try:
        yield
    finally:
        _check.reset(before)


def raise_if_abandoned() -> None:
    """Raise an exception if the result of this work is no longer wanted.

    That is so if the tab is closed, or if the visitor has chosen something else.
    """
    if check := _check.get():
        check()
    elif context := run_context():
        context.yield_check()
