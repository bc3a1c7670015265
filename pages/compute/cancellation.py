"""Cancel a run of the script for which nobody waits any more."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pages.compute.streamlit_patches import follow_click, run_context

POLL_SECONDS = 0.25  # between two checks of whether somebody still waits


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


def raise_if_abandoned() -> None:
    """End this run of the script if nobody waits for it any more: the tab is closed, or something else is chosen."""
    context = run_context()
    if context is not None:
        context.yield_check()
